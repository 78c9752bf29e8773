// Functions that look faster than the kernel they stand for. Each is raced by --call, and the race
// must say so or count the time all the same (own_races.py).
#include <cstdio>
#include <map>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// In a stream of its own, which the default stream does not wait for.
inline void elsewhere(int n, float a, const float* x, float* y) {
    static cudaStream_t stream = [] {
        cudaStream_t made;
        cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
        return made;
    }();
    saxpy<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y);
}

// The results of the last launch, after the first few.
inline void last(int n, float a, const float* x, float* y) {
    static int launches = 0;
    static float* kept = nullptr;
    static int size = 0;
    if (size != n) {
        cudaFree(kept);
        cudaMalloc(&kept, n * sizeof(float));
        size = n;
        launches = 0;
    }
    if (++launches <= 4) {
        saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
        cudaMemcpyAsync(kept, y, n * sizeof(float), cudaMemcpyDeviceToDevice);
        return;
    }
    cudaMemcpyAsync(y, kept, n * sizeof(float), cudaMemcpyDeviceToDevice);
}

// Nothing, for arrays that it has seen.
inline void seen(int n, float a, const float* x, float* y) {
    static std::map<const float*, int> known;
    if (known[x] == n) return;
    known[x] = n;
    saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
}

int main() {
    const int n = 5000;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = float(i % 97) / 7, y[i] = float(i % 89);
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.5f, dx, dy);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", y[10]);
    cudaFree(dx);
    cudaFree(dy);
}
