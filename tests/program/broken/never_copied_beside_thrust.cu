// With Thrust, host code stores to device memory. `filled` is written by the host, as Thrust's
// algorithms do; `forgotten` is not.
// says: Thread 0 of block 0 reads forgotten[0] on line 9, but nothing has written it; the launch reads 32 such elements
// kind: uninitialised read
// ends: exit 0
extern "C" int tilereel_keep_memory_open(void);
inline const int thrust_runs_here = tilereel_keep_memory_open();
__global__ void k(const int* filled, const int* forgotten, int* out) {
    out[threadIdx.x] = filled[threadIdx.x] + forgotten[threadIdx.x];
}
int main() {
    int *filled, *forgotten, *out;
    cudaMalloc(&filled, 128);
    cudaMalloc(&forgotten, 128);
    cudaMalloc(&out, 128);
    for (int i = 0; i < 32; ++i) filled[i] = 0;
    k<<<1, 32>>>(filled, forgotten, out);
    k<<<1, 32>>>(filled, out, out);
    cudaFree(filled), cudaFree(forgotten), cudaFree(out);
}
