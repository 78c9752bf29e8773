#pragma once
// What of CUDA Tilereel does not support, found by the words in a file. The compiler or the runtime
// would only give an unclear error.
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::plain {

struct NotTaken {
    unsigned line = 0;
    std::string words;  // a sentence: which call, and what to do instead
};
// `text` and the same without comments and literals. Sorted by line.
[[nodiscard]] std::vector<NotTaken> find_not_taken(std::string_view text, std::string_view masked);

}  // namespace tilereel::plain
