#include "instrumentation/analysis/cost/counters.h"

#include <algorithm>

#include "instrumentation/trace/fragments/warpgroup_product.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// Not by the lanes of a warp.
bool is_by_tma(const Trace& trace, const Site& site) {
    return site.is_bulk() || is_of_tma(trace, site);
}

static_assert(sizeof(AccessCounts) == kCounters.size() * sizeof(std::uint64_t),
              "each field of AccessCounts has a row in kCounters");

SegmentRange segments_of(const Trace& trace, const CountRange& range) {
    if (range.block) return segments_of_block(trace, *range.block);
    return {.first = 0, .last = trace.segments.size()};
}

// Adds `times` requests of the same cost.
void add(AccessCounts& counts, const RequestCost& cost, std::uint64_t times) {
    for (const Counter& counter : kCounters) {
        const std::uint64_t one = counter.of_request == nullptr ? 1 : cost.*counter.of_request;
        std::uint64_t& sum = counts.*counter.sum;
        sum = counter.largest ? std::max(sum, one) : sum + times * one;
    }
}

AccessCounts& counts_of_kind(KernelCounts& counts, Space space, Operation operation) {
    if (space == Space::kConstant) return counts.constant_load;
    if (space == Space::kSharedCluster) return counts.cluster_access;
    if (operation == Operation::kAtomic)
        return space == Space::kGlobal ? counts.global_atomic : counts.shared_atomic;
    if (space == Space::kGlobal) return reads(operation) ? counts.global_load : counts.global_store;
    if (operation == Operation::kCopyStore) return counts.shared_copy;
    return reads(operation) ? counts.shared_load : counts.shared_store;
}

// Takes the lanes that do not exist out of `lanes_off`: those beyond the last thread of a block,
// and those of bulk copies.
void correct_lanes_off(const Trace& trace, const SegmentRange& range,
                       std::vector<SiteCounts>& sites) {
    const std::uint32_t threads = trace.launch.threads() % kWarpSize;
    const std::uint32_t last_warp = trace.launch.threads() / kWarpSize;
    const std::uint32_t no_threads = threads == 0 ? 0 : ~0u << threads;
    for (std::size_t segment = range.first; threads != 0 && segment < range.last; ++segment) {
        if (trace.segments.warp[segment] != last_warp) continue;
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const std::uint32_t on = trace.patterns[trace.records.pattern[record]].mask;
            sites[site_of(trace, record)].counts.lanes_off -=
                static_cast<std::uint64_t>(std::popcount(no_threads & ~on));
        }
    }
    for (SiteCounts& counted : sites)
        if (is_by_tma(trace, trace.sites[counted.site])) counted.counts.lanes_off = 0;
}

// The most block barriers that any one block executed. A barrier ends its warp's segment, and a
// block executed the barrier of an epoch if any of its warps did.
std::uint64_t barriers_of_a_block(const Trace& trace, const SegmentRange& range) {
    const Segments& segments = trace.segments;
    std::uint64_t most = 0, in_block = 0;
    bool counted = false;  // this epoch's barrier
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        const bool first = segment == range.first;
        const bool same_block = !first && segments.block[segment] == segments.block[segment - 1];
        if (!same_block) in_block = 0;
        if (!same_block || segments.epoch[segment] != segments.epoch[segment - 1]) counted = false;
        const std::uint64_t end = segments.record_begin[segment + 1];
        if (counted || end == segments.record_begin[segment]) continue;
        if (site_at(trace, end - 1).operation == Operation::kBarrier) {
            counted = true;
            most = std::max(most, ++in_block);
        }
    }
    return most;
}

}  // namespace

void count_request(KernelCounts& counts, Space space, Operation operation,
                   const RequestCost& cost) {
    add(counts_of_kind(counts, space, operation), cost, 1);
}

AccessCounts& AccessCounts::operator+=(const AccessCounts& more) {
    for (const Counter& counter : kCounters) {
        std::uint64_t& sum = this->*counter.sum;
        const std::uint64_t other = more.*counter.sum;
        sum = counter.largest ? std::max(sum, other) : sum + other;
    }
    return *this;
}

std::optional<double> KernelCounts::flop_per_byte_requested() const {
    const std::uint64_t bytes =
        global_load.bytes_requested + global_store.bytes_requested + global_atomic.bytes_requested;
    if (bytes == 0) return std::nullopt;
    return static_cast<double>(flop()) / static_cast<double>(bytes);
}

std::optional<double> KernelCounts::flop_per_byte_moved() const {
    const std::uint64_t bytes =
        global_load.bytes_moved + global_store.bytes_moved + global_atomic.bytes_moved;
    if (bytes == 0) return std::nullopt;
    return static_cast<double>(flop()) / static_cast<double>(bytes);
}

std::uint64_t KernelCounts::lanes_on_percent() const {
    std::uint64_t on = 0, off = 0;
    for (const AccessCounts* const kind :
         {&global_load, &global_store, &shared_load, &shared_store, &shared_copy, &global_atomic,
          &shared_atomic, &constant_load, &cluster_access}) {
        on += kind->accesses;
        off += kind->lanes_off;
    }
    return on + off == 0 ? 100 : 100 * on / (on + off);
}

std::vector<SiteCounts> count_sites(const Trace& trace, const CountRange& range,
                                    const Generation& generation) {
    std::vector<SiteCounts> sites(trace.sites.size());
    for (std::size_t site = 0; site < sites.size(); ++site)
        sites[site].site = static_cast<SiteId>(site);
    const SegmentRange segments = segments_of(trace, range);
    if (segments.first >= segments.last) return sites;

    CostCache costs(trace, generation);
    std::vector<std::uint64_t> times;  // by slot of the cache
    const std::uint64_t end = trace.segments.record_begin[segments.last];
    for (std::uint64_t record = trace.segments.record_begin[segments.first]; record < end;
         ++record) {
        const SiteId site = site_of(trace, record);
        const Operation operation = trace.sites[site].operation;
        if (trace.sites[site].is_of_other_block() && is_access(operation)) continue;
        if (is_access(operation)) {
            const std::uint32_t slot = costs.slot_of(record);
            if (slot >= times.size()) times.resize(slot + 1);
            ++times[slot];
            continue;
        }
        const auto lanes = static_cast<std::uint64_t>(
            std::popcount(trace.patterns[trace.records.pattern[record]].mask));
        sites[site].counts.accesses += lanes;
        sites[site].counts.lanes_off += kWarpSize - lanes;
        ++sites[site].counts.requests;
        if (operation == Operation::kMultiplyAdd) sites[site].multiply_adds += lanes;
        if (operation == Operation::kMatrixProduct) {
            const std::int64_t flop = flop_of_record(trace.records.base[record]);
            sites[site].multiply_adds += static_cast<std::uint64_t>(flop) / 2;
            ++sites[site].matrix_products;
        }
    }
    for (std::uint32_t slot = 0; slot < times.size(); ++slot)
        add(sites[costs.site_in(slot)].counts, costs.cost_in(slot), times[slot]);
    correct_lanes_off(trace, segments, sites);
    for (SiteCounts& site : sites)
        site.ticks = site.counts.wavefronts + site.counts.lines;  // one of them is 0
    return sites;
}

KernelCounts sum_of(const Trace& trace, const std::vector<SiteCounts>& sites,
                    const CountRange& range) {
    KernelCounts counts;
    for (const SiteCounts& entry : sites) {
        const Site& site = trace.sites[entry.site];
        counts.multiply_adds += entry.multiply_adds;
        counts.matrix_products += entry.matrix_products;
        if (is_access(site.operation))
            counts_of_kind(counts, trace.arrays[site.array].space, site.operation) += entry.counts;
    }
    counts.barriers = barriers_of_a_block(trace, segments_of(trace, range));
    return counts;
}

KernelCounts count_kernel(const Trace& trace, const CountRange& range,
                          const Generation& generation) {
    return sum_of(trace, count_sites(trace, range, generation), range);
}

KernelCounts count_warps(const Trace& trace) {
    std::vector<SiteCounts> sites = count_sites(trace);
    std::erase_if(sites, [&](const SiteCounts& counted) {
        return is_by_tma(trace, trace.sites[counted.site]);
    });
    return sum_of(trace, sites, {});
}

}  // namespace tilereel
