#pragma once
// The files that a text includes, by the names in its #include lines.
#include <cstddef>
#include <string_view>
#include <vector>

namespace tilereel::program {

struct Include {
    std::string_view name;  // part of the text
    std::size_t at = 0;     // where the name begins in the text
};
// #include, #include_next and #import with a name in quotes or angle brackets. `masked`:
// masked_text(text) (launch_text.h).
[[nodiscard]] std::vector<Include> find_includes(std::string_view text, std::string_view masked);

}  // namespace tilereel::program
