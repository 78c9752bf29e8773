#pragma once
// Products of tensor cores (mma.sync) whose fragments hold other elements than they should.
//
// Why by trying. A fragment that is loaded without the .trans that it needs, or in another order,
// is a fragment of another matrix, and a recording does not say which matrix the program meant. So
// this is found only where C is not A times B as it is, but is A times B once the 8 x 8 matrices of
// the fragments are rearranged in one of a few ways in all products of the launch:
//
//     transposed                exchanged             the whole 16 x 16 tile transposed
//     a00 a01      a00' a01'    a00 a01   a00 a10     a00 a01   a00' a10'
//     a10 a11  ->  a10' a11'    a10 a11 > a01 a11     a10 a11 > a01' a11'
//
// What gives right values is therefore never found, however the fragments were filled.
#include <cstdint>
#include <optional>
#include <string>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// How the 8 x 8 matrices of a fragment must be rearranged.
enum class FragmentChange : std::uint8_t { kNone, kTransposed, kExchanged, kTile };

struct MixedFragments {
    std::uint64_t record = 0;  // of the first product
    std::uint32_t block = 0, epoch = 0;
    std::uint16_t warp = 0;
    FragmentChange a = FragmentChange::kNone, b = FragmentChange::kNone;
    // As one number, and back.
    [[nodiscard]] std::uint32_t code() const {
        return static_cast<std::uint32_t>(a) * 4 + static_cast<std::uint32_t>(b);
    }
    [[nodiscard]] static std::string text_of(std::uint32_t code);
};

// Of products of 16-bit elements whose sums are stored as they are to global memory. nullopt also
// if the launch is large, or not all of its blocks are recorded.
[[nodiscard]] std::optional<MixedFragments> find_mixed_fragments(const Trace& trace);

}  // namespace tilereel
