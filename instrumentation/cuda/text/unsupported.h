#pragma once
// Searches a file for the names of CUDA features that Tilereel does not support, because the
// compiler or the runtime would only give an unclear error.
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::program {

struct UnsupportedFeature {
    unsigned line = 0;
    std::string message;  // a sentence: which call, and what to do instead
    std::string header;   // if not empty: it holds only where this header is not found
};
// `masked`: masked_text(text). Sorted by line.
[[nodiscard]] std::vector<UnsupportedFeature> find_unsupported(std::string_view text,
                                                               std::string_view masked);

}  // namespace tilereel::program
