// Each line that ends in "cheat" is refused. The exercise is first_kernel.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

void ends_early() { std::exit(0); }                               // cheat
void prints_a_result() { printf("500 of 500 right\n"); }          // cheat
void writes_through_a_pointer(float* out) { *out = 1; }           // cheat
float reads_through_a_pointer(const float* in) { return in[3]; }  // cheat
void writes_anywhere() { *reinterpret_cast<int*>(0x1234) = 1; }   // cheat
void computes_on_the_host(const float* in, float* out, int n) {
    std::vector<float> values(n);                                         // cheat
    cudaMemcpy(&values, in, n * sizeof(float), cudaMemcpyDeviceToHost);   // cheat
    for (int i = 0; i < n; ++i) values[i] *= 2;                           // cheat
    cudaMemcpy(out, &values, n * sizeof(float), cudaMemcpyHostToDevice);  // cheat
}  // cheat
void finds_the_recorder() {
    FILE* file = fopen("/proc/self/environ", "r");  // cheat
    fclose(file);                                   // cheat
}
void asks_the_environment() { getenv("HOME"); }  // cheat
void runs_a_command() { std::system("true"); }   // cheat
void allocates() { delete new int; }             // cheat
void indexes(int at) {
    int own[2];
    own[at] = 7;  // cheat
}
void through_a_reference(int& other) { other = 1; }  // cheat
void through_a_lambda(float* out) {
    auto write = [&] {
        out[0] = 1;  // cheat
    };
    write();
}
void calls_a_pointer(void (*any)()) { any(); }                                    // cheat
void calls_an_object(std::function<void()> any) { any(); }                        // cheat
void throws() { throw 1; }                                                        // cheat
void sorts(float* in, int n) { std::sort(in, in + n); }                           // cheat
void copies(float* out, const float* in) { memcpy(out, in, 4); }                  // cheat
void calls_without_launch(const float* in, float* out, int n) { k(in, out, n); }  // cheat
void allocates_anywhere() { cudaMalloc(reinterpret_cast<float**>(0x1234), 4); }   // cheat
void changes_a_variable_of_the_library() { stdout = nullptr; }                    // cheat
struct Begins {
    Begins() { puts("before main"); }  // cheat
};
Begins begins;
static FILE* const opened_before_main = fopen("forged", "w");  // cheat
template <class T>
struct Hidden {
    void operator()(T* out) const { *out = 1; }  // cheat
};
void uses_the_hidden(float* out) { Hidden<float>()(out); }
void calls_the_main();
int main() {
    std::vector<int> fine(3);
    printf("%d\n", fine[0]);
}
void calls_the_main() { main(); }  // cheat

void scale(const float* in, float* out, int n) { k<<<(n + 127) / 128, 128>>>(in, out, n); }
