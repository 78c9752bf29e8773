// Managed memory: accessed alternately by host and device; hints; linked structures.
#include "check.h"

struct Element {
    int key;
    Element* next;
};
__global__ void add_up(const Element* list, int* sum) {
    int total = 0;
    for (const Element* e = list; e != nullptr; e = e->next) total += e->key;
    *sum = total;
}
__host__ __device__ int length(const Element* list) {
    int n = 0;
    for (; list != nullptr; list = list->next) ++n;
    return n;
}

// A memory location: a cudaMemLocation since CUDA 13, a device number before.
#if CUDART_VERSION >= 13000
cudaMemLocation place(int device) {
    const bool host = device == cudaCpuDeviceId;
    return {host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, host ? 0 : device};
}
template <class T>
void prefetch(T* pointer, int device) {
    cudaMemPrefetchAsync(pointer, sizeof *pointer, place(device), 0);
}
#else
int place(int device) { return device; }
template <class T>
void prefetch(T* pointer, int device) {
    cudaMemPrefetchAsync(pointer, sizeof *pointer, place(device));
}
#endif

int main() {
    Element* list = nullptr;
    for (int i = 0; i < 5; ++i) {
        Element* e;
        cudaMallocManaged(&e, sizeof *e);
        *e = {i, list};
        list = e;
    }
    CHECK(length(list) == 5);
    int* sum;
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMemAdvise(sum, sizeof *sum, cudaMemAdviseSetPreferredLocation, place(0));
    prefetch(list, 0);
    add_up<<<1, 1>>>(list, sum);
    cudaDeviceSynchronize();
    CHECK(*sum == 10);
    list->key = 100;
    add_up<<<1, 1>>>(list, sum);
    prefetch(sum, cudaCpuDeviceId);
    cudaDeviceSynchronize();
    CHECK(*sum == 106);
    while (list != nullptr) {
        Element* next = list->next;
        cudaFree(list);
        list = next;
    }
    cudaFree(sum);
    return failures;
}
