// says: cub::DeviceReduce::Sum is called with a pointer that is not device memory. Pass pointers from cudaMalloc, and the number of their elements.
// ends: exit 1
#include <cub/device/device_reduce.cuh>

int main() {
    static int in[128];
    int* out;
    void* storage = nullptr;
    size_t bytes = 0;
    cudaMalloc(&out, sizeof *out);
    cub::DeviceReduce::Sum(storage, bytes, in, out, 128);
    cudaMalloc(&storage, bytes);
    return cub::DeviceReduce::Sum(storage, bytes, in, out, 128) != cudaSuccess;
}
