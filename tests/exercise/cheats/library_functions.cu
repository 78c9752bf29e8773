// Each line that ends in "cheat" is refused: its function would take the place of one of a library.
// The exercise is first_kernel.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void k(const float* in, float* out, int n) {}

void* operator new(size_t) { return nullptr; }               // cheat
void operator delete(void*) noexcept {}                      // cheat
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }  // cheat
namespace std {
void terminate() noexcept {}  // cheat
}  // namespace std
cudaError_t cudaMemcpy(int) { return cudaSuccess; }  // cheat
int atexit(void (*)()) { return 0; }                 // cheat

void scale(const float* in, float* out, int n) { k<<<1, 1>>>(in, out, n); }
