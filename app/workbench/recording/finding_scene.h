#pragma once
// The finding that happens at the shown moment, as the sentence, the source and the timeline show
// it.
#include <optional>
#include <string>
#include <string_view>

#include "app/replay/replay.h"
#include "app/workbench/recording/invalid_access.h"
#include "app/workbench/recording/recording.h"
#include "instrumentation/analysis/hazards/race_order.h"

namespace tilereel {

// The two accesses of a race.
struct HazardPair {
    // The block of the earlier access, if it is not the watched one: nothing orders the two, and
    // only the later one is in the replay.
    std::optional<std::uint32_t> other_block;
    RaceOrder order;
    Tick earlier = 0, later = 0;  // when the two accesses begin, in program order
    std::uint32_t earlier_phase = 0, later_phase = 0;  // of the schedule
    // The value that one of the two stores, and the value that the cell holds before. Empty if it
    // is unknown, or if both store.
    std::string stored, held;
    bool first_store = false;  // the cell holds nothing before
    std::string barrier;       // the one that is missing: "__syncthreads()" or "__syncwarp()"
};

struct FindingScene {
    std::size_t finding = 0;  // index into Recording::findings; if `recorded`, Trace::findings
    bool recorded = false;
    std::optional<HazardPair> pair;         // nullopt: the finding is not such a race
    std::optional<InvalidAccess> access{};  // nullopt: nor such an access
    Sentence sentence;
};

// "phase 2" or "trip 2": what tells the later access (`of_later`) or the earlier one from the
// other. Empty if both are in one phase and one trip.
[[nodiscard]] std::string time_of(const HazardPair& pair, bool of_later);
// A line of a source text, from 1 on, without its comment and the spaces around it; empty if there
// is no such line.
[[nodiscard]] std::string_view code_on_line(std::string_view source, std::uint32_t line);

// The first finding whose moment_of() is the replay's tick, errors before warnings; nullopt if
// there is none. The replay is back at its tick afterwards.
// `advice`: whether the sentence also says what to do.
enum class FindingAdvice : std::uint8_t { kTold, kNotTold };
[[nodiscard]] std::optional<FindingScene> finding_scene_of(
    const Recording& recording, Replay& replay, FindingAdvice advice = FindingAdvice::kTold);

// The line after which a source text has room for the missing barrier, and the indentation of the
// barrier there. The statement on `after_line` may end on a later line; a barrier at the end of a
// trip also follows the braces that close inner blocks. nullopt: the text has no such lines.
struct BarrierPlace {
    std::uint32_t after_line = 0;
    std::size_t indentation = 0;  // characters
};
[[nodiscard]] std::optional<BarrierPlace> place_of_barrier(std::string_view source,
                                                           const RaceOrder& order);

}  // namespace tilereel
