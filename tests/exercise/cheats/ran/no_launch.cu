// exercise: first_kernel
// says: scale() launches no kernel
#include <cuda_runtime.h>

void scale(const float*, float* out, int n) { cudaMemset(out, 0, n * sizeof(float)); }
