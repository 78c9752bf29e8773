#include "app/export/html/page_cells.h"

#include <algorithm>
#include <bit>

#include "app/replay/state/element_text.h"

namespace tilereel {
namespace {

constexpr std::size_t kLongestValue = 24;  // characters

std::string shortened(std::string text) {
    if (text.size() > kLongestValue) text = text.substr(0, kLongestValue - 3) + "...";
    return text;
}

// SharedCell::bits has 8 bytes, so only the first value of a longer vector element is known.
std::string text_of_cell(const Array& array, const SharedCell& cell) {
    if (array.element_bytes <= sizeof cell.bits || array.type == ElementType::kBytes)
        return text_of_bits(array, cell.bits);
    return value_text(array.type,
                      std::as_bytes(std::span(&cell.bits, 1)).first(type_bytes(array.type)));
}

std::string text_of_sum(float sum) {
    return value_text(ElementType::kFloat32, std::as_bytes(std::span(&sum, 1)));
}

bool same(const SharedCell& left, const SharedCell& right) {
    return left.state == right.state && left.bits == right.bits && left.loaded == right.loaded;
}

bool same(const PartialSum& left, const PartialSum& right) {
    return std::bit_cast<std::uint32_t>(left.value) == std::bit_cast<std::uint32_t>(right.value) &&
           left.multiply_adds == right.multiply_adds && left.stored == right.stored;
}

}  // namespace

PageCells::PageCells(const Replay& replay, const std::vector<ArrayPicture>& pictures)
    : replay_(replay),
      pictures_(pictures),
      contents_(replay),
      cells_(pictures.size()),
      changed_(pictures.size()),
      shared_(pictures.size()) {
    (void)values_.number_of("");  // number 0 means no value
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (replay.trace().arrays[pictures[i].array].space != Space::kShared) continue;
        cells_[i].all.resize(pictures[i].cells);
        shared_[i].resize(pictures[i].cells);
    }
}

std::size_t PageCells::picture_of(ArrayId array) const {
    return static_cast<std::size_t>(std::ranges::find(pictures_, array, &ArrayPicture::array) -
                                    pictures_.begin());
}

void PageCells::set(std::size_t picture, std::uint64_t cell, Cell to) {
    Cell& now = cells_[picture].at(cell);
    if (now == to) return;
    now = to;
    changed_[picture][cell] = to;
}

PageCells::Cell PageCells::content(std::size_t picture, std::uint64_t cell, std::uint32_t step,
                                   PageCell look) {
    const ArrayPicture& shown = pictures_[picture];
    const std::vector<std::byte> bytes = contents_.bytes(shown.array, cell, step);
    if (bytes.empty()) return {look == PageCell::kValid ? PageCell::kNeverWritten : look, 0};
    const Array& array = replay_.trace().arrays[shown.array];
    return {look, values_.number_of(shortened(cell_text(array, cell, bytes)))};
}

void PageCells::look_at_shared(const SharedArrayState& shared, std::size_t picture) {
    const Array& array = replay_.trace().arrays[shared.array];
    for (std::size_t i = 0; i < shared.cells.size(); ++i) {
        const SharedCell& cell = shared.cells[i];
        if (same(cell, shared_[picture][i])) continue;
        shared_[picture][i] = cell;
        const bool empty = cell.state == CellState::kNeverWritten ||
                           (cell.state == CellState::kUnderWay && cell.bits == 0);
        auto look = static_cast<PageCell>(cell.state);
        if (look == PageCell::kValid && !cell.loaded && replay_.stores_unloaded())
            look = PageCell::kNotLoaded;
        set(picture, i,
            {look, empty ? 0 : values_.number_of(shortened(text_of_cell(array, cell)))});
    }
}

// Updates the elements of C that the block computes: first their partial sums, then the stored
// values.
void PageCells::look_at_sums(const ReplayState& state, std::uint32_t step) {
    const CellRect rect = replay_.regions().c;
    const std::size_t picture = picture_of(matrices_of(replay_.trace()).c);
    if (picture == pictures_.size() || state.sums.empty()) return;
    sums_.resize(state.sums.size());
    const Array& array = replay_.trace().arrays[pictures_[picture].array];
    const std::uint32_t columns = rect.column1 - rect.column0;
    for (std::uint32_t i = 0; i < state.sums.size(); ++i) {
        const PartialSum& sum = state.sums[i];
        if (same(sum, sums_[i])) continue;
        sums_[i] = sum;
        const std::uint64_t cell =
            array.index_of({rect.row0 + i / columns, rect.column0 + i % columns});
        if (sum.stored)
            set(picture, cell, content(picture, cell, step, PageCell::kStored));
        else if (sum.multiply_adds > 0)
            set(picture, cell,
                {PageCell::kPartialSum, values_.number_of(shortened(text_of_sum(sum.value)))});
    }
}

// Adds the values that steps stored to global memory since the last call.
void PageCells::look_at_stores(std::uint32_t step) {
    const Trace& trace = replay_.trace();
    for (; stores_seen_ < step; ++stores_seen_) {
        const Step& ended = replay_.schedule().steps[stores_seen_];
        const Site& site = trace.sites[ended.site];
        const std::size_t picture = picture_of(site.array);
        if (!writes(site.operation) || picture == pictures_.size() ||
            trace.arrays[site.array].space == Space::kShared)
            continue;
        const std::uint32_t size = pictures_[picture].cell_bytes;
        const LaneOffsets lanes = lane_offsets(trace, ended.record);
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
            const std::uint64_t offset =
                lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))];
            const std::uint64_t last = (offset + site.width_bytes - 1) / size;
            for (std::uint64_t cell = offset / size; cell <= last; ++cell)
                set(picture, cell, content(picture, cell, stores_seen_ + 1, PageCell::kStored));
        }
    }
}

// Adds the initial contents of an array. C of a product shows partial sums instead.
void PageCells::look_at_first_content(std::size_t picture) {
    const ArrayPicture& shown = pictures_[picture];
    const Trace& trace = replay_.trace();
    if (trace.arrays[shown.array].space == Space::kShared || shown.array == matrices_of(trace).c)
        return;
    shown.for_each_cell([&](std::uint64_t cell) {
        set(picture, cell, content(picture, cell, 0, PageCell::kValid));
    });
}

nlohmann::json PageCells::changes(const ReplayState& state, std::uint32_t step) {
    for (std::size_t picture = 0; !begun_ && picture < pictures_.size(); ++picture)
        look_at_first_content(picture);
    begun_ = true;
    for (const SharedArrayState& shared : state.shared)
        if (const std::size_t picture = picture_of(shared.array); picture < pictures_.size())
            look_at_shared(shared, picture);
    look_at_sums(state, step);
    look_at_stores(step);
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t picture = 0; picture < pictures_.size(); ++picture)
        if (!changed_[picture].empty()) add_runs(picture, list);
    return list;
}

void PageCells::add_runs(std::size_t picture, nlohmann::json& list) {
    list.push_back(picture);
    const std::size_t count_at = list.size();
    list.push_back(0);
    std::size_t runs = 0, length_at = 0, length = 0;
    std::uint64_t end = 0;  // end of the current run
    PageCell look = PageCell::kNeverWritten;
    for (const auto& [cell, to] : changed_[picture]) {
        if (runs == 0 || cell != end || to.look != look) {
            list.push_back(cell - end);
            length_at = list.size();
            list.push_back(0);
            list.push_back(to.look);
            look = to.look;
            length = 0;
            ++runs;
        }
        list.push_back(to.value);
        list[length_at] = ++length;
        end = cell + 1;
    }
    list[count_at] = runs;
    changed_[picture].clear();
}

}  // namespace tilereel
