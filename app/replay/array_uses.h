#pragma once
// Which part of an array's picture the watched block, a phase or a request accesses: what a window
// onto a large array has to show.
#include <cstdint>
#include <map>
#include <vector>

#include "app/replay/array_shape.h"
#include "app/replay/replay.h"

namespace tilereel {

class ArrayUses {
  public:
    // Walks all requests of the block once. The replay must outlive this.
    explicit ArrayUses(const Replay& replay);

    // Steps that access the array, ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& steps(ArrayId array) const {
        return steps_[array];
    }
    // The latest step up to `step` in which its warp accesses the array, else the latest of any
    // warp, else the first one after it; kNoStep: none does.
    [[nodiscard]] std::uint32_t nearest(ArrayId array, std::uint32_t step) const;

    // Empty where nothing is accessed. The first two are worked out once for a row length.
    [[nodiscard]] const PictureBox& of_block(ArrayId array, const ArrayShape& shape) const;
    [[nodiscard]] const std::vector<PictureBox>& of_phases(ArrayId array,
                                                           const ArrayShape& shape) const;
    [[nodiscard]] PictureBox of_step(ArrayId array, const ArrayShape& shape,
                                     std::uint32_t step) const;
    // Of one lane; of the lowest active one where that takes no part.
    [[nodiscard]] PictureBox of_lane(ArrayId array, const ArrayShape& shape, std::uint32_t step,
                                     std::uint32_t lane) const;

  private:
    struct Boxes {
        std::uint32_t row_length = 0;  // that they were worked out for; 0: not yet
        PictureBox block;
        std::vector<PictureBox> phases;
    };
    const Boxes& boxes(ArrayId array, const ArrayShape& shape) const;

    const Replay& replay_;
    std::vector<std::vector<std::uint32_t>> steps_;  // by array
    mutable std::vector<Boxes> boxes_;               // likewise
};

// Where a window of `shown` rows (or columns) begins, of `count`: the largest of the spans that
// fits is in sight, else the beginning of the last one. It moves by halves of a window, so that it
// stands still while the spans move little.
struct PictureSpan {
    std::uint64_t begin = 0, end = 0;
};
[[nodiscard]] std::uint64_t window_begin(const std::vector<PictureSpan>& spans, std::uint64_t shown,
                                         std::uint64_t count);

}  // namespace tilereel
