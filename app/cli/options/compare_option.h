#pragma once
// --compare: the other side of a comparison.
#include <CLI/CLI.hpp>
#include <string>

#include "app/subject/subject.h"

namespace tilereel {

void add_compare_option(CLI::App& app, std::string& what);

// The other side, as side_of_text() describes it. Its file exists.
[[nodiscard]] Result<Subject> compare_side(const std::string& what, const Subject& own);

}  // namespace tilereel
