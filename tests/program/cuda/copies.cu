// cudaMemcpy and cudaMemset: one- and two-dimensional, asynchronous, between devices.
#include <cstddef>
#include <vector>

#include "check.h"

// All cores help with a large copy. Its last piece is short, and neither end is aligned.
static void large_copy() {
    const std::size_t count = (std::size_t{40} << 20) + 12345;
    std::vector<char> sent(count), back(count);
    for (std::size_t i = 0; i < count; ++i) sent[i] = char(i * 7 + i / 251);
    char *device;
    cudaMalloc(&device, count + 8);
    CHECK(cudaMemcpy(device + 3, sent.data() + 1, count - 1, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    cudaMemcpy(back.data() + 1, device + 3, count - 1, cudaMemcpyDeviceToHost);
    back[0] = sent[0];
    CHECK(sent == back);
    char edges[8];
    cudaMemcpy(edges, device, 3, cudaMemcpyDeviceToHost);
    cudaMemcpy(edges + 3, device + count + 2, 5, cudaMemcpyDeviceToHost);
    for (const char edge : edges) CHECK(edge == 0);
    cudaFree(device);
}

int main() {
    large_copy();
    int h[64], r[64];
    for (int i = 0; i < 64; ++i) h[i] = i, r[i] = 0;
    int *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc((void **)&b, sizeof h);
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(b, a, sizeof h, cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(r, b, sizeof h, cudaMemcpyDefault) == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(r[i] == i);
    cudaMemcpyAsync(r, b + 32, 32 * sizeof(int), cudaMemcpyDeviceToHost, 0);
    cudaStreamSynchronize(0);
    CHECK(r[0] == 32 && r[31] == 63);
    // Columns 2 to 5 of 8 rows of 8, packed into rows of 4; then these rows to the host.
    cudaMemcpy2D(b, 16, a + 2, 32, 16, 8, cudaMemcpyDeviceToDevice);
    cudaMemcpy2DAsync(r, 16, b, 16, 16, 8, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) CHECK(r[i] == i / 4 * 8 + 2 + i % 4);
    cudaMemset(a, 0x01, 8);
    cudaMemsetAsync(a + 2, 0xff, 4);
    cudaMemset2D(a + 8, 32, 0, 8, 3);
    cudaMemcpy(r, a, sizeof r, cudaMemcpyDeviceToHost);
    CHECK(r[0] == 0x01010101 && r[1] == 0x01010101 && r[2] == -1 && r[3] == 3);
    CHECK(r[8] == 0 && r[9] == 0 && r[10] == 10 && r[24] == 0 && r[32] == 32);
    cudaMemcpyPeer(b, 0, a, 0, 64);
    cudaMemcpy(r, b, 64, cudaMemcpyDeviceToHost);
    CHECK(r[10] == 10);
    cudaFree(a);
    cudaFree(b);
    return failures;
}
