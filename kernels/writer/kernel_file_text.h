#pragma once
// What the build needs of the text of a kernel's file: its launch function, its kernel, its host
// code and its shared arrays.
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

struct KernelFileText {
    std::string stem, name;  // "09_tiled", "tiled"
    std::string space;       // the namespace that its code is compiled in: "rung_09_tiled"
    std::string includes;    // its #include lines, each after a line break
    bool has_tile = false;   // whether its launch function is a template of int TILE
    bool has_pad = false;    // ... of int PAD
    std::string element;     // of A and B, as CUDA spells it: "float"
    std::string arguments;   // of the launch function: "<TILE, PAD>"; empty if it is no template
    std::string kernel;      // that it starts: "tiled"
    std::string kernel_arguments;  // "<TILE, PAD>"
    std::string host_code;         // without comments and device code; lines keep their numbers
    // Declarations in the kernel that its shared arrays are made from, and the arrays.
    struct Declaration {
        enum class Kind : unsigned char { kUsing, kConstant, kArray } kind = Kind::kUsing;
        std::string text{};  // "using Tile = ..."; what follows "constexpr int "; an array's type
        std::string array{};
        std::vector<std::string> extents{};
    };
    std::vector<Declaration> shared;
};

// kFailed with a sentence that begins with `path` if the file breaks a rule of kernels/README.md.
[[nodiscard]] Result<KernelFileText> read_kernel_file(const std::string& path,
                                                      std::string_view text);

// Replaces kernel<...><<<configuration>>>( by before + ... as `write` says.
[[nodiscard]] std::string with_launches(std::string_view text,
                                        std::string (*write)(std::string_view kernel,
                                                             std::string_view configuration));

}  // namespace tilereel
