#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_kinds.h"

namespace tilereel::gpu {
namespace {

// The number that recorder.cu uses for the type of an atomic.
std::optional<unsigned> number_of_type(std::string_view name) {
    static constexpr std::array<std::string_view, 13> kTypes = {
        "u32",   "s32",  "u64",    "s64", "f32", "f64", "f16",
        "f16x2", "bf16", "bf16x2", "b32", "b64", "b16"};
    const auto found = std::ranges::find(kTypes, name);
    if (found == kTypes.end()) return std::nullopt;
    return static_cast<unsigned>(found - kTypes.begin());
}

unsigned bits_of_type(std::string_view name) {
    if (name.ends_with("x2")) return 32;
    unsigned bits = 32;
    const std::size_t digit = name.find_first_of("0123456789");
    std::from_chars(name.data() + digit, name.data() + name.size(), bits);
    return bits;
}

std::optional<AtomicKind> atomic_kind(const PtxInstruction& instruction) {
    static constexpr std::pair<std::string_view, AtomicKind> kKinds[] = {
        {"add", AtomicKind::kAdd},       {"min", AtomicKind::kMinimum},
        {"max", AtomicKind::kMaximum},   {"inc", AtomicKind::kIncrement},
        {"dec", AtomicKind::kDecrement}, {"and", AtomicKind::kAnd},
        {"or", AtomicKind::kOr},         {"xor", AtomicKind::kXor},
        {"exch", AtomicKind::kExchange}, {"cas", AtomicKind::kCompareAndSwap}};
    for (const auto& [name, kind] : kKinds)
        if (instruction.has(name)) return kind;
    return std::nullopt;
}

}  // namespace

// The recorder computes the new value from the old value and the operands. A reduction (red)
// returns no old value, so the corresponding atomic (atom) replaces it.
PtxWork atomic_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const bool reduces = instruction.parts[0] == "red";
    const std::string_view type = instruction.parts.back();
    const auto kind = atomic_kind(instruction);
    const auto number = number_of_type(type);
    const Space space = space_of(instruction);
    const std::size_t place = reduces ? 0 : 1;
    const bool is_vector = instruction.has("v2") || instruction.has("v4") || instruction.has("v8");
    if (!kind || !number || is_vector || space == Space::kLocal || instruction.has("async") ||
        instruction.operands.size() < place + 2)
        return left_out_work();
    const auto address = ptx_address(instruction.operands[place]);
    if (!address) return left_out_work();
    const unsigned bits = bits_of_type(type);
    const bool swaps = *kind == AtomicKind::kCompareAndSwap;
    std::string old = reduces ? "_" : instruction.operand(0);
    std::string text = address_text(*address, space, context.registers, "%tilereel_a");
    // Copies the operands first: one may be in the register that gets the old value.
    text += widened("%tilereel_b", instruction.operand(place + 1), bits);
    text += swaps ? widened("%tilereel_c", instruction.operand(place + 2), bits) : std::string();
    if (old == "_") {
        old = "%tilereel_old";
        text += ".reg .b" + std::to_string(bits) + " " + old + ";\n";
    }
    std::string opcode(instruction.opcode);
    if (reduces) opcode.replace(0, 3, "atom");
    text += instruction.guard + " " + opcode + " " + old;
    for (std::size_t i = place; i < instruction.operands.size(); ++i)
        text += ", " + instruction.operand(i);
    text += ";\n" + widened("%tilereel_d", old, bits);
    PtxCall call("tilereel_gpu_atomic", instruction.guard);
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, space));
    call.pass(32, context.caller);
    call.pass(32, std::to_string(static_cast<unsigned>(*kind) << 8 | *number));
    call.pass(64, "%tilereel_d");
    call.pass(64, "%tilereel_b");
    call.pass(64, swaps ? "%tilereel_c" : "0");
    PtxSite site;
    site.operation = Operation::kAtomic;
    site.width_bytes = static_cast<std::uint8_t>(bits / 8);
    site.value_words = bits == 64 ? 2 : 1;
    site.variety = static_cast<std::uint8_t>(*kind);
    return {.sites = {site},
            .hook = {.before = {}, .after = {}, .instead = in_braces(text + call.text())}};
}

}  // namespace tilereel::gpu
