// NVTX: the calls compile and do nothing. Without a profiler no push is tracked.
#include <nvtx3/nvToolsExt.h>

#include "check.h"

__global__ void k(int* a) { a[threadIdx.x] = 1; }

int main() {
    int *a, one = 0;
    cudaMalloc(&a, 128);
    CHECK(nvtxRangePushA("launch") == NVTX_NO_PUSH_POP_TRACKING);
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "mark";
    nvtxMarkEx(&attributes);
    k<<<1, 32>>>(a);
    CHECK(nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING);
    cudaMemcpy(&one, a, 4, cudaMemcpyDeviceToHost);
    CHECK(one == 1);
    cudaFree(a);
    return failures;
}
