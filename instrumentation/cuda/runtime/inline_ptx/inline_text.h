#pragma once
// Reads the text of an asm statement of device code: PTX instructions, with labels, braces and
// registers of their own. PTX ISA, chapters "Syntax" and "Instruction Operands".
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel::runtime {

// The fundamental types of PTX, and the packed and small ones of instructions. PTX ISA, "Types".
enum class PtxType : std::uint8_t {
    kNone,
    kPredicate,
    kB8,
    kB16,
    kB32,
    kB64,
    kB128,
    kU8,
    kU16,
    kU32,
    kU64,
    kS8,
    kS16,
    kS32,
    kS64,
    kF16,
    kF16x2,
    kBf16,
    kBf16x2,
    kTf32,
    kF32,
    kF64,
    kF32x2,
    kE4m3x2,
    kE5m2x2,
    kU16x2,
    kS16x2,
};
// The type that a word of an instruction names, ".f32" without its dot; kNone: none.
[[nodiscard]] PtxType ptx_type(std::string_view word);
[[nodiscard]] std::uint32_t bytes_of(PtxType type);  // 0: kNone, kPredicate
[[nodiscard]] bool is_signed(PtxType type);
[[nodiscard]] bool is_floating(PtxType type);

enum class PtxOperandKind : std::uint8_t {
    kRegister,   // a register of the statement, or an operand of the asm statement: `slot`
    kImmediate,  // `bits`
    kSpecial,    // a special register: `name` is "%tid.x"
    kVector,     // {a, b, ...}: `parts`
    kAddress,    // [a + 4], [map, {x, y}]: see PtxOperand::parts
    kLabel,      // `name`
    kSink,       // _
    kPair,       // p|q: `parts`
};

struct PtxOperand {
    PtxOperandKind kind = PtxOperandKind::kSink;
    std::string name;
    std::uint32_t slot = 0;
    PtxType type = PtxType::kNone;  // of a register that the statement declares
    // An integer; the bits of a float of 4 bytes (0f...) or of a double.
    std::uint64_t bits = 0;
    bool is_float = false, is_double = false;  // an immediate that was written as such
    bool is_negated = false;                   // !p, or -x
    // Of an address: the terms of its first part, whose sum it is, and behind them what stands
    // behind a comma (the coordinates of a box). `terms`: how many.
    std::vector<PtxOperand> parts;
    std::uint32_t terms = 0;
};

struct PtxInstruction {
    std::vector<std::string> words;  // "mma", "sync", "aligned", "m16n8k16", ...
    std::vector<PtxOperand> operands;
    std::int32_t guard = -1;  // the slot of the predicate; -1: none
    bool guard_is_negated = false;
    std::string text;  // as written, for messages

    [[nodiscard]] const std::string& name() const { return words[0]; }
    [[nodiscard]] bool has(std::string_view word) const;
    // The types among the words, in order.
    [[nodiscard]] std::vector<PtxType> types() const;
};

struct PtxText {
    std::vector<PtxInstruction> instructions;
    std::map<std::string, std::uint32_t> labels;  // the instruction behind each label
    std::uint32_t slots = 0;                      // operands and registers
};

// `constraints`: see InlinePtx. Errors: a sentence without a subject, "uses the register %x, which
// is not declared".
[[nodiscard]] Result<PtxText> read_ptx(std::string_view text, std::string_view constraints,
                                       bool has_operands);

}  // namespace tilereel::runtime
