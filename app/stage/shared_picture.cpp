#include "app/stage/shared_picture.h"

#include <algorithm>

namespace tilereel::stage {

Picture picture_of(const Scene& scene, const SharedArrayState& model, const SharedView& view) {
    const SharedPlaneState& plane = model.planes[view.plane];
    Picture picture{{}, plane.landed, plane.expected, plane.read, plane.filled};
    const std::size_t skipped = std::size_t{view.first_row} * view.leading_dimension;
    const auto first = model.cells.begin() + static_cast<std::ptrdiff_t>(skipped);
    picture.cells.assign(first, first + static_cast<std::ptrdiff_t>(cell_count(view)));
    const std::vector<Flight>& flights = scene.replay.flights();
    std::vector<bool> held(picture.cells.size());
    const double now = scene.workbench.position();
    auto flight = std::lower_bound(
        flights.begin(), flights.end(), now - scene.plan.longest_ticks() - 2 * kFlightTicks,
        [](const Flight& f, double t) { return static_cast<double>(f.depart) < t; });
    for (; flight != flights.end() && static_cast<double>(flight->depart) <= now; ++flight) {
        if (!view.shows(flight->to, flight->to_row) || static_cast<double>(flight->land) > now)
            continue;
        const auto index = static_cast<std::uint32_t>(flight - flights.begin());
        const std::size_t cell = view.index(flight->to_row, flight->to_column);
        if (cell >= held.size() || held[cell] || flight_progress(scene, index) >= 1) continue;
        held[cell] = true;
        const Leg& leg = scene.plan.leg(index);
        picture.cells[cell] = leg.previous == kNoIndex
                                  ? SharedCell{}
                                  : SharedCell{flights[leg.previous].value, CellState::kStale};
        if (leg.phase == scene.state.phase && picture.landed > 0) --picture.landed;
    }
    return picture;
}

namespace {

std::string landed_of(const Picture& picture, bool brief) {
    return brief ? std::to_string(picture.landed) + "/" + std::to_string(picture.expected)
                 : with_commas(picture.landed) + " of " + with_commas(picture.expected) + " landed";
}

}  // namespace

std::string words_of_tile(const Scene& scene, const SharedView& view, const Picture& picture) {
    const bool brief = scene.layout.small;
    if (view.planes == 1) {
        if (picture.expected > 0) return landed_of(picture, brief);
        return std::to_string(view.row_count) + " \xc3\x97 " + std::to_string(view.used_columns);
    }
    std::string words;
    if (!brief) {
        words += "buffer ";
        words += std::to_string(view.plane);
        words += ": ";
    }
    if (picture.filled) {
        words += picture.read ? "read, filled " : "filled ";
        words += std::to_string(picture.landed);
        words += brief ? "/" : " of ";
        return words += std::to_string(picture.expected);
    }
    if (picture.read) return words += "being read";
    if (std::ranges::find(picture.cells, CellState::kUnderWay, &SharedCell::state) !=
        picture.cells.end())
        return words += "being copied";
    const bool empty = std::ranges::all_of(picture.cells, [](const SharedCell& cell) {
        return cell.state == CellState::kNeverWritten;
    });
    return words += empty ? "not filled yet" : "at rest";
}

}  // namespace tilereel::stage
