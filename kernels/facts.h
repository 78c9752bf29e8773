#pragma once
// What the source documents and the measured H100 say about the kernels: each fact with its figures
// and where it stands. The facts are written in kernels/facts.toml.
#include <string_view>
#include <vector>

#include "kernels/fact.h"

namespace tilereel {

// All of them, in the file's order, with what depends on TILE computed for this one.
[[nodiscard]] std::vector<Fact> all_facts(int tile);
[[nodiscard]] std::vector<Fact> facts_about(std::string_view kernel, int tile);

}  // namespace tilereel
