// says: cudaTextureObject_t is not supported: Tilereel runs no textures; read the data through a pointer instead
// ends: not compiled
__global__ void k(cudaTextureObject_t t, float* x) { x[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0); }
int main() {
    cudaTextureObject_t t = 0;
    k<<<1, 1>>>(t, nullptr);
}
