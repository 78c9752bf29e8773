#pragma once
// Reads what a kernel's file declares about itself, in the comments that it begins with. Everything
// that needs it, the build included, reads it here. kernels/README.md describes the form.
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch_rules.h"

namespace tilereel {

struct KernelDeclaration {
    std::string idea, watch, next, from;  // the paragraphs; from: "Source"
    std::vector<int> tiles{16}, pads{0};  // built in, ascending
    SizeRules sizes{};
    VariantRules variants{};
    DeclaredShared shared{};
    // What is wrong with it, with the line: "line 7: ..."; empty if nothing is.
    std::string mistake{};
};

// `text`: the whole file's.
[[nodiscard]] KernelDeclaration read_declaration(std::string_view text);

// The rules as a sentence without its end: "M, N multiples of TILE, K of 8; TILE 128: K of 16".
[[nodiscard]] std::string needs_text(const SizeRules& rules);

}  // namespace tilereel
