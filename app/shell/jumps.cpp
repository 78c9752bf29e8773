#include "app/shell/jumps.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr std::size_t kMostJumps = 100;

bool jumps(const Command& command) {
    if (command.of_right()) return false;
    return command.holds<SeekTo>() || command.holds<SeekBoth>() || command.holds<GoToStart>() ||
           command.holds<GoToEnd>() || command.holds<WatchBlock>();
}

}  // namespace

bool leaves_the_moment(const Commands& commands) {
    return std::ranges::any_of(commands, [](const Command& command) {
        if (command.of_right()) return false;
        return jumps(command) || command.holds<PlayPause>() || command.holds<StepForward>() ||
               command.holds<StepBack>() || command.holds<PartForward>() ||
               command.holds<PartBack>() || command.holds<PhaseForward>() ||
               command.holds<PhaseBack>();
    });
}

JumpHistory::Place JumpHistory::place_of(const Workbench& workbench) {
    const Replay* const replay = workbench.replay();
    return {replay == nullptr ? 0 : replay->block(), workbench.position()};
}

void JumpHistory::forget_former_recording(const Workbench& workbench) {
    const Recording* const recording = workbench.recording();
    const std::uint64_t now = recording == nullptr ? 0 : recording->id;
    if (now == recording_) return;
    recording_ = now;
    back_.clear();
    forward_.clear();
}

void JumpHistory::apply(Workbench& workbench, const Commands& commands) {
    forget_former_recording(workbench);
    // A drag along the timeline is one jump.
    const bool jump = !workbench.scrubbing() && std::ranges::any_of(commands, jumps);
    const Place before = place_of(workbench);
    workbench.apply(commands);
    if (!jump || place_of(workbench) == before) return;
    back_.push_back(before);
    if (back_.size() > kMostJumps) back_.erase(back_.begin());
    forward_.clear();
}

Commands JumpHistory::go(const Workbench& workbench, int direction) {
    forget_former_recording(workbench);
    std::vector<Place>& from = direction < 0 ? back_ : forward_;
    if (from.empty()) return {};
    const Place to = from.back();
    from.pop_back();
    (direction < 0 ? forward_ : back_).push_back(place_of(workbench));
    Commands commands;
    if (workbench.playing()) commands.push_back(PlayPause{});
    const std::uint32_t columns = std::max(workbench.recording()->trace->launch.grid.x, 1u);
    commands.push_back(WatchBlock{to.block % columns, to.block / columns});
    commands.push_back(SeekTo{to.position, false});
    return commands;
}

}  // namespace tilereel
