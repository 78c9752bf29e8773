#pragma once
// Which lines of a source were edited since the text before, and what stood there.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel {

struct ChangedLine {
    std::string was;  // the part of the former line that is another now; empty: nothing stood there
    bool fresh = false;  // the line was not there
    bool operator==(const ChangedLine&) const = default;
};

// By line of `now`, counted from 1. Lines that were taken out are not told. Empty where the texts
// have nothing in common, or are too long to be compared while the window waits.
[[nodiscard]] std::map<std::uint32_t, ChangedLine> changed_lines(std::string_view before,
                                                                 std::string_view now);

// By line of `now` (index 0: no line): the line of `before` that stands there now, edited or not;
// 0: the line was not there. Where the texts are too long to be compared, each line is itself.
[[nodiscard]] std::vector<std::uint32_t> former_lines(std::string_view before,
                                                      std::string_view now);

}  // namespace tilereel
