#pragma once
// Words of device code that g++ with our headers reads otherwise: casts of kernels to void*, the
// architecture, alignments behind __shared__ (launch_text.h).
#include <string>
#include <string_view>

namespace tilereel::plain {

// `mask`: the text without comments and literals. Every line stays where it is.
[[nodiscard]] std::string rewrite_words(std::string_view text, const std::string& mask);

}  // namespace tilereel::plain
