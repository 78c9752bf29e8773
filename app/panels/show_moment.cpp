#include "app/panels/show_moment.h"

#include <algorithm>

#include "app/replay/moment.h"

namespace tilereel {
namespace {

// `tick_in(replay)`: where to go in the replay of `block`, if anywhere.
template <class TickIn>
Commands go_to(const Workbench& workbench, std::uint32_t block, const TickIn& tick_in) {
    const Replay* watched = workbench.replay();
    const Recording* recording = workbench.recording();
    if (watched == nullptr || recording == nullptr) return {};
    Commands commands;
    std::optional<Tick> tick;
    if (block == watched->block()) {
        tick = tick_in(*watched);
    } else {
        // The workbench makes the same replay once the block is watched; the tick is needed now.
        const Result<Replay> other =
            Replay::of_block(*recording->trace, block, *recording->generation);
        if (!other) return {};
        tick = tick_in(*other);
        const std::uint32_t across = std::max(recording->trace->launch.grid.x, 1u);
        commands.push_back(WatchBlock{block % across, block / across});
    }
    if (workbench.playing()) commands.push_back(PlayPause{});
    if (tick) commands.push_back(SeekTo{static_cast<double>(*tick), false});
    return commands;
}

}  // namespace

Commands show_finding(const Workbench& workbench, const Finding& finding) {
    return go_to(workbench, finding.block,
                 [&](const Replay& replay) { return moment_of(replay, finding); });
}

Commands show_stored(const Workbench& workbench, std::uint32_t row, std::uint32_t column) {
    const Recording* recording = workbench.recording();
    if (recording == nullptr) return {};
    const Trace& trace = *recording->trace;
    const LogicalPlace place{.block_x = (column + 0.5) / std::max(trace.launch.n, 1u),
                             .block_y = (row + 0.5) / std::max(trace.launch.m, 1u)};
    return go_to(workbench, Replay::block_at(trace, place),
                 [&](const Replay& replay) { return stored_at(replay, row, column); });
}

}  // namespace tilereel
