#include "app/panels/timeline/timeline_tracks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/replay/tensor/tensor_steps.h"

namespace tilereel {
namespace {

constexpr float kLeastIntervalPx = 3;  // narrower intervals are merged into columns of one pixel
constexpr float kMostConflicts = 31;   // largest number for 4 bytes per lane and 32 banks

struct TrackColumn {
    double global = 0, shared = 0;                             // ticks
    std::array<double, 2> by_role_global{}, by_role_shared{};  // A, B
    std::uint32_t conflicts = 0;
};

struct Scale {
    double pixels_per_tick = 0;
    [[nodiscard]] float at(Tick tick) const {
        return static_cast<float>(static_cast<double>(tick) * pixels_per_tick);
    }
};

bool is_global(const Replay& replay, const Step& step) {
    const Trace& trace = replay.trace();
    return trace.arrays[trace.sites[step.site].array].space == Space::kGlobal;
}

bool is_constant(const Replay& replay, const Step& step) {
    const Trace& trace = replay.trace();
    return trace.arrays[trace.sites[step.site].array].space == Space::kConstant;
}

ColorRole role_of_step(const Replay& replay, const Step& step) {
    return role_of_array(replay, replay.trace().sites[step.site].array);
}

void add_single_intervals(const Replay& replay, const Scale& scale, float gap_px,
                          TimelineTracks& out) {
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i) {
        const Step& step = replay.schedule().steps[i];
        const ColorRole role = role_of_step(replay, step);
        TrackInterval interval{scale.at(step.begin), scale.at(step.end()) - gap_px, 1,
                               role == ColorRole::kA ? 1.0f : 0.0f,
                               role == ColorRole::kB ? 1.0f : 0.0f};
        (is_global(replay, step) ? out.global : out.shared).push_back(interval);
        const std::uint32_t conflicts = replay.schedule().costs[i].bank_conflicts;
        if (conflicts == 0) continue;
        out.any_conflict = true;
        interval.fill = std::min(1.0f, static_cast<float>(conflicts) / kMostConflicts);
        out.conflicts.push_back(interval);
    }
}

// Spreads a step's ticks over the pixel columns it covers.
void add_to_columns(const Replay& replay, std::uint32_t index, const Scale& scale,
                    std::vector<TrackColumn>& columns) {
    const Step& step = replay.schedule().steps[index];
    const bool global = is_global(replay, step);
    const ColorRole role = role_of_step(replay, step);
    const double begin = static_cast<double>(step.begin) * scale.pixels_per_tick;
    const double end = static_cast<double>(step.end()) * scale.pixels_per_tick;
    const auto last =
        static_cast<std::size_t>(std::min(std::ceil(end), static_cast<double>(columns.size())));
    for (auto x = static_cast<std::size_t>(begin); x < last; ++x) {
        const double from = std::max(begin, static_cast<double>(x));
        const double to = std::min(end, static_cast<double>(x + 1));
        if (to <= from) continue;
        TrackColumn& column = columns[x];
        (global ? column.global : column.shared) += to - from;
        auto& by_role = global ? column.by_role_global : column.by_role_shared;
        if (role == ColorRole::kA) by_role[0] += to - from;
        if (role == ColorRole::kB) by_role[1] += to - from;
        column.conflicts =
            std::max(column.conflicts, replay.schedule().costs[index].bank_conflicts);
    }
}

TrackInterval column_interval(std::size_t x, double busy, const std::array<double, 2>& by_role) {
    const auto left = static_cast<float>(x);
    return {left, left + 1, static_cast<float>(std::min(1.0, busy)),
            static_cast<float>(by_role[0] / busy), static_cast<float>(by_role[1] / busy)};
}

void add_merged_intervals(const Replay& replay, const Scale& scale, float width_px,
                          TimelineTracks& out) {
    out.merged = true;
    std::vector<TrackColumn> columns(static_cast<std::size_t>(std::ceil(width_px)));
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i)
        add_to_columns(replay, i, scale, columns);
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const TrackColumn& column = columns[x];
        if (column.global > 0)
            out.global.push_back(column_interval(x, column.global, column.by_role_global));
        if (column.shared > 0)
            out.shared.push_back(column_interval(x, column.shared, column.by_role_shared));
        if (column.conflicts == 0) continue;
        out.any_conflict = true;
        TrackInterval interval = column_interval(x, 1, {});
        interval.fill = std::min(1.0f, static_cast<float>(column.conflicts) / kMostConflicts);
        out.conflicts.push_back(interval);
    }
}

// A product takes no time of the memory pipe: its mark is in the last tick of the request that
// brings the last of its fragments.
void add_products(const Replay& replay, const Scale& scale, float gap_px, TimelineTracks& out) {
    const std::vector<Step>& steps = replay.schedule().steps;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        if (!replay.tensor().computes(i)) continue;
        const float end = scale.at(steps[i].end());
        float begin = std::min(scale.at(steps[i].end() - 1), end - kLeastIntervalPx);
        if (out.merged) {
            begin = std::floor(begin);
            if (!out.tensor.empty() && begin < out.tensor.back().end) continue;
            out.tensor.push_back({begin, begin + 1, 1, 0, 0});
        } else {
            out.tensor.push_back({begin, std::max(begin + 1, end - gap_px), 1, 0, 0});
        }
    }
}

void add_barriers(const Replay& replay, const Scale& scale, TimelineTracks& out) {
    for (std::uint32_t i = 0; i < replay.schedule().barriers.size(); ++i) {
        const float at = scale.at(replay.schedule().barriers[i].at);
        if (out.barriers.empty() || at - out.barriers.back().at >= 1)
            out.barriers.push_back({at, i});
    }
}

// The phase whose computation uses the values that a span loads. A prefetch loads for a later
// phase.
std::uint32_t phase_served(const Replay& replay, const PhaseSpan& span) {
    const std::vector<Flight>& flights = replay.flights();
    if (span.part != Part::kLoad || !replay.trace().product) return span.phase;
    auto flight = std::ranges::lower_bound(flights, span.begin, {}, &Flight::depart);
    for (; flight != flights.end() && flight->depart < span.end; ++flight)
        if (flight->first_read < replay.schedule().steps.size())
            return replay.schedule().steps[flight->first_read].phase;
    return span.phase;
}

// Calls visit(array, plane, fill) for all fills of all planes.
template <class Visit>
void for_each_fill(const Replay& replay, Visit&& visit) {
    const Trace& trace = replay.trace();
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        const Array& array = trace.arrays[id];
        if (array.space != Space::kShared || array.planes() == 1) continue;
        for (std::uint32_t plane = 0; plane < array.planes(); ++plane)
            for (const BufferFill& fill : replay.fills(id, plane)) visit(id, plane, fill);
    }
}

void add_uses(const Replay& replay, const Scale& scale, TimelineTracks& out) {
    const std::vector<Step>& steps = replay.schedule().steps;
    float last = -1;
    for_each_fill(replay, [&](ArrayId id, std::uint32_t plane, const BufferFill& fill) {
        out.planes = std::max(out.planes, replay.trace().arrays[id].planes());
        const auto add = [&](std::uint32_t from, std::uint32_t to, bool read) {
            if (from == kNoStep) return;
            const Tick end = to == kNoStep ? replay.schedule().ticks : steps[to].end();
            const float begin = scale.at(steps[from].begin);
            const float until = std::max(scale.at(end), begin + 1);
            if (until < last + 1 && until >= last) return;  // it would draw no new pixel
            last = until;
            out.uses.push_back({begin, until, plane, role_of_array(replay, id), read});
        };
        add(fill.begun, fill.last_filled, false);
        add(fill.first_read, fill.last_read, true);
    });
}

// The tiles of a load span. A tile belongs to it if its copies begin in the span, or if some of
// them arrive in it.
struct Copies {
    std::uint32_t first = kNoStep, last = 0;  // phases
    std::vector<std::string> places;          // "As[0]"
    std::string index;                        // "[0]"; empty if the copies are of several stages
    [[nodiscard]] bool any() const { return first != kNoStep; }
    void add(const Array& array, std::uint32_t plane, std::uint32_t phase) {
        const std::string in = "[" + std::to_string(plane) + "]";
        index = !any() || index == in ? in : std::string();
        first = std::min(first, phase);
        last = std::max(last, phase);
        places.push_back(array.name + in);
    }
    [[nodiscard]] std::string tiles() const {
        const std::string from = std::to_string(first + 1);
        return first == last ? from : from + " to " + std::to_string(last + 1);
    }
};

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

// "copy tile 3 → As[0], Bs[0]", "tile 1 arrives". Empty if nothing is copied in this span.
std::vector<std::string> copy_texts(const Replay& replay, const PhaseSpan& span) {
    Copies begun, arrived;
    const auto within = [&](std::uint32_t from, std::uint32_t to) {
        return from != kNoStep && to != kNoStep && replay.schedule().steps[from].begin < span.end &&
               replay.schedule().steps[to].end() > span.begin;
    };
    for_each_fill(replay, [&](ArrayId id, std::uint32_t plane, const BufferFill& fill) {
        if (!fill.copied) return;
        const Array& array = replay.trace().arrays[id];
        if (within(fill.begun, fill.last_begun)) begun.add(array, plane, fill.phase);
        if (within(fill.first_filled, fill.last_filled)) arrived.add(array, plane, fill.phase);
    });
    if (begun.any()) {
        const std::string tiles = begun.tiles();
        if (begun.first != begun.last) return {"copy tiles " + tiles, "copy " + tiles};
        const std::string to = " \xe2\x86\x92 ";
        return {"copy tile " + tiles + to + listed(begun.places),
                "copy tile " + tiles + to + begun.index, "copy " + tiles + to + begun.index,
                "copy " + tiles};
    }
    if (!arrived.any()) return {};
    return {"tile " + arrived.tiles() + " arrives", arrived.tiles() + " arrives"};
}

// "load global", "load, store shared": what the steps of a span do, and the same without the kind
// of memory.
std::vector<std::string> access_texts(const Replay& replay, const PhaseSpan& span) {
    const std::vector<Step>& steps = replay.schedule().steps;
    std::array<std::vector<std::string>, 3> verbs;  // of global, shared and constant memory
    std::vector<std::string> all;
    const auto add = [](std::vector<std::string>& to, std::string_view verb) {
        if (std::ranges::find(to, verb) == to.end()) to.emplace_back(verb);
    };
    auto step = std::ranges::lower_bound(steps, span.begin, {}, &Step::begin);
    for (; step != steps.end() && step->begin < span.end; ++step) {
        const std::string_view verb = words_for(replay.trace().sites[step->site].operation).access;
        add(verbs[is_global(replay, *step) ? 0 : is_constant(replay, *step) ? 2 : 1], verb);
        add(all, verb);
    }
    std::vector<std::string> whole;
    constexpr std::array<const char*, 3> kSpaces = {" global", " shared", " constant"};
    for (std::size_t i = 0; i < verbs.size(); ++i)
        if (!verbs[i].empty()) whole.push_back(listed(verbs[i]) + kSpaces[i]);
    return {listed(whole), listed(all)};
}

// Whether a part of a product accesses nothing but C: it stores, also by way of shared memory.
bool only_stores(const Replay& replay, const PhaseSpan& span) {
    const std::vector<Step>& steps = replay.schedule().steps;
    auto step = std::ranges::lower_bound(steps, span.begin, {}, &Step::begin);
    bool any = false;
    for (; step != steps.end() && step->begin < span.end; ++step) {
        const Site& site = replay.trace().sites[step->site];
        if (site.array == kNoArray) continue;
        if (replay.tone_of(site.array) != Tone::kC) return false;
        any = true;
    }
    return any;
}

TrackLabel label_of(const Replay& replay, const Scale& scale, std::uint32_t index) {
    constexpr std::array<const char*, 3> kNames = {"load", "compute", "store"};
    const PhaseSpan& span = replay.schedule().spans[index];
    TrackLabel label{scale.at(span.begin), scale.at(span.end), index};
    if (span.part == Part::kLoad) label.texts = copy_texts(replay, span);
    if (label.texts.empty() && !replay.trace().product) {
        label.texts = access_texts(replay, span);
        if (replay.schedule().phases > 1)
            for (std::string& text : label.texts)
                text.append(" ").append(std::to_string(span.phase + 1));
    }
    if (label.texts.empty()) {
        const bool stores = span.part == Part::kLoad && only_stores(replay, span);
        const Part part = stores ? Part::kStore : span.part;
        std::string text = kNames[static_cast<std::size_t>(part)];
        if (part != Part::kStore && replay.rounds().empty())
            text.append(" ").append(std::to_string(phase_served(replay, span) + 1));
        label.texts.push_back(std::move(text));
    }
    return label;
}

void add_labels(const Replay& replay, const Scale& scale, float label_px, TimelineTracks& out) {
    for (std::uint32_t i = 0; i < replay.schedule().spans.size(); ++i) {
        const PhaseSpan& span = replay.schedule().spans[i];
        if (scale.at(span.end) - scale.at(span.begin) >= label_px)
            out.labels.push_back(label_of(replay, scale, i));
    }
}

}  // namespace

TimelineTracks make_tracks(const Replay& replay, float width_px, float gap_px, float label_px) {
    TimelineTracks out;
    if (replay.schedule().ticks == 0 || width_px < 1) return out;
    const Scale scale{static_cast<double>(width_px) / static_cast<double>(replay.schedule().ticks)};
    const double mean_px =
        static_cast<double>(width_px) /
        static_cast<double>(std::max<std::size_t>(1, replay.schedule().steps.size()));
    if (mean_px >= kLeastIntervalPx)
        add_single_intervals(replay, scale, gap_px, out);
    else
        add_merged_intervals(replay, scale, width_px, out);
    add_products(replay, scale, gap_px, out);
    add_barriers(replay, scale, out);
    add_uses(replay, scale, out);
    add_labels(replay, scale, label_px, out);
    return out;
}

std::optional<TrackLabel> label_at(const Replay& replay, float width_px, double tick) {
    const std::vector<PhaseSpan>& spans = replay.schedule().spans;
    const auto after = std::ranges::upper_bound(
        spans, tick, {}, [](const PhaseSpan& span) { return static_cast<double>(span.begin); });
    if (after == spans.begin() || tick >= static_cast<double>((after - 1)->end))
        return std::nullopt;
    const Scale scale{static_cast<double>(width_px) / static_cast<double>(replay.schedule().ticks)};
    return label_of(replay, scale, static_cast<std::uint32_t>(after - 1 - spans.begin()));
}

std::uint32_t step_at(const Replay& replay, double tick) {
    const std::vector<Step>& steps = replay.schedule().steps;
    if (steps.empty()) return kNoStep;
    const auto after = std::ranges::upper_bound(
        steps, tick, {}, [](const Step& step) { return static_cast<double>(step.begin); });
    return after == steps.begin() ? 0 : static_cast<std::uint32_t>(after - steps.begin() - 1);
}

ImU32 color_of_interval(const Palette& colors, const TrackInterval& interval) {
    const float ab = interval.share_a + interval.share_b;
    if (ab <= 0) return colors.c;
    const ImU32 pair = mix(colors.a, colors.b, interval.share_b / ab);
    return mix(colors.c, pair, ab);
}

}  // namespace tilereel
