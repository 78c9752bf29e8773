// exercise: first_kernel
// says: did not end in time; a thread was on line 7
// seconds: 1
#include <cuda_runtime.h>

__global__ void k(volatile float* out) {
    while (out[0] != 77) {
    }
}
void scale(const float*, float* out, int) { k<<<1, 1>>>(out); }
