// says: texture is not supported: Tilereel runs no texture references, which CUDA 12 has removed; create a texture object instead
// ends: not compiled
texture<float, 2> t;
__global__ void k(float* x) { x[threadIdx.x] = tex2D(t, threadIdx.x, 0); }
int main() { k<<<1, 1>>>(nullptr); }
