#pragma once
// Why lanes of a warp take no part in one of its requests.
//
// A record has a mask of the lanes that execute it, but no record says that a lane branches. So the
// other records of the warp tell. For each lane that is off they are searched for the last one
// before the request, and the first one after it, that the lane executes together with a lane that
// is on. In between the warp was split:
//
//     line 10, lanes 0 to 31      together
//     line 12, lanes 0 to 3       the request: lanes 4 to 31 do not execute line 12 in between
//     line 14, lanes 0 to 31      together again
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/analysis/source/kernel_shape.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Masks of lanes. No lane is in two of them. A lane without a thread, in the last warp of a block,
// is in none.
struct OffLanes {
    std::uint32_t skip = 0;   // a branch leads around the line
    std::uint32_t apart = 0;  // they make another request of the same line: the other side of a
                              // `?:`, or the same access, but not together with these lanes
    std::uint32_t out_of_loop = 0;  // the others repeat the line, these lanes have left the loop
    std::uint32_t returned = 0;
    std::uint32_t unknown = 0;  // they execute nothing more, and the text does not say why; or the
                                // access was refused
    [[nodiscard]] std::uint32_t all() const {
        return skip | apart | out_of_loop | returned | unknown;
    }
    bool operator==(const OffLanes&) const = default;
};

// Finds them for the records of one block. The trace must outlive it.
class OffLaneFinder {
  public:
    OffLaneFinder(const Trace& trace, std::uint32_t block);
    // `record`: of an access, in segment `segment` of the block. A request of the TMA has none.
    [[nodiscard]] OffLanes find(std::size_t segment, std::uint64_t record) const;
    // The lanes of the warp that have a thread.
    [[nodiscard]] std::uint32_t lanes_of(std::uint16_t warp) const;

  private:
    struct Request {  // whose lanes are sought
        std::size_t segment = 0;
        std::uint64_t record = 0;
        std::uint32_t on = 0, off = 0;
    };
    // When the lanes that are off were, and will be, together with lanes that are on.
    struct Meetings {
        std::uint32_t apart = 0;    // lanes that make such a request of this line in between
        std::uint32_t unknown = 0;  // the search was cut off
        std::array<std::uint64_t, kWarpSize> next{};  // the next meeting, by lane; 0: none
    };
    [[nodiscard]] Meetings meetings(const Request& request) const;
    void search(const Request& request, bool forward, Meetings& found) const;
    // Those of `lanes` that have left a loop which the others repeat.
    [[nodiscard]] std::uint32_t out_of_loop(const Request& request, std::uint32_t lanes,
                                            const Meetings& met) const;
    // Divides the lanes that execute nothing more into lanes that have returned and lanes about
    // which neither the records nor the text tell it. The rest runs to the end.
    void divide_ended(const Request& request, std::uint32_t lanes, OffLanes& result) const;
    // The last record up to the request that its warp executed outside of all branches and loops;
    // nullopt if there is none. All threads that have not returned execute such a record.
    [[nodiscard]] std::optional<std::uint64_t> last_at_top(const Request& request) const;

    const Trace& trace_;
    std::uint32_t block_;
    SegmentRange segments_;
    // By warp and lane: the last record that the lane executes, plus 1; 0: none.
    std::vector<std::array<std::uint64_t, kWarpSize>> last_;
    KernelShape shape_;
    std::uint16_t shape_file_ = 0;  // as Site::file
};

}  // namespace tilereel
