#pragma once
// Where the parts of the picture of a warpgroup's product lie.
//
//     +--------------------------------------+
//     | head                                 |
//     +---------+----------------------------+
//     | figures | B in shared memory         |
//     +---------+-----+----------------------+
//     | A in    | w 0 | D                    |   the rows of the chosen warp are large
//     | shared  | w 1 |  +------+            |
//     | memory  | ... |  | part |            |   and in them a part of 8 columns has values
//     +---------+-----+--+------+------------+
//     | legend                               |
//     +--------------------------------------+
//
// Why a part is large. D has 64 rows and up to 256 columns: no window shows all values. A warp
// holds its 16 rows as accumulators of 8 columns side by side, each as in mma.sync, so the picture
// shows one of them whole and the others as far as they have room.
#include <span>
#include <vector>

#include "app/replay/tensor/warpgroup_moment.h"
#include "app/stage/tensor/tensor_scene.h"

namespace tilereel::stage {

// Of a warpgroup: 4 warps with 16 rows each. Of a part of D: 8 columns, 4 pairs of a lane's
// elements.
inline constexpr int kWarps = 4, kRowsOfWarp = 16, kRowsOfGroup = 64, kPairsOfPart = 4;

struct WarpgroupScene : LaneScene {
    const WarpgroupMoment& moment;
    const GroupProduct& product;
    ColorRole role_a = ColorRole::kA, role_b = ColorRole::kB;
    int part = 0;  // of D: columns 8 part to 8 part + 7

    [[nodiscard]] int columns() const { return product.product.shape.n; }
    // Whether the sums of a warp are those after the product.
    [[nodiscard]] bool is_summed(int warp) const {
        const HeldSince since = moment.sums[static_cast<std::size_t>(warp)];
        return moment.stores || since == HeldSince::kBefore ||
               (since == HeldSince::kNow && moment.at_last_wavefront);
    }
};

// A matrix as it lies in shared memory: lines of 128 bytes with 8 slots of 16 bytes.
struct TilePlace {
    Rect all, grid;                    // with title and numbers; the slots
    std::vector<std::uint32_t> lines;  // numbers of the lines that the product reads, ascending
    std::vector<float> top;            // of each line, and the bottom of the last
    [[nodiscard]] Rect slot(std::uint32_t address) const;
};

// D. Rows and pairs of columns have different sizes.
struct SumsPlace {
    Rect all, grid;
    std::vector<float> top;   // by row, and the bottom of the last
    std::vector<float> left;  // by pair of columns, and the right edge of the last
    float type = 0;           // font size of the values of the part; 0: no room for values
    float lane_type = 0, lane_width = 0;
    [[nodiscard]] Rect rows(int first, int count) const;
    [[nodiscard]] Rect cell(int row, int pair) const;
};

struct WarpgroupLayout {
    Rect head, figures, legend;
    bool is_low = false;
    TilePlace a, b;  // `a` is empty if A lies in registers
    Rect warps;      // the names of the four warps, between A and D
    SumsPlace sums;
};

// `longest`: characters of the widest value.
[[nodiscard]] WarpgroupLayout layout_warpgroup(const WarpgroupScene& scene, const Rect& room,
                                               std::size_t longest);

}  // namespace tilereel::stage
