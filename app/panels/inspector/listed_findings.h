#pragma once
// The findings that the inspector lists: findings of the shown launch, of the program's other
// launches, and of the whole program.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/workbench.h"

namespace tilereel {

struct ListedFinding {
    bool error = true;     // false: a warning
    bool is_new = false;   // the former run of the program did not have it
    std::string sentence;  // what happened and what to do
    std::string where{};   // "64 cells", "in launch 3 reduce"; may be empty
    std::vector<std::uint32_t> lines{};
    // The target of a click. At most one of these is set.
    std::optional<std::size_t> hazard{};    // index into Recording::findings
    std::optional<std::size_t> recorded{};  // index into Trace::findings
    std::optional<std::uint32_t> launch{};  // index into ProgramRun::launches
};

// Errors come before warnings. Among each, findings of the shown launch come first.
[[nodiscard]] std::vector<ListedFinding> list_findings(const Workbench& workbench);

}  // namespace tilereel
