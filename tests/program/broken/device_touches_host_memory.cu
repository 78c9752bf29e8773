// says: writes memory that is not the GPU's, through x, on line 4
// ends: exit 0
#include <cstdlib>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {
    float* x = (float*)std::malloc(128);
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    std::free(x);
}
