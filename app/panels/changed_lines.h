#pragma once
// Finds the lines of a source that were edited since an earlier version of its text.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel {

struct ChangedLine {
    // The part of the former line that changed. Empty if the line is new or only gained text.
    std::string was;
    bool fresh = false;  // the line is new
    bool operator==(const ChangedLine&) const = default;
};

// The edited lines of `now`: key = line, counted from 1. Removed lines are not reported. Empty if
// the texts have no line in common, or are too long to compare within a frame.
[[nodiscard]] std::map<std::uint32_t, ChangedLine> changed_lines(std::string_view before,
                                                                 std::string_view now);

// For each line of `now` (index = line, counted from 1; [0] is unused): its counterpart in
// `before`, edited or not; 0 if it is new. If the texts are too long to compare, line n is the
// counterpart of line n.
[[nodiscard]] std::vector<std::uint32_t> former_lines(std::string_view before,
                                                      std::string_view now);

}  // namespace tilereel
