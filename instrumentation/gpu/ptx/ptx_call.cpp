#include "instrumentation/gpu/ptx/ptx_call.h"

#include <string_view>

#include "instrumentation/base/check.h"
#include "instrumentation/gpu/dump.h"

static_assert(tilereel_gpu::kSharedSpace == static_cast<unsigned>(tilereel::Space::kShared) &&
              tilereel_gpu::kGenericSpace == static_cast<unsigned>(tilereel::Space::kGeneric));

namespace tilereel::gpu {
namespace {

// The number of bits of a register; `otherwise` for a literal or the name of a variable.
unsigned bits_of(const PtxRegisters& registers, const std::string& name, unsigned otherwise) {
    const unsigned bits = registers.bits_of(name);
    return bits == 0 ? otherwise : bits;
}

}  // namespace

std::string in_braces(const std::string& text) { return "{\n" + text + "}\n"; }

Space space_of(const PtxInstruction& instruction) {
    for (const std::string_view part : instruction.parts) {
        if (part == "global") return Space::kGlobal;
        if (part == "shared" || part == "shared::cta") return Space::kShared;
        if (part == "const") return Space::kConstant;
        if (part == "local" || part.starts_with("param")) return Space::kLocal;
        if (part.starts_with("shared::")) return Space::kSharedCluster;
    }
    return Space::kGeneric;
}

std::string address_text(const PtxAddress& address, Space space, const PtxRegisters& registers,
                         const std::string& name) {
    std::string text = ".reg .b64 " + name + ";\n";
    const bool is_shared = space == Space::kShared || space == Space::kSharedCluster;
    const bool is_symbol = !address.base.empty() && registers.bits_of(address.base) == 0;
    const unsigned bits = is_symbol ? (is_shared ? 32 : 64) : bits_of(registers, address.base, 64);
    const std::string base = address.base.empty() ? "0" : address.base;
    if (bits == 32) {
        text += ".reg .b32 " + name + "_32;\n";
        text += "mov.u32 " + name + "_32, " + base + ";\n";
        text += "add.s32 " + name + "_32, " + name + "_32, " + address.offset + ";\n";
        text += "cvt.u64.u32 " + name + ", " + name + "_32;\n";
    } else {
        text += "mov.u64 " + name + ", " + base + ";\n";
        text += "add.s64 " + name + ", " + name + ", " + address.offset + ";\n";
    }
    if (space == Space::kGlobal) text += "cvta.global.u64 " + name + ", " + name + ";\n";
    if (space == Space::kConstant) text += "cvta.const.u64 " + name + ", " + name + ";\n";
    if (space == Space::kSharedCluster)
        text += "cvta.shared::cluster.u64 " + name + ", " + name + ";\n";
    return text;
}

std::string widened(const std::string& name, const std::string& value, unsigned bits) {
    std::string text = ".reg .b64 " + name + ";\n";
    if (bits == 64) return text + "mov.b64 " + name + ", " + value + ";\n";
    text += ".reg .b32 " + name + "_32;\n.reg .b32 " + name + "_0;\nmov.b32 " + name + "_0, 0;\n";
    if (bits == 16)
        text += ".reg .b16 " + name + "_16;\nmov.b16 " + name + "_16, " + value +
                ";\ncvt.u32.u16 " + name + "_32, " + name + "_16;\n";
    else
        text += "mov.b32 " + name + "_32, " + value + ";\n";
    return text + "mov.b64 " + name + ", {" + name + "_32, " + name + "_0};\n";
}

std::string site_number(std::uint32_t site, Space space) {
    // address_text() makes an address in the shared memory of the cluster a generic one.
    const auto bits =
        static_cast<std::uint32_t>(space == Space::kSharedCluster ? Space::kGeneric : space);
    dcheck(bits < 1u << tilereel_gpu::kSpaceBits);
    return std::to_string(site << tilereel_gpu::kSpaceBits | bits);
}

}  // namespace tilereel::gpu
