#pragma once
// Tells the traced kernels of one translation unit where to write.
#include <string>

#include "instrumentation/base/result.h"
#include "kernels/dialect/dialect.h"

namespace tilereel {
namespace {

Status copy_device_trace(const device::DeviceTrace& trace) {
    const cudaError_t error = cudaMemcpyToSymbol(dialect::device_trace, &trace, sizeof trace);
    if (error != cudaSuccess)
        return failed(std::string("the GPU did not take the trace's addresses: ") +
                      cudaGetErrorString(error));
    return Done{};
}

}  // namespace
}  // namespace tilereel
