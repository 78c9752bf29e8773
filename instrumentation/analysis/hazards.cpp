#include "instrumentation/analysis/hazards.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "instrumentation/analysis/finding_table.h"
#include "instrumentation/analysis/phase_races.h"
#include "instrumentation/analysis/shared_races.h"
#include "instrumentation/trace/launch_names.h"

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
    return trace.patterns[trace.records.pattern[record]].mask;
}

// CUDA C++ Programming Guide, "Synchronization Functions": all threads of the block must reach the
// same __syncthreads(). Threads that have returned need not.
void add_barrier_findings(const Trace& trace, const SegmentRange& range, FindingTable& findings) {
    const Segments& segments = trace.segments;
    struct Activity {
        std::uint32_t lanes = 0;
        SiteId site = 0;  // of the earliest record that follows
    };
    std::map<std::uint16_t, Activity> later;  // by warp: its records in later epochs
    for (std::size_t last = range.last; last > range.first;) {
        std::size_t first = last - 1;
        while (first > range.first && segments.epoch[first - 1] == segments.epoch[last - 1])
            --first;
        std::vector<Arrival> arrivals;
        for (std::size_t segment = first; segment < last; ++segment)
            for (std::uint64_t record = segments.record_begin[segment];
                 record < segments.record_begin[segment + 1]; ++record)
                if (trace.sites[site_of(trace, record)].operation == Operation::kBarrier)
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

std::string access_text(const Trace& trace, const HazardParty& party, const std::string& cell) {
    const Site& site = trace.sites[party.site];
    return name_of_thread(trace, party.thread) +
           (site.operation == Operation::kCopyStore ? " copies into "
            : site.operation == Operation::kAtomic  ? " atomically changes "
            : writes(site.operation)                ? " writes "
                                                    : " reads ") +
           cell + " on line " + std::to_string(site.line);
}

// Whether the party's access is part of a bulk copy.
bool is_bulk_copy(const Trace& trace, const HazardParty& party) {
    return is_of_tma(trace, trace.sites[party.site]);
}

}  // namespace

bool of_one_kind(const Finding& a, const Finding& b) {
    return a.hazard == b.hazard && a.severity == b.severity &&
           std::minmax(a.first.site, a.second.site) == std::minmax(b.first.site, b.second.site);
}

void FindingTable::add(const Finding& found, std::uint32_t word) {
    const auto at = std::ranges::find_if(
        findings_, [&](const Finding& known) { return of_one_kind(known, found); });
    const auto index = static_cast<std::size_t>(at - findings_.begin());
    if (at == findings_.end()) {
        findings_.push_back(found);
        affected_.emplace_back();
    }
    if (word == kNoWord) return;
    std::vector<bool>& affected = affected_[index];
    if (word >= affected.size()) affected.resize(word + 1);
    findings_[index].cells += !affected[word];
    affected[word] = true;
}

std::vector<Finding> FindingTable::take() {
    std::ranges::stable_sort(findings_, {}, [&](const Finding& finding) {
        return std::tuple(finding.severity, finding.hazard, trace_.sites[finding.first.site].line,
                          trace_.sites[finding.second.site].line, finding.first.site,
                          finding.second.site);
    });
    return std::move(findings_);
}

std::vector<Finding> find_hazards(const Trace& trace, const Generation& generation) {
    FindingTable findings(trace);
    const auto add = [&findings](const Finding& found, std::uint32_t word) {
        findings.add(found, word);
    };
    SharedRaces races(trace, generation.independent_lanes, add);
    PhaseRaces phase_races(trace, generation.independent_lanes, add);
    const Segments& segments = trace.segments;
    for (std::size_t first = 0, last = 0; first < segments.size(); first = last) {
        while (last < segments.size() && segments.block[last] == segments.block[first]) ++last;
        const bool phases = has_phases(trace, {first, last});
        races.add_block({first, last}, !phases);
        if (phases) phase_races.add_block({first, last});
        add_barrier_findings(trace, {first, last}, findings);
    }
    return findings.take();
}

std::string name_of_thread(const Trace& trace, std::uint32_t thread) {
    return "thread " + thread_name(trace.launch.block, thread) + " of warp " +
           std::to_string(thread / kWarpSize);
}

std::string sentence_of(const RecordedFinding& finding) {
    return finding.advice.empty() ? finding.what : finding.what + " " + finding.advice;
}

std::string sentence_of(const Trace& trace, const Finding& finding) {
    const auto line = [&](const HazardParty& party) {
        return std::to_string(trace.sites[party.site].line);
    };
    if (finding.hazard == Hazard::kBarrierDivergence)
        return "Not every thread reaches the same barrier: " +
               name_of_thread(trace, finding.first.thread) + " waits on line " +
               line(finding.first) + " while " + name_of_thread(trace, finding.second.thread) +
               " is on line " + line(finding.second) +
               "; move __syncthreads() to a place that all threads of the block reach";
    if (finding.hazard == Hazard::kNotInitialised)
        return name_of_thread(trace, finding.second.thread) +
               " uses a barrier in shared memory on line " + line(finding.second) + " and " +
               name_of_thread(trace, finding.first.thread) + " initialises it on line " +
               line(finding.first) + ": either may come first; put __syncthreads() between the two";
    const std::string cell = element_name(trace.arrays[finding.array], finding.row, finding.column);
    if (finding.hazard == Hazard::kNeverWritten)
        return access_text(trace, finding.first, cell) +
               ", but no thread has written it: store to it, and pass a barrier, before the read";
    if (finding.hazard == Hazard::kCopyUnderWay && is_bulk_copy(trace, finding.first))
        return access_text(trace, finding.second, cell) + " while the bulk copy that " +
               name_of_thread(trace, finding.first.thread) + " started on line " +
               line(finding.first) +
               " may still be under way: let the thread wait for the phase of the copy's mbarrier";
    if (is_bulk_copy(trace, finding.second))
        return access_text(trace, finding.first, cell) + " and a bulk copy that " +
               name_of_thread(trace, finding.second.thread) + " starts on line " +
               line(finding.second) +
               " overwrites it: either may come first; wait until all threads that use it have "
               "arrived, then start the copy";
    if (finding.hazard == Hazard::kCopyUnderWay)
        return access_text(trace, finding.second, cell) + " while the copy into it that " +
               name_of_thread(trace, finding.first.thread) + " began on line " +
               line(finding.first) + " may still be under way: " +
               (finding.first.thread == finding.second.thread
                    ? "put a wait for the copies, such as __pipeline_wait_prior(0), between the two"
                    : "put a wait for the copies, such as __pipeline_wait_prior(0), and then "
                      "__syncthreads(), between the two");
    const std::string sides = access_text(trace, finding.first, cell) + " and " +
                              access_text(trace, finding.second, "it") + ", with no ";
    if (finding.severity == Severity::kWarning)
        return sides +
               "__syncwarp() between them: the lanes of a warp may advance on their own; put "
               "__syncwarp() between the two";
    return sides +
           "barrier between them: either may come first; put __syncthreads() between the two";
}

}  // namespace tilereel
