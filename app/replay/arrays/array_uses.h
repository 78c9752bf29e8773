#pragma once
// The part of an array's picture that the watched block, a phase or a request accesses, which a
// window onto a large array has to show.
#include <cstdint>
#include <map>
#include <vector>

#include "app/replay/arrays/array_shape.h"
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
    // The latest step up to `step` in which the warp of `step` accesses the array; else the latest
    // one of any warp; else the first one after `step`. kNoStep if there is none. Looks back at
    // most 2,048 accesses for the warp.
    [[nodiscard]] std::uint32_t nearest(ArrayId array, std::uint32_t step) const;

    // Accessed rectangles; empty if nothing is accessed. The first two are computed once for each
    // row length.
    [[nodiscard]] const CellRect& of_block(ArrayId array, const ArrayShape& shape) const;
    [[nodiscard]] const std::vector<CellRect>& of_phases(ArrayId array,
                                                         const ArrayShape& shape) const;
    [[nodiscard]] CellRect of_step(ArrayId array, const ArrayShape& shape,
                                   std::uint32_t step) const;
    // The access of one lane; the first cell of the lowest active lane's access if that lane is
    // inactive.
    [[nodiscard]] CellRect of_lane(ArrayId array, const ArrayShape& shape, std::uint32_t step,
                                   std::uint32_t lane) const;

  private:
    struct Boxes {
        std::uint32_t row_length = 0;  // for which they were computed; 0: not computed
        CellRect block;
        std::vector<CellRect> phases;
    };
    const Boxes& boxes(ArrayId array, const ArrayShape& shape) const;

    const Replay& replay_;
    std::vector<std::vector<std::uint32_t>> steps_;  // by array
    mutable std::vector<Boxes> boxes_;               // by array
};

struct PictureSpan {  // rows or columns [begin, end)
    std::uint32_t begin = 0, end = 0;
};
// The first of the `shown` visible rows (or columns) out of `count`. The first span that fits into
// the window is visible; if none fits, the begin of the last span is. The window moves in steps of
// half its size, so that it rests while the spans move little.
[[nodiscard]] std::uint32_t window_begin(const std::vector<PictureSpan>& spans, std::uint32_t shown,
                                         std::uint32_t count);

}  // namespace tilereel
