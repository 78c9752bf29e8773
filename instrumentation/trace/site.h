#pragma once
// The operations of a warp, and sites: their places in the source.
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
    // An asynchronous copy (cp.async) from global to shared memory is two consecutive records with
    // the same line and lanes: the read and the write. The value is not in shared memory before the
    // lane has waited for the copy's group (copy_groups.h).
    kCopyLoad = 5,
    kCopyStore = 6,
    kCommitCopies = 7,  // makes a group of the copies since the last commit
    kWaitCopies = 8,    // waits for all groups but the newest ones
    // Operations on an mbarrier in shared memory (PTX ISA, mbarrier).
    kArrive = 9,
    // Starts a bulk copy of the TMA, which counts towards a phase. The copy follows as kCopyLoad
    // and kCopyStore records of the same line. The TMA has no lanes: each of up to 32 pieces takes
    // the place of a lane. A kCopyStore without a kCopyLoad before it writes zeros for elements
    // outside the matrix.
    kStartBulkCopy = 10,
    kWaitPhase = 11,    // waits until a phase is complete; its bulk copies are then complete, too
    kInitBarrier = 12,  // mbarrier.init: must come before the other operations
    kAtomic = 13,       // a read-modify-write; Site::variety: AtomicKind
    // Lanes of a warp exchange values without memory. Site::variety: ExchangeKind.
    kExchange = 14,
    // An assignment to a named local, Site::local. Records::base: the element of a local array,
    // else 0.
    kAssign = 15,
};
inline constexpr Operation kLastOperation = Operation::kAssign;

// A barrier of the whole grid (grid.sync() of cooperative groups) is also a barrier of each block.
enum class BarrierKind : std::uint8_t { kBlock = 0, kGrid = 1 };

// Of loads and stores. kVolatile: `volatile`, or a function such as __ldcg() that goes past the L1
// cache. Programs make their flags between blocks with such accesses.
enum class AccessKind : std::uint8_t { kPlain = 0, kVolatile = 1 };

// CUDA C++ Programming Guide, "Atomic Functions".
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
// The name of CUDA's function: "atomicAdd".
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
// Whether each lane gets the value of one source lane. The record's offsets are then source lanes.
[[nodiscard]] constexpr bool takes_from_a_lane(ExchangeKind kind) {
    return kind <= ExchangeKind::kShuffleXor;
}
[[nodiscard]] constexpr bool is_mbarrier_operation(Operation operation) {
    return operation >= Operation::kArrive && operation <= Operation::kInitBarrier;
}
// The barrier and phase of an mbarrier operation, encoded in Records::base.
struct MBarrierPhase {
    std::uint32_t barrier = 0;  // number within the block, by address
    std::uint32_t phase = 0;    // number of the barrier's phase, from 0
    static constexpr std::uint32_t kMostBarriers = 256;
    static constexpr std::uint32_t kMostPhases = 1u << 24;
    [[nodiscard]] constexpr std::uint32_t base() const { return barrier << 24 | phase; }
    [[nodiscard]] static constexpr MBarrierPhase of(std::uint32_t base) {
        return {base >> 24, base & (kMostPhases - 1)};
    }
    bool operator==(const MBarrierPhase&) const = default;
};
// Whether the operation reads or writes an array. An atomic does both.
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
// The largest number of groups that a wait can leave pending.
inline constexpr std::uint32_t kMostGroups = 255;
[[nodiscard]] constexpr bool is_copy(Operation operation) {
    return operation == Operation::kCopyLoad || operation == Operation::kCopyStore;
}

// A place in the source, an array and an operation.
struct Site {
    std::uint32_t line = 0;  // 1-based line of its source file
    ArrayId array = kNoArray;
    Operation operation = Operation::kLoad;
    std::uint8_t width_bytes = 4;  // of one lane's access or value: 1, 2, 4, 8 or 16
    std::uint8_t variety = 0;      // AtomicKind, ExchangeKind, BarrierKind, or of a load or store:
                                   // AccessKind; else 0
    std::uint16_t column = 0;      // 1-based; 0: unknown
    std::uint16_t file = 0;        // 0: Trace::source; i: Trace::more_sources[i - 1]
    LocalId local = kNoLocal;      // assignment, multiply-add: the local that is assigned
    [[nodiscard]] AtomicKind atomic() const { return static_cast<AtomicKind>(variety); }
    [[nodiscard]] ExchangeKind exchange() const { return static_cast<ExchangeKind>(variety); }
    [[nodiscard]] bool is_volatile() const {
        return (operation == Operation::kLoad || operation == Operation::kStore) &&
               variety == static_cast<std::uint8_t>(AccessKind::kVolatile);
    }
    // 32-bit words of one lane's value in Trace::words.
    [[nodiscard]] constexpr std::uint32_t words() const {
        return width_bytes <= 4 ? 1u : width_bytes / 4u;
    }
    bool operator==(const Site&) const = default;
};

}  // namespace tilereel
