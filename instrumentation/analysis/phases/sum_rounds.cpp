#include "instrumentation/analysis/phases/sum_rounds.h"

#include <algorithm>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

void add_new(std::vector<ElementName>& elements, const ElementName& element) {
    if (std::ranges::find(elements, element) == elements.end()) elements.push_back(element);
}

// If a thread has an accumulator for each of its elements of C, all its rounds are one round.
void join_rounds(SumRounds& rounds) {
    SumRound all;
    for (const SumRound& round : rounds) {
        for (const ElementName& element : round.stored) add_new(all.stored, element);
        all.accumulators.insert(round.accumulators.begin(), round.accumulators.end());
        all.end = round.end;
    }
    if (all.stored.size() <= all.accumulators.size()) rounds = {all};
}

// Adds a store to C or a multiply-add to the rounds of each lane's thread. A thread can use its
// accumulators for several parts of C. After each stored part a new round begins.
void add_record(const Trace& trace, std::uint64_t record, std::uint32_t first_thread, bool stores_c,
                std::vector<SumRounds>& threads) {
    dcheck(record < trace.records.size());
    const Site& site = site_at(trace, record);
    const LaneOffsets lanes = lane_offsets(trace, record);
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        SumRounds& rounds = threads[first_thread + lane];
        if (rounds.empty() || (!stores_c && !rounds.back().stored.empty())) rounds.emplace_back();
        rounds.back().end = record + 1;
        if (!stores_c) {
            rounds.back().accumulators.insert(trace.records.base[record]);
            continue;
        }
        for (std::uint32_t i = 0; i < site.width_bytes / 4u; ++i)
            add_new(rounds.back().stored,
                    element_name(trace, site.array, lanes.bytes[lane] + 4 * i));
    }
}

}  // namespace

std::vector<SumRounds> sum_rounds(const Trace& trace, SegmentRange block) {
    std::vector<SumRounds> threads(std::size_t{trace.launch.warps()} * kWarpSize);
    const ArrayId c = matrices_of(trace).c;
    const Segments& segments = trace.segments;
    for (std::size_t segment = block.first; segment < block.last; ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Site& site = site_at(trace, record);
            const bool stores_c = site.operation == Operation::kStore && site.array == c;
            if (stores_c || site.operation == Operation::kMultiplyAdd)
                add_record(trace, record, std::uint32_t{segments.warp[segment]} * kWarpSize,
                           stores_c, threads);
        }
    for (SumRounds& rounds : threads) join_rounds(rounds);
    return threads;
}

std::optional<ElementName> element_of_sum(const SumRounds& rounds, std::uint64_t record,
                                          std::uint32_t accumulator) {
    const auto round = std::ranges::upper_bound(rounds, record, {}, &SumRound::end);
    if (round == rounds.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(
        std::distance(round->accumulators.begin(), round->accumulators.find(accumulator)));
    if (index >= round->stored.size()) return std::nullopt;
    return round->stored[index];
}

}  // namespace tilereel
