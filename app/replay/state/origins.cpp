#include "app/replay/state/origins.h"

namespace tilereel {
namespace {

bool outside(const Array& array, std::int64_t row, std::int64_t column) {
    return row < 0 || row >= array.rows || column < 0 || column >= array.columns;
}

void add(Origin& origin, const Flight& flight) {
    const auto less = [](std::uint32_t a, std::uint32_t b) { return std::int64_t{a} - b; };
    const bool first = origin.from == kNoArray;
    const Origin here{flight.from,
                      less(flight.from_row, flight.to_row),
                      less(flight.from_column, flight.to_column),
                      less(flight.from_row, flight.to_column),
                      less(flight.from_column, flight.to_row),
                      true,
                      true};
    if (first) {
        origin = here;
        return;
    }
    const bool same = origin.from == here.from;
    origin.straight = origin.straight && same && origin.straight_row == here.straight_row &&
                      origin.straight_column == here.straight_column;
    origin.swapped = origin.swapped && same && origin.swapped_row == here.swapped_row &&
                     origin.swapped_column == here.swapped_column;
}

}  // namespace

ArrayId Origins::beyond_edge(const Trace& trace, const Step& step, ArrayId shared,
                             Element cell) const {
    const auto found =
        of_.find({step.epoch, step.phase, shared, plane_of(trace.arrays[shared], cell.row)});
    if (found == of_.end()) return kNoArray;
    const Origin& origin = found->second;
    if (!origin.straight && !origin.swapped) return kNoArray;
    const Array& from = trace.arrays[origin.from];
    const std::int64_t row = cell.row, column = cell.column;
    if (origin.straight &&
        !outside(from, row + origin.straight_row, column + origin.straight_column))
        return kNoArray;
    if (origin.swapped && !outside(from, column + origin.swapped_row, row + origin.swapped_column))
        return kNoArray;
    return origin.from;
}

Origins find_origins(const Trace& trace, const Schedule& schedule, const Lifetimes& lifetimes,
                     std::span<const Flight> flights) {
    Origins origins;
    origins.any_unloaded_ = !std::ranges::all_of(lifetimes.words, &StoredWord::loaded);
    if (!origins.any_unloaded_) return origins;
    for (const Flight& flight : flights) {
        const Step& store = schedule.steps[flight.store_step];
        const std::uint32_t plane = plane_of(trace.arrays[flight.to], flight.to_row);
        add(origins.of_[{store.epoch, store.phase, flight.to, plane}], flight);
    }
    return origins;
}

}  // namespace tilereel
