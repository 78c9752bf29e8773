// says: A cooperative launch of 1000 blocks; the GPU chosen holds 264 at once (with 32 registers a thread
// ends: exit 72
__global__ void k() {}
int main() {
    return cudaLaunchCooperativeKernel((void*)k, dim3(1000), dim3(1024), nullptr) ==
                   cudaErrorCooperativeLaunchTooLarge
               ? 72
               : 0;
}
