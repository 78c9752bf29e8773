// says: kernel k uses a type with the attribute vector_size: device code cannot; use float4
// ends: not compiled
typedef float Four __attribute__((vector_size(16)));
__global__ void k(float* x) { reinterpret_cast<Four*>(x)[threadIdx.x][1] = 2; }
int main() {
    float* x;
    cudaMalloc(&x, 512);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
