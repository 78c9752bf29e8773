// says: The kernel never ran: an earlier error remains (an illegal memory access was encountered)
// ends: exit 0
#include <cstdio>
__global__ void wild(int* p) { p[3] = 1; }
__device__ int variable;
int failed = 0;
#define STICKS(call)                           \
    if ((call) != cudaErrorIllegalAddress) {   \
        std::printf("line %d: %s\n", __LINE__, #call); \
        ++failed;                              \
    }
int main() {
    int *x, n = 0;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaMalloc(&x, 128);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    wild<<<1, 1>>>(nullptr);
    STICKS(cudaDeviceSynchronize());
    STICKS(cudaGetLastError());
    wild<<<1, 1>>>(x);
    STICKS(cudaGetLastError());
    STICKS(cudaMemset(x, 0, 4));
    STICKS(cudaMemcpy(&n, x, 4, cudaMemcpyDeviceToHost));
    STICKS(cudaMemcpyToSymbol(variable, &n, 4));
    STICKS(cudaEventRecord(event));
    STICKS(cudaEventSynchronize(event));
    STICKS(cudaStreamSynchronize(stream));
    STICKS(cudaStreamCreate(&stream));
    STICKS(cudaMalloc(&x, 4));
    STICKS(cudaFree(x));
    return failed;
}
