// Templates, lambdas, structures, references, pointer arithmetic, recursion, virtual functions.
// nvcc: --extended-lambda
#include <type_traits>

#include "check.h"

struct Complex {
    float re, im;
    __host__ __device__ Complex operator*(const Complex& b) const {
        return {re * b.re - im * b.im, re * b.im + im * b.re};
    }
    __host__ __device__ Complex& operator+=(const Complex& b) {
        re += b.re;
        im += b.im;
        return *this;
    }
};
template <class T, int N>
struct Row {
    T value[N];
    __device__ T& operator[](int i) { return value[i]; }
    __device__ const T& operator[](int i) const { return value[i]; }
};
template <class T>
__device__ void exchange(T& a, T& b) {
    T kept = a;
    a = b;
    b = kept;
}
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
struct Shape {
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    __device__ int corners() const override { return 4; }
};
typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }

template <class T, int N, bool REVERSED = false>
__global__ void rows(const Row<T, N>* in, Row<T, N>* out, Row<T, N> scale) {
    const int i = threadIdx.x;
    Row<T, N> row = in[i];
    if constexpr (REVERSED)
        for (int k = 0; k < N / 2; ++k) exchange(row[k], row[N - 1 - k]);
    for (int k = 0; k < N; ++k) row[k] = row[k] * scale[k];
    out[i] = row;
}
__global__ void multiply(const Complex* a, const Complex* b, Complex* c, int n) {
    Complex sum{0, 0};
    const Complex *p = a, *end = a + n;
    for (const Complex* q = b; p != end; ++p, ++q) sum += *p * *q;
    *(c + threadIdx.x) = sum;
}
template <class F>
__global__ void apply(F f, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(i);
}
__global__ void indirect(int* out) {
    Square square;
    const Shape* shape = &square;
    Function f = twice;
    auto local = [&](int x) { return f(x) + shape->corners(); };
    out[threadIdx.x] = local(threadIdx.x) + factorial(5);
}
enum class Operation { kAdd, kMultiply };
template <Operation OP>
__global__ void operate(int* x) {
    switch (OP) {
        case Operation::kAdd:
            x[threadIdx.x] += 3;
            break;
        case Operation::kMultiply:
            x[threadIdx.x] *= 3;
            break;
    }
}

int main() {
    Row<int, 4>*in, *out;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMallocManaged(&out, 32 * sizeof *out);
    for (int i = 0; i < 32; ++i)
        for (int k = 0; k < 4; ++k) in[i].value[k] = 10 * i + k;
    rows<int, 4, true><<<1, 32>>>(in, out, Row<int, 4>{{1, 2, 3, 4}});
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        for (int k = 0; k < 4; ++k) CHECK(out[i].value[k] == (10 * i + 3 - k) * (k + 1));

    Complex *a, *b, *c;
    cudaMallocManaged(&a, 8 * sizeof *a);
    cudaMallocManaged(&b, 8 * sizeof *b);
    cudaMallocManaged(&c, 8 * sizeof *c);
    Complex wanted{0, 0};
    for (int i = 0; i < 8; ++i) {
        a[i] = {float(i), 1};
        b[i] = {2, float(-i)};
        wanted += a[i] * b[i];
    }
    multiply<<<1, 8>>>(a, b, c, 8);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i) CHECK(c[i].re == wanted.re && c[i].im == wanted.im);

    int* x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    const int factor = 7;
    apply<<<2, 32>>>([=] __device__(int i) { return factor * i; }, x, 60);
    cudaDeviceSynchronize();
    for (int i = 0; i < 60; ++i) CHECK(x[i] == 7 * i);
    indirect<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(x[i] == 2 * i + 4 + 120);
    operate<Operation::kMultiply><<<1, 32>>>(x);
    operate<Operation::kAdd><<<1, 32>>>(x);
    cudaDeviceSynchronize();
    CHECK(x[1] == 3 * 126 + 3);
    for (void* pointer : {(void*)in, (void*)out, (void*)a, (void*)b, (void*)c, (void*)x})
        cudaFree(pointer);
    return failures;
}
