#pragma once
// Special registers. PTX ISA, "Special Registers".
#include <optional>
#include <string_view>

#include "instrumentation/cuda/runtime/inline_ptx/inline_program.h"

namespace tilereel::runtime {

// Reads a special register for the running thread.
using PtxSpecial = std::uint64_t (*)();
// Null: there is no such register here. `name`: "%tid.x"
[[nodiscard]] PtxSpecial find_special(std::string_view name);

}  // namespace tilereel::runtime
