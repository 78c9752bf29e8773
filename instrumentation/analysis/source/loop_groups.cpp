#include "instrumentation/analysis/source/loop_groups.h"

#include <algorithm>
#include <numeric>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kUnrolled = 4, kUnrolledMore = 16;
// Loads and arithmetic of a trip, without addresses and the count: with more, 4 trips at most.
constexpr std::uint32_t kFewInstructions = 8;

}  // namespace

LoopGroups::LoopGroups(const Trace& trace) : trace_(trace) {
    of_files_.resize(trace.more_sources.size() + 1);
    for (std::size_t file = 0; file < of_files_.size(); ++file)
        of_files_[file] = loops_of(source_text(trace, static_cast<std::uint16_t>(file)));
    for (const Site& site : trace.sites)
        loops_.push_back(loop_around(of_files_[site.file], site.line));
}

// A load at a loaded place does not tell where the loop begins anew; another one of the loop does.
void LoopGroups::begin(const std::vector<std::uint64_t>& records) {
    leads_.clear();
    std::uint32_t instructions = 0;
    std::map<const Loop*, std::uint32_t> before;  // the first record
    for (const std::uint64_t record : records) {
        const SiteId id = site_of(trace_, record);
        const Site& site = trace_.sites[id];
        instructions += std::accumulate(site.instructions.begin(), site.instructions.end(),
                                        site.operation == Operation::kAssign ? 0u : 1u);
        if (site.operation != Operation::kLoad || !is_known(id) ||
            trace_.arrays[site.array].space != Space::kGlobal)
            continue;
        const auto [found, is_new] = leads_.try_emplace(loops_[id], Lead{.site = id, .runs = {}});
        Lead& lead = found->second;
        if (is_new) before[loops_[id]] = instructions;
        if (lead.site != id) {
            const bool is_better = trace_.sites[lead.site].address == AddressKind::kLoaded &&
                                   site.address != AddressKind::kLoaded;
            if (!is_better || lead.runs.size() != 1 || lead.runs[0].trips != 1) continue;
            lead = Lead{.site = id, .runs = {}};
        }
        add_trip(lead, record);
        if (lead.runs.size() == 1 && lead.runs[0].trips == 2)
            lead.instructions = instructions - before[loops_[id]];
    }
}

void LoopGroups::add_trip(Lead& lead, std::uint64_t record) const {
    const std::uint32_t base = trace_.records.base[record];
    const std::uint32_t mask = lane_offsets(trace_, record).mask;
    const bool has_step = trace_.sites[lead.site].address != AddressKind::kLoaded;
    if (!lead.runs.empty()) {
        Run& run = lead.runs.back();
        const std::uint32_t step = base - run.last;
        if (run.trips == 1 || step == run.step || !has_step) {
            run.uneven |= mask != run.first_mask;
            ++run.trips;
            run.step = step;
            run.last = base;
            return;
        }
    }
    lead.runs.push_back({.trips = 1, .step = 0, .last = base, .first_mask = mask});
}

std::uint32_t LoopGroups::group_of(const Lead& lead, const Loop& loop) const {
    if (loop.step == LoopStep::kVariableStep) return lead.trip;
    const Run& run = lead.runs[lead.run];
    // Lanes that differ by a trip leave over different numbers: the most of them counts.
    const std::uint32_t left_over =
        run.uneven ? std::min(run.trips, kUnrolled - 1) : run.trips % kUnrolled;
    if (lead.trip < left_over) return lead.trip;
    const std::uint32_t trip = lead.trip - left_over, all = run.trips - left_over;
    if (lead.instructions > kFewInstructions) return left_over + trip / kUnrolled;
    const std::uint32_t in_full = all / kUnrolledMore * kUnrolledMore;
    const std::uint32_t group = left_over + trip / kUnrolledMore;
    if (trip < in_full) return group;
    // 4, 8 or 12 are left: 8, then 4.
    return group + (trip - in_full >= 2 * kUnrolled ? 1 : 0);
}

bool LoopGroups::begins_group(SiteId site) {
    begins_loop_ = false;
    if (!is_known(site)) return false;
    const auto found = leads_.find(loops_[site]);
    if (found == leads_.end() || found->second.site != site) return false;
    Lead& lead = found->second;
    if (lead.trip == lead.runs[lead.run].trips) {
        ++lead.run;
        lead.trip = lead.group = 0;
    }
    const std::uint32_t group = group_of(lead, *loops_[site]);
    const bool begins = lead.trip == 0 ? lead.run != 0 : group != lead.group;
    begins_loop_ = lead.trip == 0 && loops_[site]->step == LoopStep::kConstantStep;
    lead.group = group;
    ++lead.trip;
    return begins;
}

}  // namespace tilereel
