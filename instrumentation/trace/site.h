#pragma once
// What an operation of a warp is, and where in the source it stands.
#include <cstdint>
#include <string_view>

namespace tilereel {

using SiteId = std::uint16_t;
using ArrayId = std::uint16_t;
using LocalId = std::uint16_t;
inline constexpr ArrayId kNoArray = 0xffff;
inline constexpr LocalId kNoLocal = 0xffff;

enum class Operation : std::uint8_t {
    kLoad = 0,
    kStore = 1,
    kMultiplyAdd = 2,  // sum += a * b into an Accumulator
    kBarrier = 3,      // __syncthreads(); Site::variety: BarrierKind
    kWarpBarrier = 4,  // __syncwarp()
    // An asynchronous copy from global to shared memory is two records, one behind the other, of
    // the same line and lanes: what it reads, and what it writes. The value is not there before the
    // lane has waited for its group (copy_groups.h).
    kCopyLoad = 5,
    kCopyStore = 6,
    kCommitCopies = 7,  // what was begun since the last one is a group
    kWaitCopies = 8,    // all groups have arrived but the latest few
    // Barriers in shared memory, phase after phase (PTX ISA, mbarrier).
    kArrive = 9,
    // Asks the copy engine for a box of a matrix, which counts towards a phase. What it copies
    // comes right behind, on the same line: kCopyLoad and kCopyStore as above, but the engine's,
    // which has no lanes: each of up to 32 pieces takes a lane's place. A kCopyStore behind another
    // brings zeros for what lies outside the matrix: nothing is loaded for them.
    kStartBox = 10,
    kWaitPhase = 11,    // until the phase is over; its boxes are there then
    kMakeBarrier = 12,  // before anybody may do any of these; its phases begin
    kAtomic = 13,       // reads, changes and writes one place; Site::variety: AtomicKind
    // Lanes of a warp exchange values; no memory is touched. Site::variety: ExchangeKind.
    kExchange = 14,
    // A named local gets a value: Site::local; Records::base is the element of a local array, else
    // 0.
    kAssign = 15,
};
inline constexpr Operation kLastOperation = Operation::kAssign;

// A barrier of the whole grid (cooperative groups' grid.sync()) is one of each of its blocks, too.
enum class BarrierKind : std::uint8_t { kBlock = 0, kGrid = 1 };

// What an atomic does with the place (CUDA C++ Programming Guide, "Atomic Functions").
enum class AtomicKind : std::uint8_t {
    kAdd = 0,
    kSubtract = 1,
    kMinimum = 2,
    kMaximum = 3,
    kIncrement = 4,
    kDecrement = 5,
    kAnd = 6,
    kOr = 7,
    kXor = 8,
    kExchange = 9,
    kCompareAndSwap = 10,
};
inline constexpr AtomicKind kLastAtomicKind = AtomicKind::kCompareAndSwap;
// The word that CUDA's function has for it: "atomicAdd".
[[nodiscard]] std::string_view function_name(AtomicKind kind);

// CUDA C++ Programming Guide, "Warp Shuffle Functions", "Warp Vote Functions", "Warp Match
// Functions", "Warp Reduce Functions".
enum class ExchangeKind : std::uint8_t {
    kShuffle = 0,
    kShuffleUp = 1,
    kShuffleDown = 2,
    kShuffleXor = 3,
    kVoteAll = 4,
    kVoteAny = 5,
    kBallot = 6,
    kMatchAny = 7,
    kMatchAll = 8,
    kReduce = 9,
    kActiveMask = 10,
};
inline constexpr ExchangeKind kLastExchangeKind = ExchangeKind::kActiveMask;
[[nodiscard]] std::string_view function_name(ExchangeKind kind);  // "__shfl_down_sync"
// Whether each lane takes the value of one other lane. The record's offsets are then those lanes.
[[nodiscard]] constexpr bool takes_from_a_lane(ExchangeKind kind) {
    return kind <= ExchangeKind::kShuffleXor;
}
[[nodiscard]] constexpr bool is_of_phase(Operation operation) {
    return operation >= Operation::kArrive && operation <= Operation::kMakeBarrier;
}
// What the four are about, as Records::base.
struct ArrivalPhase {
    std::uint32_t barrier = 0;  // of its block, 0, 1, ... as declared
    std::uint32_t phase = 0;    // 0, 1, ... of the barrier
    static constexpr std::uint32_t kMostBarriers = 256;
    static constexpr std::uint32_t kMostPhases = 1u << 24;
    [[nodiscard]] constexpr std::uint32_t base() const { return barrier << 24 | phase; }
    [[nodiscard]] static constexpr ArrivalPhase of(std::uint32_t base) {
        return {base >> 24, base & (kMostPhases - 1)};
    }
    bool operator==(const ArrivalPhase&) const = default;
};
// From or to an array, in each of a warp's lanes. An atomic does both.
[[nodiscard]] constexpr bool reads(Operation operation) {
    return operation == Operation::kLoad || operation == Operation::kCopyLoad ||
           operation == Operation::kAtomic;
}
[[nodiscard]] constexpr bool writes(Operation operation) {
    return operation == Operation::kStore || operation == Operation::kCopyStore ||
           operation == Operation::kAtomic;
}
[[nodiscard]] constexpr bool is_access(Operation operation) {
    return reads(operation) || writes(operation);
}
// Groups that a wait can leave under way.
inline constexpr std::uint32_t kMostGroups = 255;
[[nodiscard]] constexpr bool is_copy(Operation operation) {
    return operation == Operation::kCopyLoad || operation == Operation::kCopyStore;
}

// A place in the source x array x operation.
struct Site {
    std::uint32_t line = 0;  // 1-based line of its source file
    ArrayId array = kNoArray;
    Operation operation = Operation::kLoad;
    std::uint8_t width_bytes = 4;  // of one lane's access or value: 1, 2, 4, 8 or 16
    std::uint8_t variety = 0;      // AtomicKind, ExchangeKind or BarrierKind; else 0
    std::uint16_t column = 0;      // 1-based; 0: unknown
    std::uint16_t file = 0;        // 0: Trace::source; i: Trace::more_sources[i - 1]
    LocalId local = kNoLocal;      // assignment, multiply-add: the local that gets the value
    [[nodiscard]] AtomicKind atomic() const { return static_cast<AtomicKind>(variety); }
    [[nodiscard]] ExchangeKind exchange() const { return static_cast<ExchangeKind>(variety); }
    // 32-bit words of one lane's value in Trace::words.
    [[nodiscard]] constexpr std::uint32_t words() const {
        return width_bytes <= 4 ? 1u : width_bytes / 4u;
    }
    bool operator==(const Site&) const = default;
};

}  // namespace tilereel
