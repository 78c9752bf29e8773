#pragma once
// Commands that take the replay to where something happens.
#include "app/workbench/command.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// To the block and the tick of a hazard, and pause there.
[[nodiscard]] Commands show_finding(const Workbench& workbench, const Finding& finding);
[[nodiscard]] Commands show_finding(const Workbench& workbench, const RecordedFinding& finding);
// To where an element of C has just been stored.
[[nodiscard]] Commands show_stored(const Workbench& workbench, std::uint32_t row,
                                   std::uint32_t column);

// What the replay can go to by a key.
enum class Landmark : std::uint8_t { kConflict, kBarrier, kFinding };
// To the next (direction > 0) or the previous one, and pause there: conflicts and barriers of the
// watched block, findings of every block. Empty: there is none in that direction.
[[nodiscard]] Commands go_to_landmark(const Workbench& workbench, Landmark landmark, int direction);
// The thread that is followed: a warp, or one lane of it.
struct FollowedThread {
    std::uint32_t warp = 0;
    std::optional<std::uint32_t> lane{};
};
// To the next (direction > 0) or the previous request of a warp, or of a lane; pauses there. Empty:
// there is none in that direction.
[[nodiscard]] Commands go_to_request_of(const Workbench& workbench, const FollowedThread& thread,
                                        int direction);
// Says that there is none: "No request of lane 3 of warp 1 after this moment".
[[nodiscard]] std::string no_request_of(const FollowedThread& thread, int direction);
// Says that there is none: "No bank conflict after this moment in this block".
[[nodiscard]] std::string no_landmark(Landmark landmark, int direction);

}  // namespace tilereel
