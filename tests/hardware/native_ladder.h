#pragma once
// The ladder's CUDA files in one of two compilations, as written or as compiled
// (native_ladder.cmake). Each program contains one compilation.
#include <span>
#include <string_view>

#include "kernels/cuda/device_kernels.h"

namespace tilereel::hardware {

struct LadderLaunch {
    std::string_view kernel;  // "09_tiled"
    int tile = 0, pad = 0;
    LaunchFunction launch = nullptr;
};

// All files at each built-in TILE and PAD: those for any GPU, those that need compute capability
// 8.0, and those that need 9.0.
[[nodiscard]] std::span<const LadderLaunch> native_ladder_75();
[[nodiscard]] std::span<const LadderLaunch> native_ladder_80();
[[nodiscard]] std::span<const LadderLaunch> native_ladder_90();
[[nodiscard]] std::span<const LadderLaunch> native_ladder_90a();

}  // namespace tilereel::hardware
