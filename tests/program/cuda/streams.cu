// Streams and events, callbacks, host functions.
#include "check.h"

__global__ void step(int* x) { x[threadIdx.x] = x[threadIdx.x] * 2 + 1; }

int main() {
    cudaStream_t streams[3];
    cudaStreamCreate(&streams[0]);
    cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking);
    int least = 0, greatest = 0, priority = 1;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStreamCreateWithPriority(&streams[2], cudaStreamNonBlocking, greatest);
    cudaStreamGetPriority(streams[2], &priority);
    CHECK(priority == greatest && greatest <= least);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreateWithFlags(&end, cudaEventDefault);
    int *x, *h;
    cudaMalloc(&x, 128);
    cudaMallocHost(&h, 128);
    for (int i = 0; i < 32; ++i) h[i] = i;
    cudaEventRecord(begin, streams[0]);
    cudaMemcpyAsync(x, h, 128, cudaMemcpyHostToDevice, streams[0]);
    step<<<1, 32, 0, streams[0]>>>(x);
    cudaEventRecord(end, streams[0]);
    cudaStreamWaitEvent(streams[1], end, 0);
    step<<<1, 32, 0, streams[1]>>>(x);
    cudaMemcpyAsync(h, x, 128, cudaMemcpyDeviceToHost, streams[1]);
    cudaStreamSynchronize(streams[1]);
    CHECK(cudaStreamQuery(streams[0]) == cudaSuccess && cudaEventQuery(end) == cudaSuccess);
    for (int i = 0; i < 32; ++i) CHECK(h[i] == 4 * i + 3);
    cudaEventSynchronize(end);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end) == cudaSuccess && ms >= 0);
    static int called = 0;
    cudaLaunchHostFunc(
        streams[2], [](void* data) { *(int*)data += 1; }, &called);
    cudaStreamAddCallback(
        streams[2], [](cudaStream_t, cudaError_t, void* data) { *(int*)data += 10; }, &called, 0);
    cudaStreamSynchronize(streams[2]);
    CHECK(called == 11);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(x);
    cudaFreeHost(h);
    return failures;
}
