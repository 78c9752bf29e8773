#pragma once
// Sites: the places of operations in the source.
#include <cstdint>
#include <string_view>

#include "instrumentation/trace/arithmetic.h"
#include "instrumentation/trace/operations.h"

namespace tilereel {

using SiteId = std::uint16_t;
using ArrayId = std::uint16_t;
using LocalId = std::uint16_t;
inline constexpr ArrayId kNoArray = 0xffff;
inline constexpr LocalId kNoLocal = 0xffff;

// A barrier of the whole grid (grid.sync() of cooperative groups) or of a cluster of blocks
// (barrier.cluster) is also a barrier of each block.
enum class BarrierKind : std::uint8_t { kBlock = 0, kGrid = 1, kCluster = 2 };
inline constexpr BarrierKind kLastBarrierKind = BarrierKind::kCluster;

// Of arrivals: whose barrier it is. Of bulk copies and of their loads: which block of the cluster
// started them.
enum class BlockOfCluster : std::uint8_t { kOwn = 0, kOther = 1 };
inline constexpr BlockOfCluster kLastBlockOfCluster = BlockOfCluster::kOther;

// Of loads and stores. kVolatile: `volatile`, or a function such as __ldcg() that goes past the L1
// cache. Programs make their flags between blocks with such accesses. kBulk: not by the lanes, but
// by a copy in bulk to global memory, which one thread starts. kRestOfWord: a load that a store of
// a bit-field makes of the word around it, whose other bits it keeps. kFactorA, kFactorB: not by
// the lanes, but by a warpgroup's product, which reads its matrix from shared memory. No recording
// has them: a replay models them (app/replay/schedule/replayed_trace.h).
enum class AccessKind : std::uint8_t {
    kPlain = 0,
    kVolatile = 1,
    kBulk = 2,
    kRestOfWord = 3,
    kFactorA = 4,
    kFactorB = 5
};

// Of matrix loads and stores: .trans.
enum class MatrixAccessKind : std::uint8_t { kPlain = 0, kTransposed = 1 };

// kProducts: wgmma.fence. kAsyncProxy: fence.proxy.async, between accesses of threads and those of
// the TMA or of wgmma.
enum class FenceKind : std::uint8_t { kProducts = 0, kAsyncProxy = 1 };
inline constexpr FenceKind kLastFenceKind = FenceKind::kAsyncProxy;

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
// The largest number of groups that a wait can leave pending.
inline constexpr std::uint32_t kMostGroups = 255;

// A place in the source, an array and an operation.
struct Site {
    std::uint32_t line = 0;  // 1-based line of its source file
    ArrayId array = kNoArray;
    Operation operation = Operation::kLoad;
    // Of one lane's access or value: 1, 2, 4, 8 or 16; of a matrix product a multiple of 4.
    std::uint8_t width_bytes = 4;
    std::uint8_t variety = 0;  // AtomicKind, ExchangeKind, BarrierKind, or of a load or store:
                               // AccessKind; of a matrix load or store: MatrixAccessKind; of what
                               // is_of_other_block() names: BlockOfCluster; else 0
    std::uint16_t column = 0;  // 1-based; 0: unknown
    std::uint16_t file = 0;    // 0: Trace::source; i: Trace::more_sources[i - 1]
    LocalId local = kNoLocal;  // assignment, multiply-add: the local that is assigned
    // What a warp computes for each record of the site: the instructions between the site before in
    // the source and this one. Multiply-adds that are records do not count here.
    InstructionCounts instructions{};
    std::uint16_t latency_clocks = 0;  // of the longest chain of them, multiply-adds included
    AddressKind address = AddressKind::kLinear;
    [[nodiscard]] AtomicKind atomic() const { return static_cast<AtomicKind>(variety); }
    [[nodiscard]] ExchangeKind exchange() const { return static_cast<ExchangeKind>(variety); }
    [[nodiscard]] bool is_volatile() const {
        return (operation == Operation::kLoad || operation == Operation::kStore) &&
               variety == static_cast<std::uint8_t>(AccessKind::kVolatile);
    }
    [[nodiscard]] bool is_bulk() const {
        return (operation == Operation::kLoad || operation == Operation::kStore) &&
               variety == static_cast<std::uint8_t>(AccessKind::kBulk);
    }
    [[nodiscard]] bool is_rest_of_word() const {
        return operation == Operation::kLoad &&
               variety == static_cast<std::uint8_t>(AccessKind::kRestOfWord);
    }
    // Whether a warpgroup's product reads its matrix A or B: AccessKind::kFactorA or kFactorB.
    [[nodiscard]] bool is_of_product() const {
        return operation == Operation::kLoad &&
               variety >= static_cast<std::uint8_t>(AccessKind::kFactorA);
    }
    // Whether another block of the cluster has a part in it: see BlockOfCluster.
    [[nodiscard]] bool is_of_other_block() const {
        return (operation == Operation::kArrive || operation == Operation::kStartBulkCopy ||
                operation == Operation::kCopyLoad) &&
               variety == static_cast<std::uint8_t>(BlockOfCluster::kOther);
    }
    // 32-bit words of one lane's value in Trace::words.
    [[nodiscard]] constexpr std::uint32_t words() const {
        return width_bytes <= 4 ? 1u : width_bytes / 4u;
    }
    bool operator==(const Site&) const = default;
};

}  // namespace tilereel
