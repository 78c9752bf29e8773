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

// All files at each built-in TILE and PAD: those for any GPU, and those that need compute
// capability 9.0.
[[nodiscard]] std::span<const LadderLaunch> native_ladder_75();
[[nodiscard]] std::span<const LadderLaunch> native_ladder_90();

}  // namespace tilereel::hardware
