#pragma once
// One parsed instruction of PTX (PTX ISA, "Instruction Statements").
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/ptx/module/ptx_text.h"

namespace tilereel::gpu {

// The decimal number that a token begins with; 0 if there is none.
[[nodiscard]] std::uint32_t ptx_number(std::string_view token);

struct PtxInstruction {
    std::string guard;                                       // "@!%p1", or empty
    std::string_view opcode;                                 // "ld.global.nc.v4.f32"
    std::vector<std::string_view> parts;                     // "ld", "global", "nc", "v4", "f32"
    std::vector<std::vector<std::string_view>> operands;     // the tokens of each operand
    [[nodiscard]] bool has(std::string_view part) const;     // among the parts after the first
    [[nodiscard]] std::string operand(std::size_t i) const;  // as text
};
[[nodiscard]] PtxInstruction ptx_instruction(const PtxStatement& statement);

// The elements of the braces in an operand: "a" and "b" of "{a, b}" and of "[map, {a, b}]". An
// operand without braces is one element.
[[nodiscard]] std::vector<std::string> ptx_elements(const std::vector<std::string_view>& operand);

// The type of the value that each lane moves: "f32", "b16", "s64" ...
struct PtxType {
    char kind = 'b';  // b, u, s or f
    std::string_view name;
    unsigned bits = 32;     // of an element
    unsigned elements = 1;  // .v2, .v4, .v8
    [[nodiscard]] unsigned bytes() const { return bits / 8 * elements; }
};
// The type in the last part of an instruction; nullopt if that is not a type.
[[nodiscard]] std::optional<PtxType> ptx_type(const PtxInstruction& instruction);

// An operand [base + offset].
struct PtxAddress {
    std::string base;  // a register or a name; empty: the address is a number
    std::string offset = "0";
};
[[nodiscard]] std::optional<PtxAddress> ptx_address(const std::vector<std::string_view>& operand);

}  // namespace tilereel::gpu
