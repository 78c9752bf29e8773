// The compiled kernels of the ladder for races: those of native.cu, for all compute capabilities.
#include <vector>

#include "kernels/cuda/device_kernels.h"

namespace tilereel {

#define NATIVE_KERNELS(function) std::vector<DeviceKernel> function();
TILEREEL_NATIVE_KERNELS
#undef NATIVE_KERNELS

std::span<const DeviceKernel> native_kernels() {
    static const std::vector<DeviceKernel> table = [] {
        std::vector<DeviceKernel> all;
#define NATIVE_KERNELS(function) \
    for (const DeviceKernel& kernel : function()) all.push_back(kernel);
        TILEREEL_NATIVE_KERNELS
#undef NATIVE_KERNELS
        return all;
    }();
    return table;
}

}  // namespace tilereel
