#pragma once
// One instruction of a GPU's machine code (SASS) of compute capability 7.0 to 9.0, as far as time
// needs it: which pipe runs it, what it accesses, and what it waits for.
//
// NVIDIA documents the names ("CUDA Binary Utilities", Instruction Set Reference), but not the
// encoding. What follows was found in what nvcc compiles; no disassembler has confirmed it. The
// tests in tests/gpu/cubin_test.cpp hold it for kernels whose instructions are known. An
// instruction has 128 bits:
//
//   bits    0 ..   8  operation; 9 .. 11: where its operands come from
//          12 ..  15  predicate; 7: none; the highest bit negates it
//          73 ..  75  of an access: its width
//         105 .. 108  clocks until the next instruction of the warp may issue
//         110 .. 112  the scoreboard that is set until the result is there; 7: none
//         113 .. 115  the scoreboard that is set until the operands are read; 7: none
//         116 .. 121  scoreboards that must be clear before it issues
//
// An operation that is not in the table counts as one of the ALU, and is_known is false.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilereel {

enum class MachineKind : std::uint8_t {
    kFma,             // FP32 sums and products, also those of pairs of FP16
    kIntegerProduct,  // IMAD: on the FMA pipe
    kAlu,
    kXu,
    kFp64,
    kTensor,
    kIssueOnly,  // branches, uniform instructions, NOP
    kSharedLoad,
    kSharedStore,
    kSharedAtomic,
    kGlobalLoad,
    kGlobalStore,
    kGlobalAtomic,
    kLocal,     // loads and stores of a thread's own memory
    kConstant,  // loads of constant memory into registers
    kExchange,  // shuffles and matches
    kMatrixLoad,
    kCopy,  // LDGSTS
    kCommitCopies,
    kWaitCopies,
    kBarrier,
    kSpecial,  // S2R: takes long, keeps no pipe busy
    kBranch,
    kCall,
    kReturn,
    kExit,
};
[[nodiscard]] constexpr bool accesses_memory(MachineKind kind) {
    return kind >= MachineKind::kSharedLoad && kind <= MachineKind::kGlobalAtomic;
}

inline constexpr std::uint8_t kNoScoreboard = 7;
inline constexpr std::size_t kScoreboards = 6;

struct MachineInstruction {
    MachineKind kind = MachineKind::kIssueOnly;
    bool is_known = true;
    bool is_conditional = false;   // it has a predicate
    std::uint8_t width_bytes = 0;  // of a lane's access
    std::uint8_t stall = 1;        // clocks
    std::uint8_t writes = kNoScoreboard, reads = kNoScoreboard;
    std::uint8_t waits = 0;                 // a bit for each scoreboard
    std::optional<std::uint32_t> target{};  // of a branch: number of an instruction
    std::uint16_t file = 0;                 // MachineKernel::files
    std::uint32_t line = 0;                 // 0: unknown
};

struct MachineKernel {
    std::string symbol;  // mangled
    int registers = 0;   // of a thread
    std::vector<std::string> files;
    std::vector<MachineInstruction> instructions;
    [[nodiscard]] std::size_t unknown() const;  // instructions
};

// `number`: of the instruction within its function; branches are relative to it.
[[nodiscard]] MachineInstruction decoded(std::uint64_t low, std::uint64_t high,
                                         std::uint32_t number);

}  // namespace tilereel
