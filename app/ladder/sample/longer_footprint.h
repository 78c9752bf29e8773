#pragma once
// What a block of a product with a long K accesses, from a recording with a short one.
//
// The trips of its loop over K do the same, further along the rows of A and down the columns of B:
//
//     A  |aaaa|....|....|....|      B  |b|      recorded: the first part, with all its steps
//                                      |.|      the others: the same steps, K1 elements further
//        K1                            |.|
//                                      |.|
//
// A recording of the whole K takes seconds where a launch has thousands of steps, and says no more.
#include "instrumentation/analysis/l2/block_footprint.h"

namespace tilereel {

class LongerFootprint {
  public:
    // `recorded` has K = `from`. Its arrays A and B are the product's.
    LongerFootprint(const Trace& recorded, int from, int to);
    // Of the launch with K = `to`.
    [[nodiscard]] const std::vector<FootprintArray>& arrays() const { return arrays_; }
    // `of`: a block of the recording.
    [[nodiscard]] BlockFootprint of(const BlockFootprint& of) const;

  private:
    enum class Along : std::uint8_t { kNeither, kRows, kColumns };  // where K runs in the array
    void add(const TouchedRun& run, std::uint64_t part, std::vector<TouchedRun>& runs) const;

    std::uint64_t from_, to_, parts_;
    std::vector<FootprintArray> recorded_, arrays_;
    std::vector<Along> along_;  // by array
};

// Whether two blocks access the same bytes, in whatever order.
[[nodiscard]] bool access_the_same(const BlockFootprint& a, const BlockFootprint& b);

}  // namespace tilereel
