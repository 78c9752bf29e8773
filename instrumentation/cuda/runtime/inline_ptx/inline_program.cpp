#include "instrumentation/cuda/runtime/inline_ptx/inline_program.h"

#include <algorithm>
#include <mutex>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {
namespace {

PtxBind find_family(const PtxInstruction& instruction) {
    const std::vector<PtxType> types = instruction.types();
    const bool floats = std::ranges::any_of(types, is_floating);
    for (const auto family :
         {move_instruction, memory_instruction, warp_instruction, barrier_instruction,
          matrix_instruction, warpgroup_instruction, wmma_instruction})
        if (const PtxBind bind = family(instruction.name())) return bind;
    if (floats) return floating_instruction(instruction.name());
    if (const PtxBind bind = integer_instruction(instruction.name())) return bind;
    return bit_instruction(instruction.name());
}

Result<PtxStep> bind(const PtxInstruction& instruction, const PtxText& text) {
    const PtxBinder binder(instruction, text);
    const PtxBind family = find_family(instruction);
    if (family == nullptr)
        return binder.refuse("write it in CUDA C++, or with an intrinsic function");
    PtxStep step = TRY(family(binder));
    step.guard = instruction.guard;
    step.guard_is_negated = instruction.guard_is_negated;
    return step;
}

Status read_into(PtxProgram& program, const InlinePtx& statement) {
    const PtxText text = TRY(read_ptx(statement.text == nullptr ? "" : statement.text,
                                      statement.constraints == nullptr ? "" : statement.constraints,
                                      statement.has_operands != 0));
    program.slots = text.slots;
    program.instructions = text.instructions;
    for (std::size_t i = 0; i < text.instructions.size(); ++i) {
        PtxStep step = TRY(bind(text.instructions[i], text));
        step.text = &program.instructions[i].text;
        step.number = static_cast<std::uint32_t>(i);
        program.steps.push_back(std::move(step));
    }
    return Done{};
}

std::uint64_t as_type(const PtxOperand& operand, PtxType type) {
    if (!operand.is_float && !operand.is_double) {
        // An integer where a float should stand is not of PTX; but 0 is common.
        if (type == PtxType::kF32 && operand.bits != 0)
            return std::bit_cast<std::uint32_t>(static_cast<float>(operand.bits));
        if (type == PtxType::kF64 && operand.bits != 0)
            return std::bit_cast<std::uint64_t>(static_cast<double>(operand.bits));
        const std::uint32_t bytes = bytes_of(type);
        return bytes == 0 || bytes >= 8 ? operand.bits
                                        : operand.bits & ((std::uint64_t{1} << 8 * bytes) - 1);
    }
    const double value = operand.is_float
                             ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))
                             : std::bit_cast<double>(operand.bits);
    switch (type) {
        case PtxType::kF16:
            return float_to_half(static_cast<float>(value));
        case PtxType::kBf16:
            return float_to_bfloat(static_cast<float>(value));
        case PtxType::kF64:
            return std::bit_cast<std::uint64_t>(value);
        case PtxType::kF32:
        case PtxType::kTf32:
            return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        default:
            return operand.bits;
    }
}

}  // namespace

Result<PtxSource> PtxBinder::source(std::size_t operand, PtxType type) const {
    if (operand >= operands()) return failed("has too few operands in " + instruction_.text);
    return source(instruction_.operands[operand], type);
}

Result<PtxSource> PtxBinder::source(const PtxOperand& operand, PtxType type) const {
    PtxSource made;
    made.is_negated = operand.is_negated && operand.kind == PtxOperandKind::kRegister;
    if (operand.kind == PtxOperandKind::kRegister) {
        made.is_constant = false;
        made.slot = operand.slot;
        return made;
    }
    if (operand.kind == PtxOperandKind::kImmediate) {
        made.value = as_type(operand, type);
        return made;
    }
    if (operand.kind == PtxOperandKind::kSpecial && operand.name == "%pt") {
        made.value = 1;
        return made;
    }
    return failed("has an operand in " + instruction_.text +
                  " that is neither a register nor a number" +
                  (operand.name.empty() ? std::string() : ": " + operand.name));
}

Result<std::uint32_t> PtxBinder::target(std::size_t operand) const {
    if (operand >= operands()) return failed("has too few operands in " + instruction_.text);
    return target(instruction_.operands[operand]);
}

Result<std::uint32_t> PtxBinder::target(const PtxOperand& operand) const {
    if (operand.kind == PtxOperandKind::kSink) return std::uint32_t{PtxStep::kNowhere};
    if (operand.kind != PtxOperandKind::kRegister)
        return failed("has a result in " + instruction_.text + " that is no register");
    return operand.slot;
}

Result<std::uint64_t> PtxBinder::constant(std::size_t operand) const {
    const PtxSource found = TRY(source(operand));
    if (!found.is_constant) return refuse("its operand must be a number");
    return found.value;
}

Result<std::vector<std::uint32_t>> PtxBinder::targets(std::size_t operand) const {
    if (operand >= operands()) return failed("has too few operands in " + instruction_.text);
    const PtxOperand& given = instruction_.operands[operand];
    std::vector<std::uint32_t> made;
    if (given.kind != PtxOperandKind::kVector) {
        made.push_back(TRY(target(given)));
        return made;
    }
    for (const PtxOperand& part : given.parts) made.push_back(TRY(target(part)));
    return made;
}

Result<std::vector<PtxSource>> PtxBinder::sources(std::size_t operand, PtxType type) const {
    if (operand >= operands()) return failed("has too few operands in " + instruction_.text);
    const PtxOperand& given = instruction_.operands[operand];
    std::vector<PtxSource> made;
    if (given.kind != PtxOperandKind::kVector) {
        made.push_back(TRY(source(given, type)));
        return made;
    }
    for (const PtxOperand& part : given.parts) made.push_back(TRY(source(part, type)));
    return made;
}

Result<std::uint32_t> PtxBinder::label(std::size_t operand) const {
    if (operand >= operands() || instruction_.operands[operand].kind != PtxOperandKind::kLabel)
        return failed("has no label in " + instruction_.text);
    return text_.labels.at(instruction_.operands[operand].name);
}

Error PtxBinder::refuse(const std::string& advice) const {
    return failed("reaches " + instruction_.text +
                  " in inline PTX, which Tilereel does not run: " + advice);
}

Status PtxBinder::expect_operands(std::size_t least, std::size_t most) const {
    if (operands() >= least && operands() <= most) return Done{};
    return failed("has " + std::to_string(operands()) + " operands in " + instruction_.text +
                  ", which takes " + std::to_string(least) +
                  (most == least ? "" : " to " + std::to_string(most)));
}

const PtxProgram& program_of(InlinePtx& statement) {
    if (void* const known = __atomic_load_n(&statement.read, __ATOMIC_ACQUIRE))
        return *static_cast<const PtxProgram*>(known);
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (statement.read == nullptr) {
        auto* const made = new PtxProgram;  // lives as long as the process
        if (const Status status = read_into(*made, statement); !status)
            made->refusal = status.error().message;
        __atomic_store_n(&statement.read, made, __ATOMIC_RELEASE);
    }
    return *static_cast<const PtxProgram*>(statement.read);
}

namespace {

void run_steps(const PtxProgram& program, PtxFrame& frame) {
    while (frame.next < program.steps.size()) {
        const PtxStep& step = program.steps[frame.next++];
        if (step.guard >= 0 && ((frame.slots[step.guard] & 1) != 0) == step.guard_is_negated)
            continue;
        step.run(frame, step);
    }
}

}  // namespace

extern "C" void tilereel_run_ptx(InlinePtx* statement, std::uint64_t* slots, void* const* places) {
    const PtxProgram& program = program_of(*statement);
    if (!program.refusal.empty()) refuse(program.refusal.c_str());
    PtxFrame frame;
    const RunningBlock* const block = RunningBlock::current();
    frame.call = block == nullptr ? nullptr : block->call_site();
    frame.places = places;
    const std::size_t operands =
        statement->constraints == nullptr ? 0 : std::strlen(statement->constraints);
    frame.operands = places == nullptr ? 0 : operands;
    if (program.slots == operands) {
        frame.slots = slots;
        run_steps(program, frame);
        return;
    }
    // The statement has registers of its own.
    auto* const own =
        static_cast<std::uint64_t*>(__builtin_alloca(program.slots * sizeof(std::uint64_t)));
    std::fill(std::copy_n(slots, operands, own), own + program.slots, 0);
    frame.slots = own;
    run_steps(program, frame);
    std::copy_n(own, operands, slots);
}

}  // namespace tilereel::runtime
