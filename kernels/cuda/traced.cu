#define TILEREEL_BUILD_TRACED
#include "kernels/cuda/ladder_table.cuh"

namespace tilereel {

static_assert(sizeof(DeviceArray) == sizeof(Global<float>));
static_assert(offsetof(DeviceArray, first_element) == offsetof(Global<float>, at));

std::span<const DeviceKernel> traced_kernels() { return ladder_table(); }

Status set_traced_block_edge(int edge) { return copy_block_edge(edge); }

Status set_device_trace(const device::DeviceTrace& trace) {
    const cudaError_t error = cudaMemcpyToSymbol(dialect::device_trace, &trace, sizeof trace);
    if (error != cudaSuccess)
        return failed(std::string("the GPU did not take the trace's addresses: ") +
                      cudaGetErrorString(error));
    return Done{};
}

}  // namespace tilereel
