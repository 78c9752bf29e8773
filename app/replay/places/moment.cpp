#include "app/replay/places/moment.h"

#include "app/replay/elements.h"

namespace tilereel {
namespace {

// A mask of the lanes that access an element in this step.
std::uint32_t lanes_at(const Trace& trace, const Step& step, Element element) {
    const Array& array = trace.arrays[trace.sites[step.site].array];
    std::uint32_t touching = 0;
    for_each_value(lane_offsets(trace, step.record), array, trace.sites[step.site].width_bytes,
                   [&](std::uint32_t lane, std::uint32_t /*word*/, std::uint32_t offset) {
                       if (element_at(array, offset) == element) touching |= 1u << lane;
                   });
    return touching;
}

// Of a product of a warpgroup: its first read, or the first one of the finding's cell.
std::optional<Tick> read_of(const Replay& replay, const Finding& finding,
                            const HazardParty& party) {
    for (const Step& step : replay.schedule().steps)
        if (replay.trace().sites[step.site].is_of_product() &&
            replay.recorded(step.record) == party.record &&
            (finding.array == kNoArray ||
             (replay.trace().sites[step.site].array == finding.array &&
              lanes_at(replay.trace(), step, {finding.row, finding.column}) != 0)))
            return step.begin;
    return std::nullopt;
}

// The first access of a party to the finding's cell in its epoch.
std::optional<Tick> access_of(const Replay& replay, const Finding& finding,
                              const HazardParty& party) {
    if (replay.trace().sites[party.site].operation == Operation::kMatrixProduct)
        return read_of(replay, finding, party);
    for (const Step& step : replay.schedule().steps)
        if (step.epoch == finding.epoch && step.site == party.site &&
            step.warp == party.thread / kWarpSize &&
            (lanes_at(replay.trace(), step, {finding.row, finding.column}) >>
                 party.thread % kWarpSize &
             1) != 0)
            return step.begin;
    return std::nullopt;
}

// The last tick before the barrier that ends the epoch opens.
std::optional<Tick> wait_in(const Replay& replay, std::uint32_t epoch) {
    for (const Barrier& barrier : replay.schedule().barriers)
        if (barrier.epoch == epoch) return barrier.at > 0 ? barrier.at - 1 : 0;
    for (const Step& step : replay.schedule().steps)
        if (step.epoch >= epoch) return step.begin;
    return std::nullopt;
}

}  // namespace

std::optional<Tick> moment_of(const Replay& replay, const Finding& finding) {
    if (finding.block != replay.block()) return std::nullopt;
    if (finding.hazard == Hazard::kBarrierDivergence || finding.hazard == Hazard::kBarrierSkipped)
        return wait_in(replay, finding.epoch);
    const std::optional<Tick> first = access_of(replay, finding, finding.first);
    if (finding.hazard == Hazard::kNeverWritten || finding.second_block != Finding::kSameBlock)
        return first;
    const std::optional<Tick> second = access_of(replay, finding, finding.second);
    return std::max(first, second);  // a missing tick is less than any other
}

std::optional<Tick> moment_of(const Replay& replay, const RecordedFinding& finding) {
    if (finding.block != replay.block() || finding.line == 0) return std::nullopt;
    const Trace& trace = replay.trace();
    std::optional<Tick> of_line;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        const bool other_column =
            finding.column != 0 && site.column != 0 && site.column != finding.column;
        if (site.line != finding.line || site.file != finding.file || other_column) continue;
        if (!of_line) of_line = step.begin;
        if (finding.thread == RecordedFinding::kNobody || step.warp != finding.thread / kWarpSize)
            continue;
        // Other accesses with a finding did not take place, so their lane has no record.
        const bool takes_part =
            (lane_offsets(trace, step.record).mask >> finding.thread % kWarpSize & 1) != 0;
        if (takes_part == (finding.kind == RecordedFindingKind::kSubscript)) return step.begin;
    }
    return of_line;
}

std::optional<Tick> stored_at(const Replay& replay, std::uint32_t row, std::uint32_t column) {
    if (!contains(replay.regions().c, {row, column})) return std::nullopt;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = replay.trace().sites[step.site];
        if (site.array == matrices_of(replay.trace()).c && site.operation == Operation::kStore &&
            lanes_at(replay.trace(), step, {row, column}) != 0)
            return step.end();
    }
    return std::nullopt;
}

}  // namespace tilereel
