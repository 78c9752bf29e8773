#pragma once
// Which lines of a source were edited since the text before, and what stood there.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

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

}  // namespace tilereel
