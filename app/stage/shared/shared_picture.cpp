#include "app/stage/shared/shared_picture.h"

#include <algorithm>

#include "app/replay/elements.h"

namespace tilereel::stage {

bool SharedView::zoomed() const {
    return static_cast<float>(columns) > visible_columns() + 0.5f / pitch_x ||
           static_cast<float>(rows) > visible_rows() + 0.5f / pitch_y;
}

std::optional<Element> SharedView::element_at(ImVec2 point) const {
    std::optional<Element> here = at(point);
    if (!here) return std::nullopt;
    if (by_bank) {
        const std::uint32_t from = first_cell % columns, word = here->row * columns + here->column;
        if (word < from) return std::nullopt;
        here = {(word - from) / leading_dimension, (word - from) % leading_dimension};
    }
    if (here->row >= row_count || here->column >= leading_dimension) return std::nullopt;
    return Element{here->row + first_row, here->column};
}

Picture picture_of(const Scene& scene, const SharedArrayState& model, const SharedView& view) {
    const SharedPlaneState& plane = model.planes[view.plane];
    Picture picture{{}, plane.landed, plane.expected};
    const std::size_t skipped = std::size_t{view.first_row} * view.leading_dimension;
    const auto first = model.cells.begin() + static_cast<std::ptrdiff_t>(skipped);
    picture.cells.assign(first, first + static_cast<std::ptrdiff_t>(cell_count(view)));
    const std::vector<Flight>& flights = scene.replay.flights();
    std::vector<bool> held(picture.cells.size());
    const double now = scene.workbench.position();
    const auto [begin, end] = recent_flights(scene);
    for (std::uint32_t i = begin; i < end; ++i) {
        const Flight& flight = flights[i];
        const DrawnFlight& drawn = scene.plan.drawn_flight(i);
        // Before its store the model's cell is unchanged.
        if (!view.shows(flight.to, flight.to_row) || now < drawn.stored_from) continue;
        const std::size_t cell = view.index(flight.target());
        if (cell >= held.size() || held[cell]) continue;
        const bool landed = flight_progress(scene, i) >= 1;
        if (landed != (static_cast<double>(flight.land) > now)) continue;
        held[cell] = true;  // a vector type has one flight for each component
        const bool counts = drawn.phase == scene.state.phase;
        if (landed) {
            // The store is still in progress, so no thread can read the value before it ends.
            picture.cells[cell] = {flight.value, CellState::kValid};
            if (counts) ++picture.landed;
            continue;
        }
        picture.cells[cell] = drawn.previous == kNoIndex
                                  ? SharedCell{}
                                  : SharedCell{flights[drawn.previous].value, CellState::kStale};
        if (counts && picture.landed > 0) --picture.landed;
    }
    return picture;
}

std::string shared_tile_text(const Scene& scene, const SharedView& view, const Picture& picture) {
    if (picture.expected == 0)
        return std::to_string(view.row_count) + " \xc3\x97 " + std::to_string(view.used_columns);
    if (scene.trace.product && scene.layout.small)
        return with_commas(picture.landed) + "/" + with_commas(picture.expected);
    // Before the first store of a phase, what is read is what earlier phases wrote.
    const auto valid = static_cast<std::size_t>(
        std::ranges::count(picture.cells, CellState::kValid, &SharedCell::state));
    if (!scene.trace.product && picture.landed == 0 && valid > 0)
        return with_commas(valid) + " of " +
               with_commas(std::size_t{view.row_count} * view.used_columns) + " hold values";
    return with_commas(picture.landed) + " of " + with_commas(picture.expected) +
           (scene.trace.product ? " landed" : " written");
}

void for_each_accessed_word(const Scene& scene, const SharedView& view,
                            const std::function<void(Element, const AccessedWord&)>& visit) {
    const Site* site = scene.running_on(view.array);
    if (site == nullptr) return;
    // A tile shows a store by its landing flights, so lanes with flights are skipped, unless the
    // store has bank conflicts.
    const bool lands = writes(site->operation) && scene.plan.flies(scene.state.step);
    const bool by_landing = lands && !scene.conflicted() && !view.by_bank;
    const std::uint32_t flying = by_landing ? scene.plan.flying_lanes(scene.state.step) : 0;
    const Array& array = scene.trace.arrays[view.array];
    const std::vector<ServedWord>& served = scene.state.request.words.words;
    for (std::size_t i = served.size(); i-- > 0;) {
        const ServedWord& word = served[i];
        if ((flying >> word.lane & 1) != 0) continue;
        const std::uint32_t lane = scene.state.request.lanes[word.lane].offset_bytes;
        const std::uint32_t size = std::min(value_bytes(array), 4u);
        const std::uint32_t end = std::min(4 * word.word + 4, lane + site->width_bytes);
        for (std::uint32_t byte = std::max(4 * word.word, lane); byte < end; byte += size) {
            const Element at = element_at(array, byte);
            if (!view.shows(view.array, at.row)) continue;
            visit(at, {word.lane, (byte - lane) / value_bytes(array), word.bank, word.wavefront});
        }
    }
}

std::vector<AccessedWord> accessed_words(const Scene& scene, const SharedView& view) {
    std::vector<AccessedWord> words(cell_count(view));
    for_each_accessed_word(scene, view, [&](Element at, const AccessedWord& word) {
        if (const std::size_t cell = view.index(at); cell < words.size()) words[cell] = word;
    });
    return words;
}

}  // namespace tilereel::stage
