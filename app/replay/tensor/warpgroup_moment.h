#pragma once
// What a warpgroup does for a product (wgmma) at the shown moment: which pieces of A and B it has
// read, and its sums. The picture, the inspector and the sentence are made of it.
#include <array>
#include <optional>
#include <vector>

#include "app/replay/replay.h"
#include "app/replay/tensor/held_since.h"
#include "app/replay/tensor/warpgroup_steps.h"

namespace tilereel {

// 16 bytes of A or B in shared memory.
struct ReadPiece {
    MatrixPiece piece;
    bool of_a = true;
    int warp = 0;  // 0 to 3, whose record stands for it
    HeldSince since = HeldSince::kLater;
    std::uint32_t wavefront = 0;  // of the request, if it reads the piece now
};

struct WarpgroupMoment {
    std::uint32_t step = kNoStep;
    std::uint32_t number = 0;      // of the product
    std::uint32_t first_warp = 0;  // of the warpgroup in its block
    int warp = 0;                  // 0 to 3: of the request
    int chosen = 0;                // 0 to 3: the chosen warp or, without one, that of the request
    bool stores = false;           // the step stores sums; else it reads A or B
    bool reads_a = false;
    int stored_element = 0;  // of a lane: the first that the step stores
    std::vector<ReadPiece> pieces;
    std::array<HeldSince, 4> sums{};  // by warp: kNow: its last read for the product is the request
    bool at_last_wavefront = true;    // of the request
    std::optional<ArrayId> a, b;      // arrays in which the matrices lie; nullopt: registers

    // The number of pieces of A or B that have been read before, and of all of them.
    [[nodiscard]] std::size_t read_before(bool of_a) const;
    [[nodiscard]] std::size_t count(bool of_a) const;
};

// nullopt: the request in flight is no read of a product, and stores no sums of one.
[[nodiscard]] std::optional<WarpgroupMoment> warpgroup_moment(
    const Replay& replay, std::optional<std::uint32_t> chosen_warp);
// Element `element` of a lane of D after the product or, with `former`, before it. nullopt: it is
// not known. `warp`: 0 to 3.
[[nodiscard]] std::optional<float> sum_of(const Replay& replay, const WarpgroupMoment& moment,
                                          int warp, int lane, int element, bool former);

}  // namespace tilereel
