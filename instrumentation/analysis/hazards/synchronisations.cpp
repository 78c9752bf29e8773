#include "instrumentation/analysis/hazards/synchronisations.h"

#include <algorithm>
#include <array>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

Synchronisations::Synchronisations(const Trace& trace)
    : trace_(trace), segments_(trace.segments.size()) {
    const Segments& segments = trace.segments;
    for (std::size_t i = 0; i < segments.size(); ++i)
        for (const std::uint64_t record : records_of(segments, i)) add_record(record, segments_[i]);
    for (std::size_t first = 0, last = 0; first < segments.size(); first = last) {
        while (last < segments.size() && segments.block[last] == segments.block[first]) ++last;
        add_block({first, last});
    }
}

void Synchronisations::add_record(std::uint64_t record, Segment& segment) {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    if (site.operation == Operation::kWarpBarrier || site.operation == Operation::kExchange)
        lane_barriers_.push_back({record, trace_.patterns[trace_.records.pattern[record]].mask});
    const bool orders = site.operation == Operation::kAtomic || site.is_volatile();
    if (orders && trace_.arrays[site.array].space == Space::kGlobal) segment.grid.add(record);
    if (orders || is_mbarrier_operation(site.operation)) segment.block.add(record);
    arrives_at_others_ =
        arrives_at_others_ || (site.operation == Operation::kArrive && site.is_of_other_block());
}

// The segments of a block are sorted by epoch.
void Synchronisations::add_block(SegmentRange range) {
    const std::vector<std::uint32_t>& epochs = trace_.segments.epoch;
    constexpr std::uint32_t kNoEpoch = 0xffffffff;
    std::uint32_t first_epoch = kNoEpoch, last_epoch = 0, grid_phase = 0;
    std::uint32_t cluster_phase = 0;
    for (std::size_t i = range.first; i < range.last; ++i)
        if (segments_[i].grid.any()) {
            first_epoch = std::min(first_epoch, epochs[i]);
            last_epoch = epochs[i];
        }
    bool grid_barrier = false, cluster_barrier = false;
    for (std::size_t i = range.first; i < range.last; ++i) {
        if (i > range.first && epochs[i] != epochs[i - 1]) {
            grid_phase += grid_barrier;
            cluster_phase += cluster_barrier;
            grid_barrier = cluster_barrier = false;
        }
        Segment& segment = segments_[i];
        segment.grid_phase = grid_phase;
        segment.cluster_phase = cluster_phase;
        segment.before = first_epoch < epochs[i];
        segment.after = first_epoch != kNoEpoch && last_epoch > epochs[i];
        const std::uint64_t end = trace_.segments.record_begin[i + 1];
        if (end == trace_.segments.record_begin[i]) continue;
        const Site& last = site_at(trace_, end - 1);
        if (last.operation != Operation::kBarrier) continue;
        grid_barrier |= last.variety == static_cast<std::uint8_t>(BarrierKind::kGrid);
        cluster_barrier |= last.variety == static_cast<std::uint8_t>(BarrierKind::kCluster);
    }
}

bool Synchronisations::acquired(const GlobalAccess& access) const {
    const Segment& segment = segments_[access.segment];
    return segment.before || segment.grid.first < access.record;
}

bool Synchronisations::released(const GlobalAccess& access) const {
    const Segment& segment = segments_[access.segment];
    return segment.after || (segment.grid.any() && segment.grid.last > access.record);
}

bool Synchronisations::synchronises(const GlobalAccess& access) const {
    const Site& site = trace_.sites[access.site];
    return site.operation == Operation::kAtomic || site.is_volatile();
}

// Whether the access may itself wait for the other one: a volatile read, or an atomic that a lock
// is made of.
bool Synchronisations::acquires(const GlobalAccess& access) const {
    const Site& site = trace_.sites[access.site];
    return site.is_volatile() ||
           (site.operation == Operation::kAtomic && (site.atomic() == AtomicKind::kExchange ||
                                                     site.atomic() == AtomicKind::kCompareAndSwap));
}

// Whether both accesses are of one cluster, and something orders them in it.
bool Synchronisations::within_cluster(const GlobalAccess& a, const GlobalAccess& b) const {
    const Launch& launch = trace_.launch;
    if (launch.cluster.count() == 1) return false;
    const auto cluster_of = [&](const GlobalAccess& access) {
        const std::uint32_t block = trace_.segments.block[access.segment];
        return std::array{block % launch.grid.x / launch.cluster.x,
                          block / launch.grid.x % launch.grid.y / launch.cluster.y,
                          block / launch.grid.x / launch.grid.y / launch.cluster.z};
    };
    return cluster_of(a) == cluster_of(b) &&
           (arrives_at_others_ ||
            segments_[a.segment].cluster_phase != segments_[b.segment].cluster_phase);
}

bool Synchronisations::between_blocks(const GlobalAccess& a, const GlobalAccess& b) const {
    if (within_cluster(a, b)) return true;
    if (segments_[a.segment].grid_phase != segments_[b.segment].grid_phase) return true;
    const bool a_acquired = acquired(a) || acquires(a), b_acquired = acquired(b) || acquires(b);
    const bool a_released = released(a) || synchronises(a);
    const bool b_released = released(b) || synchronises(b);
    return (a_released && b_acquired) || (b_released && a_acquired);
}

bool Synchronisations::between_warps(const GlobalAccess& a, const GlobalAccess& b) const {
    const Span &of_a = segments_[a.segment].block, &of_b = segments_[b.segment].block;
    const bool a_acquired = of_a.first < a.record || acquires(a);
    const bool b_acquired = of_b.first < b.record || acquires(b);
    const bool a_released = (of_a.any() && of_a.last > a.record) || synchronises(a);
    const bool b_released = (of_b.any() && of_b.last > b.record) || synchronises(b);
    return (a_released && b_acquired) || (b_released && a_acquired);
}

bool Synchronisations::between_lanes(const GlobalAccess& a, const GlobalAccess& b) const {
    const std::uint64_t begin = std::min(a.record, b.record), end = std::max(a.record, b.record);
    const Span& span = segments_[a.segment].block;
    if (span.any() && span.first < end && span.last > begin) return true;
    const std::uint32_t both = 1u << a.lane | 1u << b.lane;
    for (auto at = std::ranges::lower_bound(lane_barriers_, begin, {}, &LaneBarrier::record);
         at != lane_barriers_.end() && at->record < end; ++at)
        if ((at->mask & both) == both) return true;
    return false;
}

}  // namespace tilereel
