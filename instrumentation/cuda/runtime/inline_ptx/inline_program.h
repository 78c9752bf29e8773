#pragma once
// What an asm statement does, as steps that a thread carries out.
//
// Why steps: a kernel runs the same statement millions of times, and reading its text takes
// microseconds. The text is read once. Each instruction becomes a function for its operation and
// types, with the numbers of its registers; a thread then only calls one function after another.
// The families of instructions are in files of their own. Each has a function that binds an
// instruction: it chooses the function of the step, or says why Tilereel does not take the
// instruction.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_text.h"

namespace tilereel::runtime {

// Where a step reads a value: a slot, or a constant.
struct PtxSource {
    std::uint64_t value = 0;
    std::uint32_t slot = 0;
    bool is_constant = true;
    bool is_negated = false;  // of a predicate
};

// The registers of a thread during one statement, as bits. A register of fewer than 64 bits lies in
// the low ones of its slot; the others are zero.
struct PtxFrame {
    std::uint64_t* slots = nullptr;
    const Site* call = nullptr;     // the asm statement; null: not known
    void* const* places = nullptr;  // where the first `operands` slots come from, as far as known
    std::size_t operands = 0;
    std::uint32_t next = 0;   // the step that follows
    std::uint64_t carry = 0;  // PTX ISA, "Extended-Precision Integer Arithmetic": CC.CF
};

// What a step needs besides its numbers.
struct PtxDetails {
    virtual ~PtxDetails() = default;
};

struct PtxStep {
    using Run = void (*)(PtxFrame&, const PtxStep&);
    static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};  // the sink _

    Run run = nullptr;
    std::int32_t guard = -1;
    bool guard_is_negated = false;
    std::array<PtxSource, 4> in{};
    std::array<std::uint32_t, 2> out{kNowhere, kNowhere};
    std::array<std::uint32_t, 3> numbers{};  // for the step's own use
    std::shared_ptr<const PtxDetails> details;
    const std::string* text = nullptr;  // the instruction, for messages
    std::uint32_t number = 0;           // in the statement
};

inline std::uint64_t get(const PtxFrame& frame, const PtxSource& source) {
    return source.is_constant ? source.value : frame.slots[source.slot];
}
inline bool get_predicate(const PtxFrame& frame, const PtxSource& source) {
    return ((get(frame, source) & 1) != 0) != source.is_negated;
}
template <class T>
T get_as(const PtxFrame& frame, const PtxSource& source) {
    const std::uint64_t bits = get(frame, source);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T>
void put(PtxFrame& frame, std::uint32_t slot, T value) {
    if (slot == PtxStep::kNowhere) return;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    frame.slots[slot] = bits;
}

struct PtxProgram {
    std::vector<PtxStep> steps;
    std::vector<PtxInstruction> instructions;
    std::uint32_t slots = 0;
    std::string refusal;  // not empty: what completes the sentence "Thread ..."
};

// Helps a family to bind one instruction.
class PtxBinder {
  public:
    PtxBinder(const PtxInstruction& instruction, const PtxText& text)
        : instruction_(instruction), text_(text) {}
    [[nodiscard]] const PtxInstruction& instruction() const { return instruction_; }
    [[nodiscard]] std::size_t operands() const { return instruction_.operands.size(); }
    // Each takes the number of an operand, or an operand. Errors: sentences as those of read_ptx().
    // An immediate gets the bits of a value of the type.
    [[nodiscard]] Result<PtxSource> source(std::size_t operand, PtxType type = PtxType::kB64) const;
    [[nodiscard]] Result<PtxSource> source(const PtxOperand& operand, PtxType type) const;
    [[nodiscard]] Result<std::uint32_t> target(std::size_t operand) const;
    [[nodiscard]] Result<std::uint32_t> target(const PtxOperand& operand) const;
    [[nodiscard]] Result<std::uint64_t> constant(std::size_t operand) const;
    // The slots of a vector {a, b, ...}, or of a single register.
    [[nodiscard]] Result<std::vector<std::uint32_t>> targets(std::size_t operand) const;
    [[nodiscard]] Result<std::vector<PtxSource>> sources(std::size_t operand, PtxType type) const;
    // The step at a label.
    [[nodiscard]] Result<std::uint32_t> label(std::size_t operand) const;
    // "uses mma.sp, which Tilereel does not run: `advice`"
    [[nodiscard]] Error refuse(const std::string& advice) const;
    [[nodiscard]] Status expect_operands(std::size_t least, std::size_t most) const;

  private:
    const PtxInstruction& instruction_;
    const PtxText& text_;
};

// The families. Each returns a step, or a sentence.
using PtxBind = Result<PtxStep> (*)(const PtxBinder&);
[[nodiscard]] PtxBind integer_instruction(std::string_view name);  // null: not of this family
[[nodiscard]] PtxBind bit_instruction(std::string_view name);
[[nodiscard]] PtxBind floating_instruction(std::string_view name);  // if it names such a type
[[nodiscard]] PtxBind move_instruction(std::string_view name);
[[nodiscard]] PtxBind memory_instruction(std::string_view name);
[[nodiscard]] PtxBind warp_instruction(std::string_view name);
[[nodiscard]] PtxBind barrier_instruction(std::string_view name);
[[nodiscard]] PtxBind matrix_instruction(std::string_view name);
[[nodiscard]] PtxBind warpgroup_instruction(std::string_view name);
[[nodiscard]] PtxBind wmma_instruction(std::string_view name);

// The program of a statement: read at its first run, by whichever CPU thread comes first.
[[nodiscard]] const PtxProgram& program_of(InlinePtx& statement);

}  // namespace tilereel::runtime
