#include "app/replay/arrays/locals.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>
#include <limits>
#include <set>

#include "app/replay/elements.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kAllRecords = ~std::uint64_t{0};

std::span<const std::byte> bytes_of(const Local& local, const std::uint64_t& bits) {
    return std::as_bytes(std::span(&bits, 1))
        .first(std::min<std::size_t>(type_bytes(local.type), sizeof bits));
}

}  // namespace

WarpLocals::WarpLocals(const Replay& replay, std::uint32_t warp) : replay_(replay), warp_(warp) {
    const Trace& trace = replay.trace();
    std::uint64_t latest = 0;
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i) {
        if (replay.schedule().steps[i].warp != warp) continue;
        // An asynchronous copy arrives later than its place in the records.
        latest = std::max(latest, replay.schedule().steps[i].record);
        steps_.push_back(i);
        step_records_.push_back(latest);
    }
    const SegmentRange range = segments_of_block(trace, replay.block());
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        if (trace.segments.warp[segment] != warp) continue;
        std::uint64_t word = trace.segments.value_begin[segment];
        const std::uint64_t end = trace.segments.record_begin[segment + 1];
        for (std::uint64_t record = trace.segments.record_begin[segment]; record < end; ++record) {
            const bool kept = has_values(trace, record);
            add_event(site_at(trace, record), record, kept ? word : kNoWord);
            if (kept) word += value_count(trace, record);
        }
    }
    name_variables();
}

void WarpLocals::add_event(const Site& site, std::uint64_t record, std::size_t word) {
    const Trace& trace = replay_.trace();
    const bool sum = site.operation == Operation::kMultiplyAdd;
    if ((!sum && site.operation != Operation::kAssign) || site.local >= trace.locals.size()) return;
    const auto [entry, fresh] =
        found_.try_emplace({site.local, sum, trace.records.base[record]}, events_.size());
    if (fresh) {
        variables_.push_back({.local = site.local, .element = trace.records.base[record]});
        events_.emplace_back();
    }
    events_[entry->second].push_back({record, word,
                                      trace.patterns[trace.records.pattern[record]].mask,
                                      static_cast<std::uint8_t>(site.words())});
}

// A sum is recorded with the number of its accumulator, not of its element. Accumulators are
// numbered in the order of their first use. A loop over the elements uses them in their order, so
// the n-th accumulator of a local array is its n-th element.
void WarpLocals::name_variables() {
    const Trace& trace = replay_.trace();
    std::map<LocalId, std::vector<std::size_t>> elements, sums;  // by number
    for (const auto& [key, index] : found_) (key.sum ? sums : elements)[key.local].push_back(index);
    std::vector<bool> merged(variables_.size(), false);
    for (const auto& [local, of_local] : sums) {
        std::vector<std::size_t>& own = elements[local];
        for (std::size_t i = 0; i < of_local.size(); ++i) {
            if (i >= own.size()) {  // no assignment was recorded, as for a parameter
                variables_[of_local[i]].element = static_cast<std::uint32_t>(i);
                own.push_back(of_local[i]);
                continue;
            }
            std::vector<Event>& to = events_[own[i]];
            const std::vector<Event>& from = events_[of_local[i]];
            to.insert(to.end(), from.begin(), from.end());
            std::ranges::stable_sort(to, {}, &Event::record);
            merged[of_local[i]] = true;
        }
    }
    std::vector<LocalVariable> variables;
    std::vector<std::vector<Event>> events;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        if (merged[i]) continue;
        LocalVariable& variable = variables_[i];
        const Local& local = trace.locals[variable.local];
        variable.is_element = elements[variable.local].size() > 1;
        variable.name = local.name;
        if (variable.is_element) variable.name += "[" + std::to_string(variable.element) + "]";
        variable.type =
            local.type_name.empty() ? std::string(type_name(local.type)) : local.type_name;
        variables.push_back(std::move(variable));
        events.push_back(std::move(events_[i]));
    }
    variables_ = std::move(variables);
    events_ = std::move(events);
    found_.clear();
    keyframes_.resize(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
        LaneValues values{};
        for (std::size_t event = 0; event < events_[i].size(); ++event) {
            if (event % kKeyframe == 0) keyframes_[i].push_back(values);
            apply(values, events_[i][event]);
        }
    }
    find_counters();
}

SiteId WarpLocals::site_of_event(const Event& event) const {
    return site_of(replay_.trace(), event.record);
}

void WarpLocals::find_counters() {
    const Trace& trace = replay_.trace();
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        const Local& local = trace.locals[variables_[i].local];
        const bool integer = local.type > ElementType::kBfloat16 &&
                             local.type != ElementType::kBytes && local.type_name != "bool";
        if (!integer || variables_[i].is_element || is_address(trace, variables_[i])) continue;
        if (events_[i].size() < 2) continue;
        const std::uint32_t line = trace.sites[site_of_event(events_[i].front())].line;
        const auto on_line = [&](const Event& event) {
            const Site& site = trace.sites[site_of_event(event)];
            return site.line == line && site.operation == Operation::kAssign;
        };
        if (std::ranges::all_of(events_[i], on_line)) counters_.push_back(i);
    }
    std::ranges::stable_sort(counters_, std::greater<>(),
                             [this](std::size_t i) { return events_[i].size(); });
}

WarpLocals::Moment WarpLocals::moment() const {
    const std::uint32_t now = replay_.state().step;
    if (steps_.empty()) return {0, kAllRecords};
    if (now == kNoStep) return {step_records_.back(), kAllRecords};
    const auto after =
        static_cast<std::size_t>(std::ranges::upper_bound(steps_, now) - steps_.begin());
    if (after == 0) return {0, step_records_.front()};
    const std::size_t last = after - 1;
    if (steps_[last] == now) return {last == 0 ? 0 : step_records_[last - 1], step_records_[last]};
    return {step_records_[last], after < steps_.size() ? step_records_[after] : kAllRecords};
}

void WarpLocals::apply(LaneValues& values, const Event& event) const {
    const std::vector<std::uint32_t>& words = replay_.trace().words;
    std::size_t word = event.word;
    for (std::uint32_t mask = event.mask; mask != 0; mask &= mask - 1) {
        LocalValue& value = values[static_cast<std::size_t>(std::countr_zero(mask))];
        value.known = event.word != kNoWord;
        if (!value.known) continue;
        value.bits = words[word];
        if (event.words > 1) value.bits |= std::uint64_t{words[word + 1]} << 32;
        word += event.words;
    }
}

LaneValues WarpLocals::values(std::size_t variable) const {
    const Moment now = moment();
    const std::vector<Event>& events = events_[variable];
    const auto end = static_cast<std::size_t>(
        std::ranges::lower_bound(events, now.end, {}, &Event::record) - events.begin());
    LaneValues values{};
    if (end == 0) return values;
    const std::size_t keyframe = (end - 1) / kKeyframe;
    values = keyframes_[variable][keyframe];
    for (std::size_t i = keyframe * kKeyframe; i < end; ++i) apply(values, events[i]);
    for (std::size_t i = end; i-- > 0 && events[i].record >= now.begin;)
        for (std::uint32_t mask = events[i].mask; mask != 0; mask &= mask - 1)
            values[static_cast<std::size_t>(std::countr_zero(mask))].changed = true;
    return values;
}

std::vector<LocalValue> WarpLocals::history(std::size_t variable, std::uint32_t lane,
                                            std::size_t most) const {
    dcheck(lane < kWarpSize);
    constexpr std::size_t kMostExamined = 4096;  // events
    const Moment now = moment();
    const std::vector<Event>& events = events_[variable];
    auto at = static_cast<std::size_t>(
        std::ranges::lower_bound(events, now.end, {}, &Event::record) - events.begin());
    std::vector<LocalValue> found;
    const std::size_t least = at > kMostExamined ? at - kMostExamined : 0;
    while (at-- > least && found.size() < most) {
        if ((events[at].mask >> lane & 1u) == 0 || events[at].word == kNoWord) continue;
        LaneValues values{};
        apply(values, events[at]);
        values[lane].changed = events[at].record >= now.begin;
        found.push_back(values[lane]);
    }
    std::ranges::reverse(found);
    return found;
}

LocalValue WarpLocals::value_of(const Event& event, std::uint32_t lane) const {
    dcheck(lane < kWarpSize);
    LaneValues values{};
    apply(values, event);
    return values[lane];
}

std::optional<LoopIterations> WarpLocals::iterations(std::size_t variable, std::uint32_t lane,
                                                     std::size_t most) const {
    for (const std::size_t counter : counters_)
        if (counter != variable)
            if (auto found = iterations_by(counter, variable, lane, std::max<std::size_t>(most, 1)))
                return found;
    return std::nullopt;
}

// Each assignment at the site of the first one, `int k = 0`, begins the loop again.
std::optional<LoopIterations> WarpLocals::iterations_by(std::size_t counter, std::size_t variable,
                                                        std::uint32_t lane,
                                                        std::size_t most) const {
    dcheck(lane < kWarpSize);
    constexpr std::size_t kMostExamined = 65'536;  // assignments before the present one
    const std::vector<Event>& counts = events_[counter];
    const std::vector<Event>& values = events_[variable];
    const std::uint64_t end = moment().end;
    const auto first_after = std::ranges::lower_bound(counts, end, {}, &Event::record);
    const auto present =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(first_after - counts.begin(), 1) - 1);
    const SiteId start = site_of_event(counts.front());
    std::size_t first = present;
    while (first > 0 && site_of_event(counts[first]) != start && present - first < kMostExamined)
        --first;
    // If the next assignment has that site, too, the runs of the loop cannot be distinguished.
    const bool one_site = counts.size() > first + 1 && site_of_event(counts[first + 1]) == start;
    if (one_site) first = 0;
    LoopIterations found{.counter = counter, .all = {}};
    const std::size_t page = first + (present - first) / most * most;
    found.more_before = page > first;
    found.now = most;
    for (std::size_t i = page; i < counts.size(); ++i) {
        if (i > first && !one_site && site_of_event(counts[i]) == start) break;
        const std::uint64_t until =
            i + 1 < counts.size() ? counts[i + 1].record : ~std::uint64_t{0};
        auto last = std::ranges::lower_bound(values, until, {}, &Event::record);
        while (last != values.begin() && std::prev(last)->record > counts[i].record &&
               (std::prev(last)->mask >> lane & 1u) == 0)
            --last;
        if (last == values.begin() || std::prev(last)->record < counts[i].record ||
            (counts[i].mask >> lane & 1u) == 0)
            continue;
        if (found.all.size() == most) {
            found.more_after = true;
            break;
        }
        if (i == present && !counts.empty() && counts[i].record < end) found.now = found.all.size();
        found.all.push_back({value_of(counts[i], lane), value_of(*std::prev(last), lane),
                             std::prev(last)->record < end});
    }
    found.now = std::min(found.now, found.all.size());
    // Fewer than two iterations assign the variable: there is nothing to show.
    if (found.all.size() + (found.more_before ? 1 : 0) < 2) return std::nullopt;
    return found;
}

bool is_address(const Trace& trace, const LocalVariable& variable) {
    const Local& local = trace.locals[variable.local];
    return type_bytes(local.type) == 8 && local.type_name.find('*') != std::string::npos;
}

std::string text_of(const Trace& trace, const LocalVariable& variable, const LocalValue& value) {
    if (!value.known) return "?";
    const Local& local = trace.locals[variable.local];
    if (local.type_name == "bool") return (value.bits & 1) != 0 ? "true" : "false";
    if (is_address(trace, variable)) {
        char text[24];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value.bits));
        return text;
    }
    std::string text = value_text(local.type, bytes_of(local, value.bits));
    const bool real = local.type <= ElementType::kBfloat16;
    // A whole number of a floating-point type is shown as such: 2.0.
    if (real && text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
}

double number_of(const Trace& trace, const LocalVariable& variable, const LocalValue& value) {
    const Local& local = trace.locals[variable.local];
    if (!value.known || local.type == ElementType::kBytes || is_address(trace, variable))
        return std::numeric_limits<double>::quiet_NaN();
    return number_of(local.type, bytes_of(local, value.bits));
}

}  // namespace tilereel
