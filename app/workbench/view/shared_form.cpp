#include "app/workbench/view/shared_form.h"

#include <algorithm>
#include <unordered_map>

namespace tilereel {
namespace {

constexpr std::uint64_t kUnknownElement = ~std::uint64_t{0};
constexpr std::size_t kMostCells = std::size_t{1} << 16;    // larger arrays cannot be followed
constexpr std::size_t kMostFlights = std::size_t{1} << 18;  // the first copies are among these

std::uint64_t number_of(ArrayId array, Element element) {
    return std::uint64_t{array} << 58 ^ std::uint64_t{element.row} << 29 ^ element.column;
}

bool same_size(const SharedForm::Array& a, const SharedForm::Array& b) {
    return a.rows == b.rows && a.columns == b.columns;
}

// Whether the same elements lie elsewhere.
bool moves(const SharedForm::Array& from, const SharedForm::Array& to) {
    if (!same_size(from, to)) return false;
    if (from.leading_dimension != to.leading_dimension) return true;
    const std::vector<Element> places = former_places(from, to);
    for (std::size_t cell = 0; cell < places.size(); ++cell)
        if (std::size_t{places[cell].row} * to.leading_dimension + places[cell].column != cell)
            return true;
    return false;
}

}  // namespace

const SharedForm::Array* SharedForm::find(const std::string& name) const {
    const auto found = std::ranges::find(arrays, name, &Array::name);
    return found != arrays.end() ? &*found : nullptr;
}

SharedForm form_of(const Replay& replay) {
    const Trace& trace = replay.trace();
    SharedForm form{trace.launch.kernel, trace.launch.tile, trace.launch.pad};
    std::vector<std::size_t> index(trace.arrays.size(), kMostCells);
    for (std::size_t i = 0; i < trace.arrays.size(); ++i) {
        const Array& array = trace.arrays[i];
        const std::size_t cells = std::size_t{array.rows} * array.leading_dimension;
        if (array.space != Space::kShared || array.by_columns || cells > kMostCells) continue;
        index[i] = form.arrays.size();
        form.arrays.push_back({array.name, array.rows, array.columns, array.leading_dimension,
                               std::vector<std::uint64_t>(cells, kUnknownElement)});
    }
    const auto& flights = replay.flights();
    for (std::size_t i = 0; i < std::min<std::size_t>(flights.size(), kMostFlights); ++i) {
        const Flight& flight = flights[i];
        if (flight.to >= index.size() || index[flight.to] == kMostCells) continue;
        SharedForm::Array& array = form.arrays[index[flight.to]];
        const std::size_t cell =
            std::size_t{flight.to_row} * array.leading_dimension + flight.to_column;
        if (cell < array.elements.size() && array.elements[cell] == kUnknownElement)
            array.elements[cell] = number_of(flight.from, flight.source());
    }
    return form;
}

bool slides(const SharedForm& from, const SharedForm& to) {
    if (from.kernel == to.kernel && (from.tile != to.tile || from.pad != to.pad)) return true;
    return std::ranges::any_of(to.arrays, [&](const SharedForm::Array& array) {
        const SharedForm::Array* const former = from.find(array.name);
        return former != nullptr && moves(*former, array);
    });
}

std::vector<Element> former_places(const SharedForm::Array& from, const SharedForm::Array& to) {
    std::unordered_map<std::uint64_t, std::size_t> cell_of;
    for (std::size_t cell = 0; cell < from.elements.size(); ++cell)
        if (from.elements[cell] != kUnknownElement) cell_of.emplace(from.elements[cell], cell);
    std::vector<Element> places(to.elements.size());
    for (std::size_t cell = 0; cell < places.size(); ++cell) {
        places[cell] = {static_cast<std::uint32_t>(cell / to.leading_dimension),
                        static_cast<std::uint32_t>(cell % to.leading_dimension)};
        if (cell < from.elements.size() && from.elements[cell] == to.elements[cell] &&
            from.leading_dimension == to.leading_dimension)
            continue;  // also where the element has several copies
        const auto found = cell_of.find(to.elements[cell]);
        if (found == cell_of.end()) continue;
        places[cell] = {static_cast<std::uint32_t>(found->second / from.leading_dimension),
                        static_cast<std::uint32_t>(found->second % from.leading_dimension)};
    }
    return places;
}

}  // namespace tilereel
