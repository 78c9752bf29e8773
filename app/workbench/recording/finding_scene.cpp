#include "app/workbench/recording/finding_scene.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/replay/arrays/contents.h"
#include "app/replay/places/moment.h"
#include "app/replay/state/element_text.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

bool is_pair(const Trace& trace, const Finding& finding) {
    const auto is_access = [&](const HazardParty& party) {
        return party.record != HazardParty::kNoRecord && !is_of_tma(trace, trace.sites[party.site]);
    };
    return finding.hazard == Hazard::kRace && is_access(finding.first) && is_access(finding.second);
}

// Sets `stored` and `held`, as they are where the store begins. The other access may be replayed
// before the store or after it.
void find_values(HazardPair& pair, Replay& replay, const Finding& finding) {
    const Trace& trace = replay.trace();
    const Array& array = trace.arrays[finding.array];
    const bool later_stores = writes(trace.sites[pair.order.later.site].operation);
    if (later_stores == writes(trace.sites[pair.order.earlier.site].operation)) return;
    const HazardParty& store = later_stores ? pair.order.later : pair.order.earlier;
    const Tick shown = replay.state().tick;
    const ReplayState& state = replay.seek(later_stores ? pair.later : pair.earlier);
    const Element at{finding.row, finding.column};
    const std::size_t index = std::size_t{at.row} * array.leading_dimension + at.column;
    const bool begins = state.step != kNoStep &&
                        replay.recorded(replay.schedule().steps[state.step].record) == store.record;
    for (const SharedArrayState& shared : state.shared) {
        if (!begins || shared.array != finding.array || index >= shared.cells.size()) continue;
        const auto stored =
            bits_stored(array, at, trace.sites[store.site].width_bytes, state.request);
        if (stored) pair.stored = text_of_element(array, *stored);
        const SharedCell& cell = shared.cells[index];
        pair.first_store = cell.state == CellState::kNeverWritten;
        if (!pair.first_store && cell.state != CellState::kUnderWay)
            pair.held = text_of_element(array, cell.bits);
        break;
    }
    replay.seek(shown);
}

// The same for global memory, where the block's stores are known, and the content before the
// launch.
void find_global_values(HazardPair& pair, const Replay& replay, const Finding& finding) {
    constexpr std::size_t kMostSteps = 1 << 18;  // walked once, when the finding is shown
    const Trace& trace = replay.trace();
    const Array& array = trace.arrays[finding.array];
    const std::vector<Step>& steps = replay.schedule().steps;
    const bool later_stores = writes(trace.sites[pair.order.later.site].operation);
    if (array.space != Space::kGlobal || cell_bytes(array) != array.element_bytes ||
        steps.size() > kMostSteps ||
        later_stores == writes(trace.sites[pair.order.earlier.site].operation))
        return;
    const HazardParty& store = later_stores ? pair.order.later : pair.order.earlier;
    const auto step = std::ranges::find(
        steps, store.record, [&](const Step& each) { return replay.recorded(each.record); });
    if (step == steps.end()) return;
    const auto number = static_cast<std::uint32_t>(step - steps.begin());
    const ArrayContents contents(replay);
    const std::uint64_t cell = array.index_of({finding.row, finding.column});
    const std::vector<std::byte> before = contents.bytes(finding.array, cell, number);
    const std::vector<std::byte> after = contents.bytes(finding.array, cell, number + 1);
    if (before.empty() || after.empty()) return;
    pair.held = cell_text(array, cell, before);
    pair.stored = cell_text(array, cell, after);
}

// A race with another block. That block is not in the replay.
HazardPair pair_between_blocks(const Replay& replay, const Finding& finding) {
    HazardPair pair;
    pair.other_block = finding.second_block;
    pair.order.earlier = finding.second;
    pair.order.later = finding.first;
    pair.earlier = pair.later = replay.state().tick;
    return pair;
}

// `trace`: the recorded one.
HazardPair pair_of(const Trace& trace, Replay& replay, const Finding& finding) {
    if (finding.second_block != Finding::kSameBlock) return pair_between_blocks(replay, finding);
    HazardPair pair;
    pair.order = race_order(trace, finding);
    const auto at = [&](const HazardParty& party, Tick& tick, std::uint32_t& phase) {
        for (const Step& step : replay.schedule().steps) {
            if (replay.recorded(step.record) != party.record) continue;
            tick = step.begin;
            phase = step.phase;
            return;
        }
    };
    at(pair.order.earlier, pair.earlier, pair.earlier_phase);
    at(pair.order.later, pair.later, pair.later_phase);
    const bool within_warp =
        pair.order.earlier.thread / kWarpSize == pair.order.later.thread / kWarpSize;
    pair.barrier = within_warp ? "__syncwarp()" : "__syncthreads()";
    find_values(pair, replay, finding);
    find_global_values(pair, replay, finding);
    return pair;
}

// " for phase 2", " in trip 2": time_of() with the word before it.
std::string time_words(const HazardPair& pair, bool of_later) {
    const std::string time = time_of(pair, of_later);
    if (time.empty()) return time;
    return (pair.earlier_phase != pair.later_phase ? " for " : " in ") + time;
}

// What makes the later thread wait.
void add_remedy(Sentence& sentence, const HazardPair& pair) {
    const RaceOrder& order = pair.order;
    if (order.after_line == 0) {
        sentence.push_back({Tone::kPlain, ". An atomic operation would keep both."});
        return;
    }
    sentence.push_back({Tone::kPlain, ". A "});
    sentence.push_back({Tone::kWait, pair.barrier});
    sentence.push_back(
        {Tone::kPlain, order.next_trip || order.after_line != order.before_line
                           ? " after line " + std::to_string(order.after_line) + " makes it wait."
                           : " between the two makes it wait."});
}

// "thread (0,0) of warp 0 stores t[0][0] for phase 2 on line 11 while thread (0,2) of warp 1 may
// still read it for phase 1 on line 13."
Sentence race_sentence(const Replay& replay, const Finding& finding, const HazardPair& pair,
                       FindingAdvice advice) {
    const Trace& trace = replay.trace();
    const auto operation = [&](const HazardParty& party) {
        return trace.sites[party.site].operation;
    };
    const auto line = [&](const HazardParty& party) {
        return " on line " + std::to_string(trace.sites[party.site].line);
    };
    const HazardParty& later = pair.order.later;
    const HazardParty& earlier = pair.order.earlier;
    const bool stores = writes(operation(later));
    const Tone tone = replay.tone_of(finding.array);
    Sentence sentence{{Tone::kConflict, "Race: "},
                      {Tone::kPlain, name_of_thread(trace, later.thread) +
                                         (operation(later) == Operation::kAtomic ? " changes "
                                          : stores                               ? " stores "
                                                                                 : " reads ")},
                      {tone == Tone::kPlain ? Tone::kStrong : tone,
                       element_name(trace.arrays[finding.array], finding.row, finding.column)}};
    const char* const still = writes(operation(earlier))
                                  ? (stores ? " may still store it" : " may not have stored it yet")
                                  : " may still read it";
    sentence.push_back({Tone::kPlain, time_words(pair, true) + line(later) + " while " +
                                          name_of_thread(trace, earlier.thread) + still +
                                          time_words(pair, false) + line(earlier)});
    if (!pair.held.empty() && pair.stored != pair.held) {
        sentence.push_back({Tone::kPlain, ", and may get "});
        sentence.push_back({Tone::kStrong, stores ? pair.stored : pair.held});
        sentence.push_back({Tone::kPlain, " instead of "});
        sentence.push_back({Tone::kStrong, stores ? pair.held : pair.stored});
    }
    if (advice == FindingAdvice::kTold)
        add_remedy(sentence, pair);
    else
        sentence.push_back({Tone::kPlain, "."});
    return sentence;
}

// Whether the finding may happen at the replay's tick: the running request is one of its accesses,
// or it is a finding about a barrier. Decided without a walk over the replay.
bool may_happen_now(const Replay& replay, const Finding& finding) {
    if (finding.array == kNoArray) return true;
    const ReplayState& state = replay.state();
    if (state.step == kNoStep) return false;
    const Step& step = replay.schedule().steps[state.step];
    const std::uint64_t record = replay.recorded(step.record);
    return step.begin == state.tick && step.epoch == finding.epoch &&
           (step.site == finding.first.site || step.site == finding.second.site ||
            record == finding.first.record || record == finding.second.record);
}

const char* word_of(Severity severity) {
    return severity == Severity::kError ? "Error: " : "Warning: ";
}

std::optional<FindingScene> hazard_scene(const Recording& recording, Replay& replay,
                                         Severity severity, FindingAdvice advice) {
    const Tick now = replay.state().tick;
    for (std::size_t i = 0; i < recording.findings.size(); ++i) {
        const Finding& finding = recording.findings[i];
        if (finding.severity != severity || !may_happen_now(replay, finding) ||
            moment_of(replay, finding) != now)
            continue;
        FindingScene scene{.finding = i, .recorded = false, .pair = {}, .sentence = {}};
        if (is_pair(replay.trace(), finding))
            scene.pair = pair_of(*recording.trace, replay, finding);
        else
            scene.access = invalid_access_of(replay, finding);
        if (scene.pair && !scene.pair->other_block)
            scene.sentence = race_sentence(replay, finding, *scene.pair, advice);
        else
            scene.sentence = {{Tone::kConflict, scene.pair ? "Race: " : word_of(severity)},
                              {Tone::kPlain, (advice == FindingAdvice::kTold
                                                  ? sentence_of(*recording.trace, finding)
                                                  : text_of(*recording.trace, finding).what) +
                                                 "."}};
        return scene;
    }
    return std::nullopt;
}

// "Thread 63 of block 0 ..." behind "Error: ".
std::string in_a_sentence(std::string what) {
    if (what.starts_with("Thread ")) what[0] = 't';
    return what;
}

// The same for what only the recorder saw, such as an access beyond its array.
std::optional<FindingScene> recorded_scene(const Replay& replay, Severity severity,
                                           FindingAdvice advice) {
    const ReplayState& state = replay.state();
    const Trace& trace = replay.trace();
    if (state.step == kNoStep) return std::nullopt;
    const Step& step = replay.schedule().steps[state.step];
    for (std::size_t i = 0; i < trace.findings.size(); ++i) {
        const RecordedFinding& finding = trace.findings[i];
        if (finding.error != (severity == Severity::kError) || step.begin != state.tick ||
            trace.sites[step.site].line != finding.line || moment_of(replay, finding) != state.tick)
            continue;
        const bool is_told = advice == FindingAdvice::kTold && !finding.advice.empty();
        return FindingScene{
            .finding = i,
            .recorded = true,
            .pair = {},
            .access = invalid_access_of(replay, finding),
            .sentence = {{Tone::kConflict, word_of(severity)},
                         {Tone::kPlain,
                          in_a_sentence(finding.what) + (is_told ? " " + finding.advice : "")}}};
    }
    return std::nullopt;
}

std::vector<std::string_view> lines_of(std::string_view source) {
    std::vector<std::string_view> lines{""};  // [0] is unused
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.push_back(source.substr(0, end));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

// Without spaces at the end and without a comment that begins in it.
std::string_view code_of(std::string_view line) {
    line = line.substr(0, line.find("//"));
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

std::size_t indentation_of(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

}  // namespace

std::string time_of(const HazardPair& pair, bool of_later) {
    if (pair.earlier_phase != pair.later_phase)
        return "phase " + std::to_string((of_later ? pair.later_phase : pair.earlier_phase) + 1);
    const RaceOrder& order = pair.order;
    if (order.in_loop && order.earlier_trip != order.later_trip)
        return "trip " + std::to_string((of_later ? order.later_trip : order.earlier_trip) + 1);
    return {};
}

std::string_view code_on_line(std::string_view source, std::uint32_t line) {
    const std::vector<std::string_view> lines = lines_of(source);
    if (line >= lines.size()) return {};
    const std::string_view code = code_of(lines[line]);
    return code.substr(std::min(code.find_first_not_of(" \t"), code.size()));
}

std::optional<FindingScene> finding_scene_of(const Recording& recording, Replay& replay,
                                             FindingAdvice advice) {
    for (const Severity severity : {Severity::kError, Severity::kWarning}) {
        if (auto scene = recorded_scene(replay, severity, advice)) return scene;
        if (auto scene = hazard_scene(recording, replay, severity, advice)) return scene;
    }
    return std::nullopt;
}

std::optional<BarrierPlace> place_of_barrier(std::string_view source, const RaceOrder& order) {
    const std::vector<std::string_view> lines = lines_of(source);
    std::uint32_t after = order.after_line;
    if (after == 0 || after >= lines.size() || order.before_line >= lines.size() ||
        (after == order.before_line && !order.next_trip))
        return std::nullopt;
    const auto ends = [](std::string_view code) {
        return !code.empty() && (code.back() == ';' || code.back() == '}' || code.back() == '{');
    };
    while (!ends(code_of(lines[after])) && after + 1 < lines.size()) ++after;
    const std::size_t indentation = indentation_of(lines[order.before_line]);
    while (after + 1 < lines.size()) {
        const std::string_view next = code_of(lines[after + 1]);
        const std::size_t begin = next.find_first_not_of(' ');
        if (begin == std::string_view::npos || next[begin] != '}' || begin < indentation) break;
        ++after;
    }
    return BarrierPlace{after, indentation};
}

}  // namespace tilereel
