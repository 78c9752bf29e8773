#include "app/panels/timeline/show_moment.h"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <vector>

#include "app/replay/places/moment.h"
#include "app/replay/places/navigation.h"
#include "app/replay/places/stops.h"

namespace tilereel {
namespace {

// Watches `block`, pauses, and seeks to tick_in(replay of the block), if that has a value.
template <class TickIn>
Commands go_to(const Workbench& workbench, std::uint32_t block, const TickIn& tick_in) {
    const Replay* watched = workbench.replay();
    const Recording* recording = workbench.recording();
    if (watched == nullptr || recording == nullptr) return {};
    Commands commands;
    std::optional<Tick> tick;
    if (block == watched->block()) {
        tick = tick_in(*watched);
    } else if (is_chosen(*recording->trace, block)) {
        // The workbench will make the same replay when the block is watched, but the tick is needed
        // now.
        const Result<Replay> other =
            Replay::of_block(*recording->trace, block, *recording->generation);
        if (!other) return {};
        tick = tick_in(*other);
    }
    if (block != watched->block()) {
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

Commands show_finding(const Workbench& workbench, const RecordedFinding& finding) {
    if (finding.block == RecordedFinding::kNobody) return {};
    return go_to(workbench, finding.block,
                 [&](const Replay& replay) { return moment_of(replay, finding); });
}

Commands show_stored(const Workbench& workbench, std::uint32_t row, std::uint32_t column) {
    const Recording* recording = workbench.recording();
    if (recording == nullptr) return {};
    const Trace& trace = *recording->trace;
    const LogicalPlace place{.block_x = (column + 0.5) / std::max(trace.launch.n, 1u),
                             .block_y = (row + 0.5) / std::max(trace.launch.m, 1u)};
    return go_to(workbench, block_at(trace, place),
                 [&](const Replay& replay) { return stored_at(replay, row, column); });
}

namespace {

Commands go_to_stop(const Workbench& workbench, const std::vector<double>& stops, int direction) {
    const std::optional<double> stop = stop_beside(stops, workbench.position(), direction);
    if (!stop) return {};
    Commands commands;
    if (workbench.playing()) commands.push_back(PlayPause{});
    commands.push_back(SeekTo{*stop, false});
    return commands;
}

// Whether the finding's block was recorded, so that its replay can be shown.
bool is_recorded_at(const Trace& trace, const RecordedFinding& finding) {
    return finding.block < trace.launch.blocks() && is_chosen(trace, finding.block);
}

// Errors come before warnings, as in the inspector's list: what makes the result wrong is seen
// first. Errors, and then warnings, are ordered by block and tick. Only the ticks of the watched
// block are known; in another block findings keep the order of the list.
struct FindingPlace {
    bool warning = false;
    std::uint32_t block = 0;
    double tick = 0;
    std::size_t index = 0;  // of Recording::findings, then of Trace::findings
    auto operator<=>(const FindingPlace&) const = default;
    [[nodiscard]] bool same_moment(const FindingPlace& other) const {
        return block == other.block && tick == other.tick;
    }
};

std::vector<FindingPlace> places_of_findings(const Recording& recording, const Replay& replay) {
    std::vector<FindingPlace> places;
    std::size_t index = 0;
    const auto add = [&](const auto& finding, bool error) {
        const Tick tick = moment_of(replay, finding).value_or(0);
        places.push_back({!error, finding.block, static_cast<double>(tick), index});
    };
    for (const Finding& finding : recording.findings) {
        add(finding, finding.severity == Severity::kError);
        ++index;
    }
    for (const RecordedFinding& finding : recording.trace->findings) {
        if (is_recorded_at(*recording.trace, finding)) add(finding, finding.error);
        ++index;
    }
    // At the moment of an error the picture shows the error.
    const std::vector<FindingPlace> all = places;
    std::erase_if(places, [&](const FindingPlace& place) {
        return place.warning && place.block == replay.block() &&
               std::ranges::any_of(all, [&](const FindingPlace& other) {
                   return !other.warning && other.same_moment(place);
               });
    });
    return places;
}

Commands go_to_finding(const Workbench& workbench, int direction) {
    const Recording* recording = workbench.recording();
    const Replay* replay = workbench.replay();
    if (recording == nullptr || replay == nullptr) return {};
    const std::vector<FindingPlace> places = places_of_findings(*recording, *replay);
    FindingPlace here{false, replay->block(), workbench.position()};
    here.warning = std::ranges::any_of(places, [&](const FindingPlace& place) {
        return place.warning && place.same_moment(here);
    });
    here.index = direction > 0 ? std::numeric_limits<std::size_t>::max() : 0;
    std::optional<FindingPlace> best;
    for (const FindingPlace& place : places) {
        const bool beyond = direction > 0 ? place > here : place < here;
        if (beyond && (!best || (direction > 0 ? place < *best : place > *best))) best = place;
    }
    if (!best) return {};
    const std::size_t hazards = recording->findings.size();
    Commands commands =
        best->index < hazards
            ? show_finding(workbench, recording->findings[best->index])
            : show_finding(workbench, recording->trace->findings[best->index - hazards]);
    // Where the source is a tab beside others: its lines, and the line that is missing, are the
    // answer. What happened stands in the sentence.
    if (!commands.empty()) commands.push_back(SelectTab{SideTab::kSource});
    return commands;
}

}  // namespace

Commands jump_to(const Workbench& workbench, JumpTarget target, int direction) {
    if (target == JumpTarget::kFinding) return go_to_finding(workbench, direction);
    const Replay* replay = workbench.replay();
    if (replay == nullptr) return {};
    return go_to_stop(
        workbench,
        target == JumpTarget::kConflict ? conflict_stops(*replay) : barrier_stops(*replay),
        direction);
}

Commands go_to_request_of(const Workbench& workbench, const FollowedThread& thread, int direction) {
    const Replay* replay = workbench.replay();
    if (replay == nullptr) return {};
    return go_to_stop(workbench, request_stops(*replay, thread.warp, thread.lane), direction);
}

std::string no_request_text(const FollowedThread& thread, int direction) {
    const std::string of_lane = thread.lane ? "lane " + std::to_string(*thread.lane) + " of " : "";
    return "No request of " + of_lane + "warp " + std::to_string(thread.warp) +
           (direction > 0 ? " after this moment" : " before this moment");
}

std::string no_jump_target_text(const Workbench& workbench, JumpTarget target, int direction) {
    static constexpr std::array<const char*, 3> kWhat = {"bank conflict", "barrier", "finding"};
    static constexpr std::array<const char*, 3> kKey = {"N", "G", "E"};
    const auto index = static_cast<std::size_t>(target);
    const bool forward = direction > 0;
    const bool back = !jump_to(workbench, target, -direction).empty();
    // An access out of bounds by all lanes makes no request.
    const std::size_t listed =
        workbench.replay() == nullptr ? 0 : workbench.replay()->trace().findings.size();
    if (target == JumpTarget::kFinding && !back && listed > 0 &&
        workbench.finding_scene() == nullptr)
        return listed == 1
                   ? "Nothing was recorded on the line of the listed finding, so it has no moment"
                   : "Nothing was recorded on the lines of the listed findings: they have no "
                     "moments";
    std::string words = std::string("No ") + kWhat[index] +
                        (forward ? " after this moment" : " before this moment") +
                        (target == JumpTarget::kFinding ? "" : " in this block");
    if (back)
        words += (forward ? "; Shift+" : "; ") + std::string(kKey[index]) +
                 (forward ? " goes to the one before" : " goes to the next one");
    return words;
}

std::string findings_to_come_text(const Workbench& workbench) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || !program->running || workbench.shows_program()) return {};
    const bool compiles = program->stage.kind == program::ProgramStage::Kind::kCompiling;
    return program->name() + (compiles ? " is compiling" : " is running") +
           "; its findings are there when it has run";
}

}  // namespace tilereel
