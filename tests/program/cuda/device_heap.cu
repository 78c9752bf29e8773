// malloc, free, new and delete in kernels.
#include "check.h"

struct Node {
    int value;
    Node* next;
};
__global__ void build(Node** lists, int n) {
    Node* head = nullptr;
    for (int i = 0; i < n; ++i) head = new Node{i, head};
    lists[threadIdx.x] = head;
}
__global__ void add_up(Node** lists, int* sums) {
    int* scratch = (int*)malloc(4 * sizeof(int));
    scratch[0] = 0;
    for (Node* node = lists[threadIdx.x]; node != nullptr;) {
        Node* next = node->next;
        scratch[0] += node->value;
        delete node;
        node = next;
    }
    sums[threadIdx.x] = scratch[0];
    free(scratch);
}

int main() {
    Node** lists;
    int* sums;
    cudaMalloc(&lists, 8 * sizeof *lists);
    cudaMallocManaged(&sums, 8 * sizeof *sums);
    build<<<1, 8>>>(lists, 10);
    add_up<<<1, 8>>>(lists, sums);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i) CHECK(sums[i] == 45);
    cudaFree(lists);
    cudaFree(sums);
    return failures;
}
