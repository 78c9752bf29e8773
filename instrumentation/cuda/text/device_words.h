#pragma once
// Rewrites words of device code that g++ would misread: casts of kernels to void*, __CUDA_ARCH__,
// alignments after __shared__, "static" or "extern" beside it, and operands of asm without a comma
// (launch_text.h).
#include <string>
#include <string_view>

#include "instrumentation/cuda/text/specifier_macros.h"

namespace tilereel::program {

// `mask`: masked_text(text). `macros`: those of the program. Line numbers stay the same.
[[nodiscard]] std::string rewrite_words(std::string_view text, const std::string& mask,
                                        const SpecifierMacros& macros);

}  // namespace tilereel::program
