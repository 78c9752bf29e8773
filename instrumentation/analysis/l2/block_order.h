#pragma once
// What blocks find in L2, by the order in which they run.
//
// A GPU starts as many blocks as fit, and another one where one has ended. What a block asks for is
// in L2 if another one, or it itself, asked for it not long before: L2 keeps what was used last, as
// much as it holds. In the order of a launch, a block finds a row of A, which its neighbours read
// at the same time; the column of B was read by the block above it, a whole row of blocks ago. In
// groups of some rows, both are near.
//
// Why two paces. Of the blocks of an SM either all get on alike, or the oldest one gets on most,
// because its warps are preferred where they compete: then one block of each SM after the other
// reads the same column of B, and L2 may have lost it in between.
//
//     blocks of an SM      together  : : : : :       in turn   : : : : : . . . .
//                                    : : : : :                       : : : : : . . .
//
// Nsight Compute's DRAM bytes of 25 launches of the ladder at N = 4096 lie at one end or the other
// for 23 of them (tests/hardware/l2_test.cpp), and nobody can say beforehand at which.
//
// Modelled: L2 as one list, of which the least recently used part goes. NVIDIA does not publish how
// L2 replaces sectors. Each of its two partitions keeps a copy of what all SMs read, so that such
// data take twice their bytes ("NVIDIA A100 Tensor Core GPU Architecture", "L2 Cache").
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "instrumentation/analysis/l2/block_footprint.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// `group_rows` = 1: the order of a launch, x first. More: the blocks of so many rows column by
// column, then those of the next rows.
struct BlockOrder {
    std::uint32_t group_rows = 1;
    // The block that runs as number `position`.
    [[nodiscard]] std::uint32_t block_at(const Dim3& grid, std::uint32_t position) const;
    friend bool operator==(const BlockOrder&, const BlockOrder&) = default;
};

struct L2Bytes {
    double asked = 0;    // by blocks, each once in a step
    double fetched = 0;  // of them from DRAM
    double written = 0;  // to DRAM
    [[nodiscard]] double hits() const { return asked > 0 ? 1 - fetched / asked : 0; }
};

// What a wave does to a part of an array: its rows and columns are divided into at most kHeatCells.
inline constexpr std::uint32_t kHeatCells = 16;
struct HeatCell {
    float asked = 0, fetched = 0;  // bytes
};

// As many blocks as run at once, in their order. The last wave may have fewer.
struct L2Wave {
    std::uint32_t first = 0, count = 0;         // positions
    std::vector<L2Bytes> arrays{};              // by ArrayId
    std::vector<std::vector<HeatCell>> heat{};  // by ArrayId; [row][column]; of those it reads
};

struct L2Run {
    std::vector<L2Wave> waves;    // that were run
    std::vector<L2Bytes> arrays;  // by ArrayId, of the launch
    L2Bytes all;
    std::uint32_t sampled = 1;  // one of so many parts of memory was followed
};

enum class BlockPace : std::uint8_t { kInTurn, kTogether };
struct L2Question {
    const LaunchFootprint* launch = nullptr;
    double l2_bytes = 0;
    std::uint32_t multiprocessors = 1;
    std::uint32_t of_each = 1;  // blocks that a multiprocessor runs at once
    BlockPace pace = BlockPace::kInTurn;
    BlockOrder order{};
    double most_followed = 8e6;  // accesses; of more, only those of a part of memory
    // Of more waves, only the first are run, and those in the middle of them stand for the rest.
    std::uint32_t most_waves = std::numeric_limits<std::uint32_t>::max();
    [[nodiscard]] std::uint32_t at_once() const { return multiprocessors * of_each; }
};
// Error (kCancelled): `cancel` was set.
Result<L2Run> run_through_l2(const L2Question& question, const std::atomic<bool>* cancel = nullptr);

// Rows and columns of HeatCells of an array.
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> heat_extents(const FootprintArray& array);

}  // namespace tilereel
