#pragma once
// Facts about the kernels from documents and from measurements on an H100, each with its figures
// and its source. They are written in kernels/facts.toml.
#include <string_view>
#include <vector>

#include "kernels/fact.h"

namespace tilereel {

// All facts in the file's order, evaluated for this TILE.
[[nodiscard]] std::vector<Fact> all_facts(int tile);
[[nodiscard]] std::vector<Fact> facts_about(std::string_view kernel, int tile);

}  // namespace tilereel
