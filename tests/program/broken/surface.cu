// says: A write to a surface goes beyond the surface: x counts bytes, not elements
// ends: exit 0
__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4 * int(threadIdx.x) - 4, 0); }
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaMallocArray(&resource.res.array.array, &format, 32, 1, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    k<<<1, 32>>>(surface);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
