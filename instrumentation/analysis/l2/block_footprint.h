#pragma once
// Which bytes of global memory a block accesses, and when: as far as it has come, in equal steps.
//
//     block    0 ------------- its requests, warp by warp ------------- 1
//     steps    |  0  |  1  |  2  |                             |  63  |
//              rows of A, columns of B that it asks for in that step
//
// Why steps and not ticks: blocks that run at the same time find in L2 what others have just
// brought there, so it matters how far apart they are in their work, not how long it takes.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

inline constexpr std::uint32_t kFootprintSteps = 64;

// Bytes [begin, end) of an array of global memory.
struct TouchedRun {
    ArrayId array = 0;
    bool written = false;
    std::uint64_t begin = 0, end = 0;
    friend bool operator==(const TouchedRun&, const TouchedRun&) = default;
};

struct BlockFootprint {
    std::uint32_t block = 0;
    std::vector<TouchedRun> runs;      // of a step by array, then loads before stores, ascending
    std::vector<std::uint32_t> begin;  // of each step in `runs`; kFootprintSteps + 1
    [[nodiscard]] std::span<const TouchedRun> of_step(std::uint32_t step) const {
        return std::span(runs).subspan(begin[step], begin[step + 1] - begin[step]);
    }
};
// Runs of each step, in any order; those that overlap or follow each other are joined.
[[nodiscard]] BlockFootprint footprint_of_steps(std::uint32_t block,
                                                std::vector<std::vector<TouchedRun>> steps);
// A block whose records are all there. Without accesses to global memory all steps are empty.
[[nodiscard]] BlockFootprint footprint_of(const Trace& trace, std::uint32_t block);

// An array as a footprint names it, by ArrayId. `bytes`: 0 if it is not in global memory.
struct FootprintArray {
    std::uint64_t bytes = 0;
    std::uint64_t row_bytes = 0;  // of its last extent
};
[[nodiscard]] std::vector<FootprintArray> footprint_arrays(const Trace& trace);

// The footprints of all blocks of a launch.
class LaunchFootprint {
  public:
    // `recorded`: of all blocks; or of the first block, of its neighbour in each direction of the
    // grid, and of others. Then all blocks are alike: what a block accesses lies as far from what
    // the first one accesses as its index says, or is a part of it, as at the edge of a matrix.
    // Error (kFailed): a neighbour is missing, or a recorded block is different. A clause.
    static Result<LaunchFootprint> of(const Dim3& grid, std::vector<BlockFootprint> recorded,
                                      std::vector<FootprintArray> arrays);

    [[nodiscard]] const Dim3& grid() const { return grid_; }
    [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(grid_.count()); }
    [[nodiscard]] const std::vector<FootprintArray>& arrays() const { return arrays_; }
    [[nodiscard]] bool all_recorded() const { return recorded_.size() == blocks(); }

    // Whether blocks that are neighbours along x, or y, access different parts of the array.
    [[nodiscard]] bool differs_along_x(ArrayId array) const {
        return grid_.x > 1 && !is_same(array, 0, 1);
    }
    [[nodiscard]] bool differs_along_y(ArrayId array) const {
        return grid_.y > 1 && !is_same(array, 0, grid_.x);
    }

    // Calls visit(const TouchedRun&), which lies in its array.
    template <class Visit>
    void for_each_run(std::uint32_t block, std::uint32_t step, const Visit& visit) const {
        if (all_recorded()) {
            for (const TouchedRun& run : recorded_[block].of_step(step)) visit(run);
            return;
        }
        for (ArrayId array = 0; array < arrays_.size(); ++array)
            for_each_run_of(array, block, step, visit);
    }
    // The same of one array. Not if all blocks are recorded.
    template <class Visit>
    void for_each_run_of(ArrayId array, std::uint32_t block, std::uint32_t step,
                         const Visit& visit) const {
        const auto runs = std::ranges::equal_range(recorded_.front().of_step(step), array, {},
                                                   &TouchedRun::array);
        for (TouchedRun run : runs) {
            move(run, shift_of(array, block), arrays_[array].bytes);
            if (run.begin < run.end) visit(run);
        }
    }
    // How far behind those of block 0 a block's accesses to the array lie, in bytes: blocks with
    // the same shift access the same. Not if all blocks are recorded.
    [[nodiscard]] std::int64_t shift_of(ArrayId array, std::uint32_t block) const {
        const Shift& shift = shifts_[array];
        return shift.x * (block % grid_.x) + shift.y * (block / grid_.x % grid_.y) +
               shift.z * (block / grid_.x / grid_.y);
    }

  private:
    struct Shift {  // bytes from a block to the next
        std::int64_t x = 0, y = 0, z = 0;
    };
    static void move(TouchedRun& run, std::int64_t bytes, std::uint64_t size);
    [[nodiscard]] bool covers(const BlockFootprint& block) const;
    [[nodiscard]] bool is_same(ArrayId array, std::uint32_t block, std::uint32_t other) const;

    Dim3 grid_;
    std::vector<BlockFootprint> recorded_;  // by block
    std::vector<FootprintArray> arrays_;
    std::vector<Shift> shifts_;  // by array
};

}  // namespace tilereel
