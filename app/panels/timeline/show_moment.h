#pragma once
// Commands that seek to the moment of an event.
#include "app/workbench/command.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// Goes to the block and the tick of a finding and pauses. Empty if it belongs to no block.
[[nodiscard]] Commands show_finding(const Workbench& workbench, const Finding& finding);
[[nodiscard]] Commands show_finding(const Workbench& workbench, const RecordedFinding& finding);
// Goes to the tick after an element of C was stored.
[[nodiscard]] Commands show_stored(const Workbench& workbench, std::uint32_t row,
                                   std::uint32_t column);

// Events that a key jumps to.
enum class JumpTarget : std::uint8_t { kConflict, kBarrier, kFinding };
// Goes to the next (direction > 0) or previous event and pauses. Conflicts and barriers: in the
// watched block; findings: in all blocks, errors before warnings. Empty if there is none in that
// direction.
[[nodiscard]] Commands jump_to(const Workbench& workbench, JumpTarget target, int direction);
// A warp, or one lane of it.
struct FollowedThread {
    std::uint32_t warp = 0;
    std::optional<std::uint32_t> lane{};
};
// Goes to the next (direction > 0) or previous request of a warp or a lane and pauses. Empty if
// there is none in that direction.
[[nodiscard]] Commands go_to_request_of(const Workbench& workbench, const FollowedThread& thread,
                                        int direction);
// The message if there is none: "No request of lane 3 of warp 1 after this moment".
[[nodiscard]] std::string no_request_text(const FollowedThread& thread, int direction);
// The message if there is none: "No bank conflict after this moment in this block", and the key if
// there is one in the other direction.
[[nodiscard]] std::string no_jump_target_text(const Workbench& workbench, JumpTarget target,
                                              int direction);
// "12.cu is compiling; its findings are there when it has run": what is shown is not the
// program that the user has just opened. Empty if it is, or if no program runs.
[[nodiscard]] std::string findings_to_come_text(const Workbench& workbench);

}  // namespace tilereel
