#pragma once
// GPU generations as data: what a request costs on each. The rules of 5.0 to 9.0 reproduce every
// row of tests/hardware/h100_warp_accesses.csv; CUDA C++ Programming Guide, "Compute Capabilities".
#include <span>
#include <string_view>

namespace tilereel {

struct Generation {
    std::string_view id;     // "9.0": as in report --json
    std::string_view title;  // "H100 (9.0)"
    int banks = 32;          // of 4 bytes
    int sector_bytes = 32;
    int line_bytes = 128;
};

[[nodiscard]] std::span<const Generation> generations();
[[nodiscard]] const Generation& default_generation();  // 9.0
[[nodiscard]] const Generation* find_generation(std::string_view id);

}  // namespace tilereel
