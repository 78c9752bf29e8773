// Error queries, the error-check macros of textbooks, and which queries reset the last error.
#include <cstring>
#include <iostream>

#include "check.h"

#define CUDA_CHECK(call)                                                                        \
    do {                                                                                        \
        const cudaError_t error_ = (call);                                                      \
        if (error_ != cudaSuccess) {                                                            \
            std::cerr << __FILE__ << ":" << __LINE__ << " " << cudaGetErrorName(error_) << ": " \
                      << cudaGetErrorString(error_) << std::endl;                               \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)
#define gpuErrchk(ans) \
    { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
static void HandleError(cudaError_t err, const char* file, int line) {
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define cudaCheckErrors(msg)                           \
    do {                                               \
        cudaError_t __err = cudaGetLastError();        \
        if (__err != cudaSuccess) {                    \
            fprintf(stderr, "Fatal error: %s\n", msg); \
            exit(1);                                   \
        }                                              \
    } while (0)

__global__ void nothing() {}

int main() {
    int* x;
    CUDA_CHECK(cudaMalloc(&x, 4));
    gpuErrchk(cudaPeekAtLastError());
    HANDLE_ERROR(cudaMemset(x, 0, 4));
    nothing<<<1, 32>>>();
    cudaCheckErrors("launch");
    CHECK(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    CHECK(cudaSuccess == 0 && cudaErrorInvalidConfiguration == 9 && cudaErrorNotReady == 600);
    CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidResourceHandle);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CUDA_CHECK(cudaFree(x));
    return failures;
}
