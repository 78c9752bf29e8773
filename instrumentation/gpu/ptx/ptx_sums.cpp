#include "instrumentation/gpu/ptx/ptx_sums.h"

#include "instrumentation/gpu/dump.h"

namespace tilereel::gpu {
namespace {

constexpr std::size_t kFarthestStore = 12;  // most statements between a sum and its store

// The code that passes a sum to the recorder. `sum` is its number, or a register that identifies
// it.
std::string hook_text(const std::string& prepared, const std::string& sum, const std::string& value,
                      bool is_double, std::uint32_t site, const std::string& caller) {
    std::string text = "{\n" + prepared + ".reg .b32 %tilereel_w0;\n.reg .b32 %tilereel_w1;\n";
    if (is_double)
        text += "mov.b64 {%tilereel_w0, %tilereel_w1}, " + value + ";\n";
    else
        text += "mov.b32 %tilereel_w0, " + value + ";\nmov.b32 %tilereel_w1, 0;\n";
    const std::string values[] = {std::to_string(site << tilereel_gpu::kSpaceBits),
                                  caller,
                                  sum,
                                  is_double ? "2" : "1",
                                  "%tilereel_w0",
                                  "%tilereel_w1"};
    std::string names;
    for (std::size_t i = 0; i < std::size(values); ++i) {
        const std::string name = "tilereel_p" + std::to_string(i);
        text += ".param .b32 " + name + ";\nst.param.b32 [" + name + "], " + values[i] + ";\n";
        names += (names.empty() ? "" : ", ") + name;
    }
    return text + "call tilereel_gpu_sum, (" + names + ");\n}\n";
}

// The store of a sum to a local array: the index of its statement, and its address.
struct Stored {
    std::size_t at = 0;
    PtxAddress address;
};
std::optional<Stored> find_store(std::span<const PtxStatement> statements, std::size_t at,
                                 const std::string& value) {
    const std::size_t end = std::min(statements.size(), at + kFarthestStore);
    for (std::size_t i = at + 1; i < end; ++i) {
        if (statements[i].kind == PtxKind::kLocation) continue;
        if (statements[i].kind != PtxKind::kInstruction) return std::nullopt;
        const PtxInstruction next = ptx_instruction(statements[i]);
        if (next.parts.empty() || next.parts[0] == "bra" || next.parts[0] == "call")
            return std::nullopt;
        const bool stores = next.parts[0] == "st" && next.has("local") && next.guard.empty() &&
                            next.operands.size() == 2 && next.operand(1) == value;
        if (!stores) continue;
        const std::optional<PtxAddress> address = ptx_address(next.operands[0]);
        if (!address || address->base.empty()) return std::nullopt;
        return Stored{i, *address};
    }
    return std::nullopt;
}

}  // namespace

// The operand to which the instruction adds a product; empty if it does not add a product.
std::string PtxSums::addend_of(const PtxInstruction& instruction) const {
    const std::string_view name = instruction.parts[0];
    if (name == "fma" && instruction.operands.size() == 4) return instruction.operand(3);
    if ((name != "add" && name != "sub") || instruction.operands.size() != 3) return {};
    if (products_.contains(instruction.operand(2))) return instruction.operand(1);
    if (products_.contains(instruction.operand(1))) return instruction.operand(2);
    return {};
}

// The number of a sum. An instruction continues the sum that is in the register it adds to.
std::uint32_t PtxSums::number_of(const std::string& sum, const std::string& addend) {
    const auto fresh = static_cast<std::uint32_t>(numbers_.size());
    const std::uint32_t number = numbers_.try_emplace(addend, fresh).first->second;
    return numbers_[sum] = number;
}

std::optional<PtxSum> PtxSums::pass(std::span<const PtxStatement> statements, std::size_t at,
                                    const PtxRegisters& registers, std::uint32_t first,
                                    const std::string& caller) {
    const PtxInstruction instruction = ptx_instruction(statements[at]);
    if (instruction.parts.empty() || instruction.operands.empty()) return std::nullopt;
    const std::string_view type = instruction.parts.back(), name = instruction.parts[0];
    if (type != "f32" && type != "f64") return std::nullopt;
    const std::string value = instruction.operand(0);
    const std::string addend = addend_of(instruction);
    products_.erase(value);
    if (name == "mul") products_.insert(value);
    if (addend.empty() || !instruction.guard.empty()) return std::nullopt;
    const bool is_double = type == "f64";
    const std::optional<Stored> stored = find_store(statements, at, value);
    if (!stored) {
        const std::uint32_t number = tilereel_gpu::kSumInRegister | number_of(value, addend);
        return PtxSum{at, hook_text("", std::to_string(number), value, is_double, first, caller),
                      number};
    }
    const PtxAddress& address = stored->address;
    if (registers.bits_of(address.base) != 64) return std::nullopt;
    return PtxSum{
        stored->at,
        hook_text(".reg .b64 %tilereel_a;\n.reg .b32 %tilereel_s;\nadd.s64 %tilereel_a, " +
                      address.base + ", " + address.offset +
                      ";\ncvt.u32.u64 %tilereel_s, %tilereel_a;\n",
                  "%tilereel_s", value, is_double, first, caller),
        0};
}

}  // namespace tilereel::gpu
