// Managed memory: host and device by turns, hints, linked structures.
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
    cudaMemAdvise(sum, sizeof *sum, cudaMemAdviseSetPreferredLocation, 0);
    cudaMemPrefetchAsync(list, sizeof *list, 0);
    add_up<<<1, 1>>>(list, sum);
    cudaDeviceSynchronize();
    CHECK(*sum == 10);
    list->key = 100;
    add_up<<<1, 1>>>(list, sum);
    cudaMemPrefetchAsync(sum, sizeof *sum, cudaCpuDeviceId);
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
