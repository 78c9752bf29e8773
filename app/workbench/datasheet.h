#pragma once
// What the makers of GPUs promise, by the device's name.
#include <string_view>

namespace tilereel {

struct Datasheet {
    std::string_view device;   // as the driver names it, or the part of it that tells
    double bandwidth_gbs = 0;  // 1e9 bytes a second
    double peak_gflops = 0;    // FP32, without tensor cores
    std::string_view source;
};

// nullptr for a device that is not known.
[[nodiscard]] const Datasheet* datasheet_of(std::string_view device);

}  // namespace tilereel
