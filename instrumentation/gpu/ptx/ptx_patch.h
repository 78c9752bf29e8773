#pragma once
// Inserts a call of the recorder (recorder.cu) before every memory access, barrier and asynchronous
// copy in a program's PTX, and after every atomic and every multiply-add.
//
// A place in the source is that of the PTX's .loc (nvcc -lineinfo). Where code of a header of
// CUDA's has been inlined, it is the line of the user's that it has been inlined into. Where a
// function of such a header is called, the function gets one more parameter, which says where it is
// called from: atomicAdd() is such a function at -O1.
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

// `recorder`: the PTX of recorder.cu for the same architecture, which becomes part of the text.
// `libraries`: folders or files of CUDA's own or the system's headers.
[[nodiscard]] PatchedPtx patch_ptx(std::string_view text, std::string_view recorder,
                                   const PtxNumbers& first,
                                   const std::vector<std::string>& libraries);

}  // namespace tilereel::gpu
