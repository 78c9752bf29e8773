#pragma once
// The user's own file that the window shows, and where in it: for an editor.
#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/workbench/workbench.h"

namespace tilereel {

struct SourcePlace {
    std::filesystem::path file;  // absolute
    std::uint32_t line = 0;      // from 1: of an error of the compiler, or the running one; 0: none
};

// Of the exercise's copy on the page of exercises, or else of the open program. nullopt: a kernel
// that ships or a trace is shown, and no file of the user.
[[nodiscard]] std::optional<SourcePlace> source_place(const Workbench& workbench);

}  // namespace tilereel
