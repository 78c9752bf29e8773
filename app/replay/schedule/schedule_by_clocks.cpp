#include "app/replay/schedule/schedule_by_clocks.h"

#include <algorithm>
#include <vector>

namespace tilereel {
namespace {

// The issue time of each step in cycles of the block, never before the previous step's. One more
// entry is the time of the block's last record.
std::vector<std::uint64_t> issue_times(const Trace& trace, const BlockRecords& records,
                                       const std::vector<std::uint64_t>& runs_at) {
    std::vector<std::uint64_t> times;
    times.reserve(runs_at.size() + 1);
    std::uint64_t latest = 0;
    for (const std::uint64_t record : runs_at) {
        latest = std::max(latest, trace.records.clock[record]);
        times.push_back(latest);
    }
    for (std::uint64_t record = records.first; record < records.last; ++record)
        latest = std::max(latest, trace.records.clock[record]);
    times.push_back(latest);
    return times;
}

// The cycles of a tick: half the average gap between requests. Gaps over kFar times the third
// quartile are waits and do not count.
std::uint64_t tick_cycles(const std::vector<std::uint64_t>& times) {
    std::vector<std::uint64_t> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
    if (gaps.empty()) return 1;
    const auto quarter = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() * 3 / 4);
    std::ranges::nth_element(gaps, quarter);
    const std::uint64_t usual = *quarter;
    constexpr std::uint64_t kFar = 8;
    double sum = 0, count = 0;
    for (const std::uint64_t gap : gaps) {
        if (gap / kFar > usual) continue;
        sum += static_cast<double>(gap);
        ++count;
    }
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(sum / (2 * count)), 1);
}

std::uint32_t ticks_of_gap(std::uint64_t cycles, std::uint64_t cycles_per_tick) {
    const std::uint64_t whole = cycles / cycles_per_tick;
    const bool up = cycles % cycles_per_tick >= cycles_per_tick - cycles_per_tick / 2;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        std::min<std::uint64_t>(whole, kLongestGapTicks) + (up ? 1 : 0), 1, kLongestGapTicks));
}

}  // namespace

void stretch_by_clocks(const Trace& trace, const BlockRecords& records, Schedule& schedule) {
    const std::vector<std::uint64_t> times = issue_times(trace, records, schedule.runs_at);
    schedule.cycles_per_tick = tick_cycles(times);
    std::vector<Tick> begins;  // of each step, and the end
    begins.reserve(times.size());
    Tick at = 0;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        Step& step = schedule.steps[i];
        begins.push_back(at);
        step.begin = at;
        step.ticks = ticks_of_gap(times[i + 1] - times[i], schedule.cycles_per_tick);
        at = step.end();
    }
    begins.push_back(at);
    schedule.ticks = at;
    for (EpochSpan& epoch : schedule.epochs) epoch.begin = begins[epoch.begin];
    for (Barrier& barrier : schedule.barriers) barrier.at = begins[barrier.at];
}

}  // namespace tilereel
