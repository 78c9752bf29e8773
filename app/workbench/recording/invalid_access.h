#pragma once
// An access that the recorder found to be wrong, as a picture needs it: the elements around it,
// with their names and values.
//
//     out of bounds                          never written             misaligned
//     t[61] t[62] t[63]   t[64]              a[6]  a[7]  a[8]          bytes 0-7  bytes 8-15
//     +---+ +---+ +---+ . . . .              +---+ . . . +---+         +-------+  +--------+
//     | 5 | | 6 | | 7 | .     .              | 1 | . ? . | 3 |              [-- access --]
//     +---+ +---+ +---+ . . . .              +---+ . . . +---+         +-------+  +--------+
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards/finding.h"
#include "instrumentation/trace/recorded_finding.h"

namespace tilereel {

struct InvalidAccess {
    enum class Kind : std::uint8_t { kOutOfBounds, kMisaligned, kNeverWritten };
    Kind kind = Kind::kOutOfBounds;
    bool error = true;  // false: a warning
    ArrayId array = kNoArray;
    std::uint32_t block = 0, thread = 0;  // the first that makes it; the thread within the block
    std::uint32_t line = 0;
    std::uint16_t file = 0;  // as Site::file
    Operation operation = Operation::kLoad;
    std::uint32_t width_bytes = 0;
    std::string others;  // "the first of 25 accesses"; empty: it is the only one

    struct Cell {
        std::string name;
        std::string value{};  // empty: unknown
        bool exists = true;   // it lies in the array
        bool written = true;  // false: it was never written
        bool accessed = false;
    };
    std::vector<Cell> cells;     // neighbours in memory, in ascending order
    double from = 0, to = 0;     // the access, in cells
    std::size_t gap_before = 0;  // the cell before which elements are left out
    std::uint64_t left_out = 0;  // how many
    std::string caption;         // "t has 64 elements, t[0] to t[63]"
};

// The picture of a finding about one access of a thread: kOutOfBounds, kMisaligned and
// kUninitialisedRead. nullopt for others, and where the array is unknown. Values are those at the
// replay's tick.
[[nodiscard]] std::optional<InvalidAccess> invalid_access_of(const Replay& replay,
                                                             const RecordedFinding& finding);
// The same of Hazard::kNeverWritten.
[[nodiscard]] std::optional<InvalidAccess> invalid_access_of(const Replay& replay,
                                                             const Finding& finding);

}  // namespace tilereel
