#pragma once
// The findings that the inspector lists: of the launch that is shown, of the other launches of its
// program, and of the program as a whole.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/workbench.h"

namespace tilereel {

struct ListedFinding {
    bool error = true;     // false: a warning
    bool is_new = false;   // the former run did not have it
    std::string sentence;  // what happened and what to do
    std::string where{};   // "64 cells", "in launch 3 reduce"; or empty
    std::vector<std::uint32_t> lines{};
    // Where a click leads: at most one of them is set.
    std::optional<std::size_t> hazard{};    // index into Recording::findings
    std::optional<std::size_t> recorded{};  // index into Trace::findings
    std::optional<std::uint32_t> launch{};  // index into ProgramRun::launches
};

// Errors before warnings; within them the launch that is shown, then the others.
[[nodiscard]] std::vector<ListedFinding> list_findings(const Workbench& workbench);

// Whether both say the same of lines that stand for each other. Numbers and what stands in brackets
// are no part of it: an edit moves lines, threads and elements. `former_line`: former_lines().
[[nodiscard]] bool is_same_finding(const ListedFinding& former, const ListedFinding& now,
                                   const std::vector<std::uint32_t>& former_line);

}  // namespace tilereel
