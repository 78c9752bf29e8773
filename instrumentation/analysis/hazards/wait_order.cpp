#include "instrumentation/analysis/hazards/wait_order.h"

#include <algorithm>
#include <bit>

namespace tilereel {

// Calls work(its kind, lanes) if threads arrive at a barrier or start a copy for it.
template <class Work>
void WaitOrder::for_each_arrival(std::uint64_t record, Work&& work) {
    const Operation operation = site_at(trace_, record).operation;
    if (operation != Operation::kArrive && operation != Operation::kStartBulkCopy) return;
    const std::uint32_t mask = trace_.patterns[trace_.records.pattern[record]].mask;
    work(is_landing(record) ? missing_landings_ : missing_,
         static_cast<std::uint32_t>(std::popcount(mask)));
}

WaitOrder::WaitOrder(const Trace& trace, SegmentRange block) : trace_(trace) {
    for (std::size_t segment = block.first; segment < block.last; ++segment)
        for (const std::uint64_t record : records_of(trace.segments, segment))
            for_each_arrival(record, [&](Outstanding& missing, std::uint32_t lanes) {
                missing[{trace.records.base[record], trace.segments.warp[segment]}] += lanes;
            });
}

void WaitOrder::visit_epoch(std::size_t first, std::size_t last, const Visit& visit) {
    const Segments& segments = trace_.segments;
    std::vector<Cursor> cursors;
    for (std::size_t segment = first; segment < last; ++segment)
        cursors.push_back({segments.record_begin[segment], segments.record_begin[segment + 1],
                           segments.warp[segment], segments.value_begin[segment]});
    while (!cursors.empty()) {
        bool any = false;
        for (Cursor& cursor : cursors)
            while (cursor.next != cursor.end && !is_held(cursor.next, kNobody)) {
                pass(cursor, WaitEnd::kComplete, visit);
                any = true;
            }
        std::erase_if(cursors, [](const Cursor& cursor) { return cursor.next == cursor.end; });
        if (!any) release_held(cursors, visit);
    }
}

void WaitOrder::pass(Cursor& cursor, WaitEnd end, const Visit& visit) {
    for_each_arrival(cursor.next, [&](Outstanding& missing, std::uint32_t lanes) {
        const auto left = missing.find({trace_.records.base[cursor.next], cursor.warp});
        if ((left->second -= lanes) == 0) missing.erase(left);
    });
    visit({cursor.next, cursor.warp, cursor.value, end});
    if (has_values(trace_, cursor.next)) cursor.value += value_count(trace_, cursor.next);
    ++cursor.next;
}

void WaitOrder::release_held(std::vector<Cursor>& held, const Visit& visit) {
    const auto misses_others = [this](const Cursor& cursor) {
        return is_held(cursor.next, cursor.warp);
    };
    const bool all = std::ranges::all_of(held, misses_others);
    for (Cursor& cursor : held)
        if (all || !misses_others(cursor))
            pass(cursor, all ? WaitEnd::kIncomplete : WaitEnd::kEarly, visit);
}

bool WaitOrder::is_landing(std::uint64_t record) const {
    const Site& site = site_at(trace_, record);
    return site.operation == Operation::kStartBulkCopy && site.is_of_other_block();
}

// Whether something must come before the record that lacks yet, of a warp other than `except_warp`.
bool WaitOrder::is_held(std::uint64_t record, std::uint32_t except_warp) const {
    const std::uint32_t base = trace_.records.base[record];
    if (is_landing(record)) return lacks(missing_, base, except_warp);
    return site_at(trace_, record).operation == Operation::kWaitPhase &&
           (lacks(missing_, base, except_warp) || lacks(missing_landings_, base, except_warp));
}

// Whether the phase, or one before it, lacks an arrival of a warp other than `except_warp`.
bool WaitOrder::lacks(const Outstanding& arrivals, std::uint32_t base, std::uint32_t except_warp) {
    const std::uint32_t first = MBarrierPhase{MBarrierPhase::of(base).barrier, 0}.base();
    for (auto at = arrivals.lower_bound({first, 0});
         at != arrivals.end() && at->first.first <= base; ++at)
        if (at->first.second != except_warp) return true;
    return false;
}

}  // namespace tilereel
