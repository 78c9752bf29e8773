#pragma once
// Splits PTX text into statements and tokens (PTX ISA, "Syntax").
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilereel::gpu {

enum class PtxKind : std::uint8_t {
    kDirective,    // .version, .target, .reg, .pragma ...
    kLocation,     // .loc
    kFile,         // .file
    kVariable,     // .shared, .global, .const: a declaration
    kFunction,     // .entry or .func with its parameters; a body follows in braces
    kPrototype,    // the same without a body
    kLabel,        // $L__BB0_2:
    kInstruction,  // with its guard predicate
    kOpen,         // {
    kClose,        // }
};

struct PtxStatement {
    PtxKind kind = PtxKind::kDirective;
    std::size_t begin = 0, end = 0;        // in the text, including the semicolon or brace
    std::vector<std::string_view> tokens;  // without the semicolon or a function's brace
};

// Tokens are words (opcodes with their modifiers, registers, names, numbers), strings with their
// quotes, and single characters. Sections of debug information are left out. Invalid PTX is not
// reported here, because ptxas reports it.
[[nodiscard]] std::vector<PtxStatement> ptx_statements(std::string_view text);

}  // namespace tilereel::gpu
