#include "app/exercise/check_moment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/exercise/harness.h"
#include "app/replay/places/moment.h"
#include "app/replay/replay.h"
#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "instrumentation/trace/file/trace_file.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

struct Place {
    std::uint32_t block = 0;
    double position = 0;
};

bool is_on(const Site& site, std::uint32_t line) { return site.file == 0 && site.line == line; }

template <class AnyFinding>
std::optional<Place> place_of(const Trace& trace, std::uint32_t block, const AnyFinding& finding) {
    const Result<Replay> replay = Replay::of_block(trace, block);
    if (!replay) return std::nullopt;
    const std::optional<Tick> tick = moment_of(*replay, finding);
    if (!tick) return std::nullopt;
    return Place{block, static_cast<double>(*tick)};
}

std::optional<Place> finding_on(const Trace& trace, std::uint32_t line) {
    for (const RecordedFinding& finding : trace.findings)
        if (finding.file == 0 && finding.line == line && finding.block != RecordedFinding::kNobody)
            if (auto place = place_of(trace, finding.block, finding)) return place;
    for (const Finding& finding : find_hazards(trace))
        if (is_on(trace.sites[finding.first.site], line) ||
            is_on(trace.sites[finding.second.site], line))
            if (auto place = place_of(trace, finding.block, finding)) return place;
    return std::nullopt;
}

// What a request adds to a counter. The costs of others tell at least which request is large.
std::uint32_t share_of(const RequestCost& cost, const std::string& counter) {
    if (counter.ends_with("bank_conflicts")) return cost.bank_conflicts;
    if (counter == "lanes on") return cost.lanes_off;
    return std::max(cost.wavefronts, cost.transactions);
}

// The record of the line that adds most to the counter; the first of several, or without a counter.
std::optional<std::size_t> heaviest_record(const Trace& trace, std::uint32_t line,
                                           const std::string& counter) {
    constexpr std::size_t kMostRequests = 1 << 18;
    std::optional<std::size_t> heaviest;
    std::uint32_t most = 0;
    std::size_t requests = 0;
    CostCache costs(trace);
    for (std::size_t record = 0; record < trace.records.size() && requests < kMostRequests;
         ++record) {
        const Site& site = site_at(trace, record);
        if (!is_on(site, line) || site.array == kNoArray) continue;
        if (counter.empty()) return record;
        ++requests;
        const std::uint32_t share = share_of(costs(record), counter);
        if (!heaviest || share > most) heaviest = record, most = share;
    }
    return heaviest;
}

std::optional<Place> request_on(const Trace& trace, std::uint32_t line,
                                const std::string& counter) {
    const std::optional<std::size_t> record = heaviest_record(trace, line, counter);
    if (!record) return std::nullopt;
    const std::vector<std::uint64_t>& begins = trace.segments.record_begin;
    const auto after = std::ranges::upper_bound(begins, std::uint64_t{*record});
    const auto segment = static_cast<std::size_t>(after - begins.begin()) - 1;
    const std::uint32_t block = trace.segments.block[segment];
    const Result<Replay> replay = Replay::of_block(trace, block);
    if (!replay) return std::nullopt;
    for (const Step& step : replay->schedule().steps)
        if (replay->recorded(step.record) == *record)
            return Place{block, static_cast<double>(step.begin)};
    return std::nullopt;
}

bool is_of_harness(const program::LaunchSummary& launch) {
    return launch.kernel == kBeforeKernel || launch.kernel == kAfterKernel;
}

}  // namespace

Result<CheckMoment> moment_of_check(const program::ProgramRun& run, std::uint32_t line,
                                    const std::string& counter) {
    std::optional<CheckMoment> first;
    for (const program::LaunchSummary& launch : run.launches) {
        if (launch.trace.empty() || is_of_harness(launch)) continue;
        if (first && line == 0) break;
        Trace trace = TRY(read_trace(launch.trace));
        if (trace.segments.size() == 0) continue;
        if (const auto product = recognise_product(trace)) name_product(trace, *product);
        auto shared = std::make_shared<const Trace>(std::move(trace));
        std::optional<Place> place;
        if (line != 0) place = finding_on(*shared, line);
        if (line != 0 && !place) place = request_on(*shared, line, counter);
        if (place) return CheckMoment{std::move(shared), place->block, place->position};
        if (!first) {
            const std::uint32_t block = shared->segments.block.front();
            first = CheckMoment{std::move(shared), block, 0};
        }
    }
    if (first) return *std::move(first);
    return failed("nothing of it was recorded");
}

}  // namespace tilereel
