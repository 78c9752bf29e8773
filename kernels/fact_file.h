#pragma once
// Reads kernels/facts.toml, which kernels/README.md describes.
#include <string_view>
#include <vector>

#include "instrumentation/base/files/file_mistake.h"
#include "kernels/fact.h"

namespace tilereel {

struct FactsReading {
    std::vector<WrittenFact> facts;
    std::vector<FileMistake> mistakes;  // in the order of their lines
};
[[nodiscard]] FactsReading read_facts(std::string_view toml);
[[nodiscard]] std::string_view facts_text();  // the file that ships

}  // namespace tilereel
