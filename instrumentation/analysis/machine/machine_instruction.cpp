#include "instrumentation/analysis/machine/machine_instruction.h"

#include <algorithm>
#include <array>

namespace tilereel {
namespace {

constexpr std::uint32_t bits(std::uint64_t word, unsigned from, unsigned count) {
    return static_cast<std::uint32_t>(word >> from & ((std::uint64_t{1} << count) - 1));
}

struct KnownOperation {
    std::uint16_t code;  // bits 0 .. 8
    MachineKind kind;
};
// Null: not in the table.
const MachineKind* kind_of_operation(std::uint16_t code) {
    using enum MachineKind;
    // Names are those of NVIDIA's "Instruction Set Reference" for Hopper. Which number has which
    // name is not documented: see machine_instruction.h.
    static constexpr KnownOperation kKnown[] = {
        {0x020, kFma},             // FMUL
        {0x021, kFma},             // FADD
        {0x023, kFma},             // FFMA
        {0x030, kFma},             // HADD2
        {0x031, kFma},             // HFMA2
        {0x032, kFma},             // HMUL2
        {0x035, kFma},             // HFMA2.MMA
        {0x024, kIntegerProduct},  // IMAD
        {0x025, kIntegerProduct},  // IMAD.WIDE
        {0x026, kIntegerProduct},  // IDP
        {0x027, kIntegerProduct},  // IMAD.HI
        {0x002, kAlu},             // MOV
        {0x003, kAlu},             // P2R
        {0x004, kAlu},             // R2P
        {0x005, kIssueOnly},       // CS2R
        {0x006, kAlu},             // VOTE
        {0x007, kAlu},             // SEL
        {0x008, kAlu},             // FSEL
        {0x009, kAlu},             // FMNMX
        {0x00a, kAlu},             // FSET
        {0x00b, kAlu},             // FSETP
        {0x00c, kAlu},             // ISETP
        {0x010, kAlu},             // IADD3
        {0x011, kAlu},             // LEA
        {0x012, kAlu},             // LOP3
        {0x013, kAlu},             // IABS
        {0x016, kAlu},             // PRMT
        {0x017, kAlu},             // IMNMX
        {0x019, kAlu},             // SHF
        {0x01a, kAlu},             // BMSK
        {0x01b, kAlu},             // SGXT
        {0x01c, kAlu},             // PLOP3
        {0x036, kAlu},             // VIADD
        {0x03e, kAlu},             // F2FP
        {0x045, kAlu},             // I2FP
        {0x046, kAlu},             // VIADDMNMX
        {0x048, kAlu},             // VIMNMX
        {0x028, kFp64},            // DMUL
        {0x029, kFp64},            // DADD
        {0x02a, kFp64},            // DSETP
        {0x02b, kFp64},            // DFMA
        {0x037, kTensor},          // IMMA
        {0x03c, kTensor},          // HMMA
        {0x03f, kTensor},          // DMMA
        {0x03b, kMatrixLoad},      // LDSM
        {0x100, kXu},              // FLO
        {0x101, kXu},              // BREV
        {0x104, kXu},              // F2F
        {0x105, kXu},              // F2I
        {0x106, kXu},              // I2F
        {0x107, kXu},              // FRND
        {0x108, kXu},              // MUFU
        {0x109, kXu},              // POPC
        {0x110, kXu},              // F2F.F64
        {0x111, kXu},              // F2I.F64
        {0x112, kXu},              // I2F.F64
        {0x113, kXu},              // FRND.F64
        {0x082, kIssueOnly},       // UMOV
        {0x086, kIssueOnly},       // VOTEU
        {0x087, kIssueOnly},       // USEL
        {0x08c, kIssueOnly},       // UISETP
        {0x090, kIssueOnly},       // UIADD3
        {0x091, kIssueOnly},       // ULEA
        {0x092, kIssueOnly},       // ULOP3
        {0x096, kIssueOnly},       // UPRMT
        {0x099, kIssueOnly},       // USHF
        {0x09c, kIssueOnly},       // UPLOP3
        {0x0a4, kIssueOnly},       // UIMAD
        {0x0a5, kIssueOnly},       // UIMAD.WIDE
        {0x0bd, kIssueOnly},       // UFLO
        {0x0bf, kIssueOnly},       // UPOPC
        {0x0ca, kIssueOnly},       // R2UR
        {0x0b9, kIssueOnly},       // ULDC
        {0x118, kIssueOnly},       // NOP
        {0x119, kSpecial},         // S2R
        {0x1c3, kSpecial},         // S2UR
        {0x1c4, kSpecial},         // REDUX
        {0x11a, kWaitCopies},      // DEPBAR
        {0x11d, kBarrier},         // BAR
        {0x141, kIssueOnly},       // BSYNC
        {0x142, kIssueOnly},       // BREAK
        {0x143, kCall},            // CALL.ABS
        {0x144, kCall},            // CALL.REL
        {0x145, kIssueOnly},       // BSSY
        {0x146, kIssueOnly},       // YIELD
        {0x147, kBranch},          // BRA
        {0x148, kIssueOnly},       // WARPSYNC
        {0x14d, kExit},            // EXIT
        {0x150, kReturn},          // RET
        {0x192, kIssueOnly},       // MEMBAR
        {0x180, kGlobalLoad},      // LD
        {0x181, kGlobalLoad},      // LDG
        {0x182, kConstant},        // LDC
        {0x183, kLocal},           // LDL
        {0x184, kSharedLoad},      // LDS
        {0x185, kGlobalStore},     // ST
        {0x186, kGlobalStore},     // STG
        {0x187, kLocal},           // STL
        {0x188, kSharedStore},     // STS
        {0x189, kExchange},        // SHFL
        {0x1a1, kExchange},        // MATCH
        {0x18c, kSharedAtomic},    // ATOMS
        {0x18d, kSharedAtomic},    // ATOMS.CAS
        {0x18e, kGlobalAtomic},    // RED
        {0x18a, kGlobalAtomic},    // ATOM
        {0x1a6, kGlobalAtomic},    // REDG
        {0x1a8, kGlobalAtomic},    // ATOMG
        {0x1a9, kGlobalAtomic},    // ATOMG.CAS
        {0x1ae, kCopy},            // LDGSTS
        {0x1af, kCommitCopies},    // LDGDEPBAR
    };
    const auto* const known = std::ranges::find(kKnown, code, &KnownOperation::code);
    return known == std::end(kKnown) ? nullptr : &known->kind;
}

// Bytes of a lane, by bits 73 .. 75: .U8, .S8, .U16, .S16, none, .64, .128.
constexpr std::array<std::uint8_t, 8> kWidths = {1, 1, 2, 2, 4, 8, 16, 16};

// Of BRA: a signed distance in 4-byte words from the next instruction, of which bits 16 .. 23 are
// the lowest.
std::optional<std::uint32_t> target_of(std::uint64_t low, std::uint64_t high,
                                       std::uint32_t number) {
    constexpr unsigned kLowest = 8, kFrom = 34, kSign = 55;
    const std::uint64_t upper = (low >> kFrom | high << (64 - kFrom)) & ((1ULL << 48) - 1);
    std::uint64_t distance = upper << kLowest | bits(low, 16, kLowest);
    if ((distance >> kSign & 1) != 0) distance |= ~std::uint64_t{0} << kSign;
    const std::int64_t to = std::int64_t{number} + 1 + static_cast<std::int64_t>(distance) / 4;
    if (to < 0 || to > 0xffffffff) return std::nullopt;
    return static_cast<std::uint32_t>(to);
}

}  // namespace

MachineInstruction decoded(std::uint64_t low, std::uint64_t high, std::uint32_t number) {
    MachineInstruction found{.kind = MachineKind::kAlu, .is_known = false};
    const auto code = static_cast<std::uint16_t>(bits(low, 0, 9));
    if (const MachineKind* const kind = kind_of_operation(code)) {
        found.kind = *kind;
        found.is_known = true;
    }
    found.is_conditional = bits(low, 12, 4) != 7;
    found.stall = static_cast<std::uint8_t>(bits(high, 105 - 64, 4));
    found.writes = static_cast<std::uint8_t>(bits(high, 110 - 64, 3));
    found.reads = static_cast<std::uint8_t>(bits(high, 113 - 64, 3));
    found.waits = static_cast<std::uint8_t>(bits(high, 116 - 64, 6));
    if (accesses_memory(found.kind) || found.kind == MachineKind::kLocal ||
        found.kind == MachineKind::kCopy)
        found.width_bytes = kWidths[bits(high, 73 - 64, 3)];
    if (found.kind == MachineKind::kBranch) {
        // Its condition may also stand in bits 87 .. 90, as those of a uniform predicate.
        found.is_conditional |= bits(high, 87 - 64, 4) != 7;
        found.target = target_of(low, high, number);
    }
    return found;
}

std::size_t MachineKernel::unknown() const {
    return static_cast<std::size_t>(
        std::ranges::count(instructions, false, &MachineInstruction::is_known));
}

}  // namespace tilereel
