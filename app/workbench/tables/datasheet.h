#pragma once
// Peak bandwidth and GFLOPS from the data sheets of GPUs, by the device's name.
#include <string_view>

namespace tilereel {

struct Datasheet {
    std::string_view device;   // the driver's name of the device, or a part of it
    double bandwidth_gbs = 0;  // 1e9 bytes per second
    double peak_gflops = 0;    // FP32, without tensor cores
    double bf16_gflops = 0;    // of the tensor cores, dense, FP32 sums; 0: they take no BF16
    std::string_view source;
};

// nullptr for an unknown device.
[[nodiscard]] const Datasheet* datasheet_of(std::string_view device);

}  // namespace tilereel
