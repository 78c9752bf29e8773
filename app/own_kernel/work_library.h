#pragma once
// C++ for a kernel that is no product: for the library that races, and for the program that shows
// on the CPU what the kernel writes.
#include <string>

#include "app/own_kernel/own_call.h"
#include "app/own_kernel/own_source.h"

namespace tilereel {

// The library's text, which the data of work_data.h is linked to.
[[nodiscard]] Result<std::string> work_library_text(const OwnSource& source, const OwnCall& call);

inline constexpr const char* kShowKernel = "tilereel_show";
// A program that takes the path of the recorded inputs and then, for each run, n and the first
// element of each array: "4096:0:341". After each launch it shows all arrays to the recorder by a
// launch of kShowKernel, whose parameters are tilereel_0, tilereel_1, ...
[[nodiscard]] Result<std::string> work_program_text(const OwnSource& source, const OwnCall& call);

}  // namespace tilereel
