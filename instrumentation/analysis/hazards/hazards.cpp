#include "instrumentation/analysis/hazards/hazards.h"

#include <algorithm>
#include <map>

#include "instrumentation/analysis/hazards/finding_table.h"
#include "instrumentation/analysis/hazards/global_races.h"
#include "instrumentation/analysis/hazards/lane_conflicts.h"
#include "instrumentation/analysis/hazards/phase_races.h"
#include "instrumentation/analysis/hazards/product_groups.h"
#include "instrumentation/analysis/hazards/shared_races.h"
#include "instrumentation/analysis/products/mixed_fragments.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// A warp's barrier in an epoch, and the lanes that reached it.
struct Arrival {
    std::uint16_t warp = 0;
    SiteId site = 0;
    std::uint32_t lanes = 0;
    [[nodiscard]] HazardParty party() const {
        return {site, warp * 32u + static_cast<std::uint32_t>(std::countr_zero(lanes))};
    }
};

std::uint32_t mask_of(const Trace& trace, std::uint64_t record) {
    dcheck(record < trace.records.size());
    return trace.patterns[trace.records.pattern[record]].mask;
}

// What a warp does in later epochs.
struct Activity {
    std::uint32_t lanes = 0;
    SiteId site = 0;  // of the earliest record that follows
};

// The lanes of a warp that are threads of the block.
std::uint32_t lanes_of_warp(const Launch& launch, std::uint32_t warp) {
    const std::uint32_t threads =
        std::min(launch.threads() - warp * kWarpSize, std::uint32_t{kWarpSize});
    return threads == kWarpSize ? 0xffffffff : (1u << threads) - 1;
}

// Adds a finding if threads of the block neither arrive nor do anything later: they have ended.
void add_skipping(const Trace& trace, Finding found, const std::vector<Arrival>& arrivals,
                  const std::map<std::uint16_t, Activity>& later, FindingTable& findings) {
    if (arrivals.empty()) return;
    std::vector<std::uint32_t> skipping(trace.launch.warps());
    for (std::uint32_t warp = 0; warp < skipping.size(); ++warp)
        skipping[warp] = lanes_of_warp(trace.launch, warp);
    for (const Arrival& arrival : arrivals)
        if (arrival.warp < skipping.size()) skipping[arrival.warp] &= ~arrival.lanes;
    for (const auto& [warp, activity] : later)
        if (warp < skipping.size()) skipping[warp] &= ~activity.lanes;
    found.threads = 0;
    for (std::uint32_t warp = 0; warp < skipping.size(); ++warp) {
        if (skipping[warp] == 0) continue;
        if (found.threads == 0)
            found.second = {
                arrivals.front().site,
                warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(skipping[warp]))};
        found.threads += static_cast<std::uint32_t>(std::popcount(skipping[warp]));
    }
    if (found.threads == 0) return;
    found.hazard = Hazard::kBarrierSkipped;
    found.severity = Severity::kWarning;
    found.first = arrivals.front().party();
    findings.add(found);
}

// CUDA C++ Programming Guide, "Synchronization Functions": all threads of the block must reach the
// same __syncthreads(). Threads that have returned need not.
void add_barrier_findings(const Trace& trace, const SegmentRange& range, FindingTable& findings) {
    const Segments& segments = trace.segments;
    std::map<std::uint16_t, Activity> later;  // by warp: its records in later epochs
    for (std::size_t last = range.last; last > range.first;) {
        std::size_t first = last - 1;
        while (first > range.first && segments.epoch[first - 1] == segments.epoch[last - 1])
            --first;
        std::vector<Arrival> arrivals;
        for (std::size_t segment = first; segment < last; ++segment)
            for (const std::uint64_t record : records_of(segments, segment))
                if (site_at(trace, record).operation == Operation::kBarrier)
                    arrivals.push_back(
                        {segments.warp[segment], site_of(trace, record), mask_of(trace, record)});
        Finding found{.hazard = Hazard::kBarrierDivergence,
                      .block = segments.block[first],
                      .epoch = segments.epoch[first]};
        for (std::size_t i = 0; i < arrivals.size(); ++i)
            for (std::size_t j = i + 1; j < arrivals.size(); ++j) {
                if (arrivals[i].site == arrivals[j].site) continue;
                found.first = arrivals[i].party();
                found.second = arrivals[j].party();
                findings.add(found);
            }
        if (trace.complete) add_skipping(trace, found, arrivals, later, findings);
        for (const auto& [warp, activity] : later) {
            std::uint32_t missing = arrivals.empty() ? 0 : activity.lanes;
            for (const Arrival& arrival : arrivals)
                if (arrival.warp == warp) missing &= ~arrival.lanes;
            if (missing == 0) continue;
            found.second = {activity.site,
                            warp * 32u + static_cast<std::uint32_t>(std::countr_zero(missing))};
            for (const Arrival& arrival : arrivals) {
                found.first = arrival.party();
                findings.add(found);
            }
        }
        for (std::size_t segment = first; segment < last; ++segment)
            for (std::uint64_t record = segments.record_begin[segment + 1];
                 record > segments.record_begin[segment]; --record) {
                Activity& activity = later[segments.warp[segment]];
                activity.lanes |= mask_of(trace, record - 1);
                activity.site = site_of(trace, record - 1);
            }
        last = first;
    }
}

}  // namespace

std::vector<Finding> find_hazards(const Trace& trace, const Generation& generation) {
    FindingTable findings(trace);
    const auto add = [&findings](const Finding& found, std::uint32_t element) {
        findings.add(found, element);
    };
    SharedRaces races(trace, generation.independent_lanes, add);
    PhaseRaces phase_races(trace, generation.independent_lanes, add);
    const Segments& segments = trace.segments;
    for (std::size_t first = 0, last = 0; first < segments.size(); first = last) {
        while (last < segments.size() && segments.block[last] == segments.block[first]) ++last;
        const bool phases = needs_clocks(trace, {first, last});
        races.add_block({first, last}, !phases);
        if (phases) phase_races.add_block({first, last});
        add_barrier_findings(trace, {first, last}, findings);
        find_product_groups(trace, {first, last},
                            [&findings](const Finding& found) { findings.add(found); });
    }
    find_global_races(trace, generation.independent_lanes,
                      [&findings](const Finding& found, std::uint64_t element) {
                          findings.add_global(found, element);
                      });
    find_lane_conflicts(trace, [&findings](const Finding& found, std::uint64_t element) {
        findings.add(found, static_cast<std::uint32_t>(element));
    });
    if (const auto mixed = find_mixed_fragments(trace)) {
        const HazardParty product{site_of(trace, mixed->record), mixed->warp * 32u, mixed->record};
        findings.add({.hazard = Hazard::kMixedFragments,
                      .block = mixed->block,
                      .epoch = mixed->epoch,
                      .first = product,
                      .second = product,
                      .row = mixed->code()});
    }
    return findings.take();
}

}  // namespace tilereel
