#include "app/replay/arrays/element_uses.h"

#include <algorithm>
#include <bit>

#include "instrumentation/base/check.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// Returns false if no lane of a regular record can access [begin, end). It is cheaper than
// computing 32 addresses.
bool may_touch(const Trace& trace, std::uint64_t record, std::uint32_t width_bytes,
               std::int64_t begin, std::int64_t end) {
    dcheck(record < trace.records.size());
    const Pattern& pattern = trace.patterns[trace.records.pattern[record]];
    if (pattern.irregular != Pattern::kRegular || pattern.mask == 0) return true;
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(pattern.mask));
    std::int64_t first = trace.records.base[record], last = first + width_bytes;
    for (std::uint32_t bit = 0; bit < pattern.delta_bytes.size(); ++bit) {
        const std::int64_t delta = pattern.delta_bytes[bit];
        const std::int64_t off = (lowest >> bit & 1u) != 0 ? -delta : 0;
        first += std::min<std::int64_t>(delta, 0) + off;
        last += std::max<std::int64_t>(delta, 0) + off;
    }
    return first < end && last > begin;
}

}  // namespace

std::vector<ElementUse> uses_of_element(const Replay& replay, ArrayId array, std::uint64_t begin,
                                        std::uint32_t bytes) {
    const Trace& trace = replay.trace();
    const std::vector<Step>& steps = replay.schedule().steps;
    std::vector<ElementUse> uses;
    for (std::uint32_t index = 0; index < steps.size(); ++index) {
        const Site& site = trace.sites[steps[index].site];
        if (site.array != array) continue;
        if (!may_touch(trace, steps[index].record, site.width_bytes,
                       static_cast<std::int64_t>(begin), static_cast<std::int64_t>(begin) + bytes))
            continue;
        const LaneOffsets lanes = lane_offsets(trace, steps[index].record);
        ElementUse use{
            .step = index, .reads = reads(site.operation), .writes = writes(site.operation)};
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
            if ((lanes.mask >> lane & 1u) == 0) continue;
            const std::uint64_t first = lanes.bytes[lane];
            if (first >= begin + bytes || first + site.width_bytes <= begin) continue;
            if (use.lanes++ == 0) use.first_lane = lane;
        }
        if (use.lanes > 0) uses.push_back(use);
    }
    return uses;
}

std::optional<ElementUse> next_use(const Replay& replay, const std::vector<ElementUse>& uses,
                                   Tick now) {
    if (uses.empty()) return std::nullopt;
    const auto next = std::ranges::find_if(
        uses, [&](const ElementUse& use) { return replay.schedule().steps[use.step].begin > now; });
    return next == uses.end() ? uses.front() : *next;
}

std::string uses_text(const std::vector<ElementUse>& uses) {
    const auto count = [&](bool ElementUse::*what) {
        const auto requests = static_cast<std::uint64_t>(std::ranges::count(uses, true, what));
        return requests == 1 ? std::string("1 request") : with_commas(requests) + " requests";
    };
    const bool read = std::ranges::any_of(uses, &ElementUse::reads);
    const bool written = std::ranges::any_of(uses, &ElementUse::writes);
    if (!read && !written) return "not accessed by this block";
    std::string words = "in this block ";
    if (read) words += "read by " + count(&ElementUse::reads);
    if (read && written) words += ", ";
    if (written) words += "written by " + count(&ElementUse::writes);
    return words;
}

std::string use_text(const Replay& replay, const ElementUse& use) {
    const Step& step = replay.schedule().steps[use.step];
    const bool one = use.lanes == 1;
    const std::string who =
        one ? "lane " + std::to_string(use.first_lane) : std::to_string(use.lanes) + " lanes";
    const std::string does = use.reads && use.writes ? (one ? "reads and writes" : "read and write")
                             : use.writes            ? (one ? "writes" : "write")
                                                     : (one ? "reads" : "read");
    return who + " of warp " + std::to_string(step.warp) + " " + does + " it, line " +
           std::to_string(replay.trace().sites[step.site].line) + ", tick " +
           with_commas(step.begin + 1);
}

}  // namespace tilereel
