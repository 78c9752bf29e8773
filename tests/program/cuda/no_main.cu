// No main(): launched as a line says.
// tilereel: launch saxpy<float> grid=4 block=256 n=N a=2 x[N]=index y[N]=1000-i
constexpr int N = 1000;
template <class T>
__global__ void saxpy(int n, T a, const T* x, T* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = a * x[i] + y[i];
    assert(y[i] == 1000 + i);
}
