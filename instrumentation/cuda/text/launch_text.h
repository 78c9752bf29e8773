#pragma once
// Rewrites the text of a CUDA file where g++ with our headers could not read it:
//   kernel<<<grid, block>>>(arguments)   becomes
//       TILEREEL_LAUNCH(kernel) TILEREEL_SHAPE(grid, block)(arguments)
//   extern __shared__ float s[];         becomes  extern __dynamic_ float s[];
//   (void*)kernel                        becomes  ::tilereel::runtime::kernel_pointer * kernel
//   __shared__ alignas(16)               becomes  __shared__ __align__(16)
//   __CUDA_ARCH__ in device functions    becomes  __TILEREEL_ARCH__
// g++ compiles host and device code in one pass. Therefore __CUDA_ARCH__ is defined in device
// functions and in conditions outside of functions that enclose device code. It is not defined
// elsewhere, nor in __host__ __device__ functions.
// The brackets of a launch stay balanced, because it can stand in the argument of a macro.
// Line numbers stay the same. Comments, strings and raw strings do not change.
#include <string>
#include <string_view>

#include "instrumentation/cuda/text/specifier_macros.h"

namespace tilereel::program {

// The text with comments and literals blanked: same length, same lines. A 0 stays in place of each
// literal that is not raw.
[[nodiscard]] std::string masked_text(std::string_view text);
// The text with all but the comments blanked.
[[nodiscard]] std::string comments_of(std::string_view text);

// `macros`: those of the program that stand for __device__ and its kind.
[[nodiscard]] std::string rewrite_launches(std::string_view text,
                                           const SpecifierMacros& macros = {});

}  // namespace tilereel::program
