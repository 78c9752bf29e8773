#pragma once
// Where the warps of a block were when its recording ended before the block did: the program was
// stopped or cancelled, a thread ended the launch, or the block was longer than the budget.
#include <cstdint>
#include <string>
#include <vector>

namespace tilereel {

enum class WarpStopKind : std::uint8_t {
    kReturned = 0,      // all its threads had returned
    kRecordedUpTo = 1,  // it went on without being recorded, or ended with the launch
    kInLoop = 2,        // it ran in a loop
    kOnLine = 3,        // it ran
    kAtBarrier = 4,     // it waited at a barrier of the block or of the grid
    kAtLanes = 5,       // it waited for other lanes of the warp, as in __syncwarp()
    kAtPhase = 6,       // it waited for a phase of an mbarrier
    kNotBegun = 7,
    kFaulted = 8,  // a thread of it ended the launch: an invalid access, a trap, an assertion
};
inline constexpr WarpStopKind kLastWarpStopKind = WarpStopKind::kFaulted;

struct WarpStop {
    std::uint32_t block = 0;
    std::uint16_t warp = 0;
    WarpStopKind kind = WarpStopKind::kReturned;
    std::uint32_t line = 0;  // 0: not known; with kRecordedUpTo: that of its last record
    bool operator==(const WarpStop&) const = default;
};

// Whether it waits for other threads.
[[nodiscard]] inline bool is_waiting(const WarpStop& stop) {
    return stop.kind == WarpStopKind::kAtBarrier || stop.kind == WarpStopKind::kAtLanes ||
           stop.kind == WarpStopKind::kAtPhase;
}

// Adds the stops of a block. Of those that are there already, the later ones replace the earlier
// ones, except where a warp has returned meanwhile: its later requests are not recorded.
void add_stops(const std::vector<WarpStop>& later, std::vector<WarpStop>& stops);
// Sorts the stops as Trace::warp_stops is sorted, and leaves out blocks beyond the most that a file
// has.
void sort_stops(std::vector<WarpStop>& stops);

// "done", "in the loop, line 13", "up to line 5", "waits at the barrier on line 9", "not begun",
// "stopped on line 4" (kFaulted).
[[nodiscard]] std::string words_of(const WarpStop& stop);
// The same where there is little room: "loop, line 13", "waits, line 9".
[[nodiscard]] std::string short_words_of(const WarpStop& stop);
}  // namespace tilereel
