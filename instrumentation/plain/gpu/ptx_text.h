#pragma once
// PTX text as statements and their tokens (PTX ISA, "Syntax").
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilereel::plain {

enum class PtxKind : std::uint8_t {
    kDirective,    // .version, .target, .reg, .pragma ... up to its end
    kLocation,     // .loc
    kFile,         // .file
    kVariable,     // .shared, .global, .const: a declaration
    kFunction,     // .entry or .func with its parameters; a body follows in braces
    kPrototype,    // the same without a body
    kLabel,        // $L__BB0_2:
    kInstruction,  // with its guard
    kOpen,         // {
    kClose,        // }
};

struct PtxStatement {
    PtxKind kind = PtxKind::kDirective;
    std::size_t begin = 0, end = 0;        // in the text, its semicolon or brace included
    std::vector<std::string_view> tokens;  // without the semicolon; of a function without its brace
};

// Words (opcodes with their modifiers, registers, names, numbers), strings with their quotes, and
// single signs. Sections of debug information are left out. What is no PTX gives statements
// without a meaning, never an error: ptxas is the one that complains.
[[nodiscard]] std::vector<PtxStatement> ptx_statements(std::string_view text);

}  // namespace tilereel::plain
