#include "app/workbench/recording/invalid_access.h"

#include <algorithm>
#include <utility>

#include "app/replay/arrays/contents.h"
#include "app/replay/sentence/wording.h"
#include "app/replay/state/element_text.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

using Cell = InvalidAccess::Cell;

constexpr std::int64_t kNeighbours = 3;  // elements before the access
constexpr std::int64_t kBehind = 1;      // and behind it
constexpr std::int64_t kMostWide = 4;    // elements of one access
constexpr std::int64_t kSmallGap = 3;    // elements from one that is shown to the next
constexpr std::size_t kMostSteps = 1 << 18;

// Rounds down, also below 0.
std::int64_t divided(std::int64_t number, std::int64_t by) {
    return number >= 0 ? number / by : -((-number + by - 1) / by);
}

class Elements {
  public:
    Elements(const Replay& replay, ArrayId array)
        : replay_(replay), id_(array), array_(replay.trace().arrays[array]) {}

    [[nodiscard]] std::int64_t count() const {
        return static_cast<std::int64_t>(array_.size_bytes() / array_.element_bytes);
    }
    [[nodiscard]] std::string name(std::int64_t index) const {
        const bool one_extent =
            array_.one_extent || (array_.space != Space::kGlobal && array_.rows <= 1);
        if (index < 0 || one_extent) return array_.name + "[" + std::to_string(index) + "]";
        return element_name(array_, array_.place_of(static_cast<std::uint32_t>(index)));
    }
    [[nodiscard]] Cell cell(std::int64_t index) const {
        Cell cell{.name = name(index)};
        cell.exists = index >= 0 && index < count();
        if (cell.exists && array_.space == Space::kShared) find_shared(cell, index);
        if (cell.exists && array_.space == Space::kGlobal) find_global(cell, index);
        return cell;
    }

  private:
    void find_shared(Cell& cell, std::int64_t index) const {
        for (const SharedArrayState& shared : replay_.state().shared) {
            const auto at = static_cast<std::size_t>(index);
            if (shared.array != id_ || at >= shared.cells.size()) continue;
            const SharedCell& is = shared.cells[at];
            cell.written = is.state != CellState::kNeverWritten;
            if (cell.written && is.state != CellState::kUnderWay)
                cell.value = text_of_element(array_, is.bits);
        }
    }
    void find_global(Cell& cell, std::int64_t index) const {
        const bool is_one_value = cell_bytes(array_) == array_.element_bytes;
        if (!is_one_value || replay_.schedule().steps.size() > kMostSteps) return;
        if (!contents_) contents_.emplace(replay_);
        const auto at = static_cast<std::uint64_t>(index);
        const std::vector<std::byte> bytes =
            contents_->bytes(id_, at, replay_.state().request.step);
        if (!bytes.empty()) cell.value = cell_text(array_, at, bytes);
    }

    const Replay& replay_;
    ArrayId id_;
    const Array& array_;
    mutable std::optional<ArrayContents> contents_;  // made when it is needed
};

// The elements of the access, with neighbours. Those between the array and an access far from it
// are left out.
InvalidAccess among_elements(const Elements& elements, std::int64_t first, std::int64_t last) {
    const std::int64_t count = elements.count();
    last = std::min(last, first + kMostWide);
    std::vector<std::int64_t> shown;
    if (last <= 0)
        for (std::int64_t i = 0; i < std::min(kNeighbours, count); ++i) shown.push_back(i);
    else
        for (std::int64_t i = std::max<std::int64_t>(std::min(first, count) - kNeighbours, 0);
             i < std::min(last + kBehind, count); ++i)
            shown.push_back(i);
    for (std::int64_t i = first; i < last; ++i) shown.push_back(i);
    std::ranges::sort(shown);
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    for (std::size_t i = 1; i < shown.size(); ++i)  // a small gap is no gap
        while (shown[i] > shown[i - 1] + 1 && shown[i] - shown[i - 1] <= kSmallGap)
            shown.insert(shown.begin() + static_cast<std::ptrdiff_t>(i), shown[i] - 1);
    InvalidAccess access;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        access.cells.push_back(elements.cell(shown[i]));
        access.cells.back().accessed = shown[i] >= first && shown[i] < last;
        if (i == 0 || shown[i] == shown[i - 1] + 1) continue;
        access.gap_before = i;
        access.left_out = static_cast<std::uint64_t>(shown[i] - shown[i - 1] - 1);
    }
    const auto from = std::ranges::find(access.cells, true, &Cell::accessed);
    access.from = static_cast<double>(from - access.cells.begin());
    access.to = access.from + static_cast<double>(last - first);
    return access;
}

// Two places of the width of the access at multiples of it, of which it takes a part each.
InvalidAccess among_places(std::int64_t offset, std::int64_t width) {
    InvalidAccess access;
    const std::int64_t first = divided(offset, width) * width;
    for (const std::int64_t begin : {first, first + width})
        access.cells.push_back({.name = "bytes " + with_commas(static_cast<std::uint64_t>(begin)) +
                                        " to " +
                                        with_commas(static_cast<std::uint64_t>(begin + width - 1)),
                                .accessed = true});
    access.from = static_cast<double>(offset - first) / static_cast<double>(width);
    access.to = access.from + 1;
    return access;
}

std::string words_of_extent(const Elements& elements, const std::string& name) {
    const auto count = static_cast<std::uint64_t>(elements.count());
    if (count == 0) return name + " has no elements";
    const std::string of = name + " has " + counted(count, "element", "elements");
    return count == 1 ? of + ", " + elements.name(0)
                      : of + ", " + elements.name(0) + " to " + elements.name(elements.count() - 1);
}

// The names of elements have 32 bits.
bool has_names(const Elements& elements, std::int64_t first, std::int64_t last) {
    constexpr std::int64_t kFarthest = std::int64_t{1} << 31;
    return first > -kFarthest && last < kFarthest && elements.count() < kFarthest;
}

std::string first_of_all(std::uint64_t count, std::string_view one, std::string_view many) {
    return count > 1 ? "the first of " + counted(count, one, many) : "";
}

// What is the same in both overloads; cells and caption.
std::optional<InvalidAccess> picture_of(const Replay& replay, ArrayId array,
                                        InvalidAccess::Kind kind, std::int64_t offset,
                                        std::uint32_t width_bytes) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 48;  // addresses of a GPU have fewer
    if (offset < -kMostBytes || offset > kMostBytes) return std::nullopt;
    const Trace& trace = replay.trace();
    if (array >= trace.arrays.size() || trace.arrays[array].element_bytes == 0 || width_bytes == 0)
        return std::nullopt;
    const std::int64_t size = trace.arrays[array].element_bytes, width = width_bytes;
    if (kind == InvalidAccess::Kind::kMisaligned) {
        if (offset < 0) return std::nullopt;
        InvalidAccess access = among_places(offset, width);
        const std::string words = counted(width_bytes, "byte", "bytes");
        access.caption = "An access of " + words + " begins at a multiple of " + words;
        return access;
    }
    const Elements elements(replay, array);
    const std::int64_t first = divided(offset, size);
    const std::int64_t last = divided(offset + width - 1, size) + 1;
    if (!has_names(elements, first, last)) return std::nullopt;
    InvalidAccess access = among_elements(elements, first, last);
    if (kind == InvalidAccess::Kind::kOutOfBounds) {
        access.caption = words_of_extent(elements, trace.arrays[array].name);
        return access;
    }
    for (Cell& cell : access.cells)
        if (cell.accessed) cell.written = false, cell.value.clear();
    access.caption = "Nothing was stored here before it is read";
    return access;
}

std::optional<InvalidAccess::Kind> kind_of_access(RecordedFindingKind kind) {
    switch (kind) {
        case RecordedFindingKind::kOutOfBounds:
            return InvalidAccess::Kind::kOutOfBounds;
        case RecordedFindingKind::kMisaligned:
            return InvalidAccess::Kind::kMisaligned;
        case RecordedFindingKind::kUninitialisedRead:
            return InvalidAccess::Kind::kNeverWritten;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<InvalidAccess> invalid_access_of(const Replay& replay,
                                               const RecordedFinding& finding) {
    const std::optional<InvalidAccess::Kind> kind = kind_of_access(finding.kind);
    if (!kind || finding.thread == RecordedFinding::kNobody ||
        finding.block == RecordedFinding::kNobody)
        return std::nullopt;
    auto access =
        picture_of(replay, finding.array, *kind, finding.offset_bytes, finding.width_bytes);
    if (!access) return std::nullopt;
    access->kind = *kind;
    access->error = finding.error;
    access->array = finding.array;
    access->block = finding.block, access->thread = finding.thread;
    access->line = finding.line, access->file = finding.file;
    access->operation = finding.operation;
    access->width_bytes = finding.width_bytes;
    access->others = first_of_all(finding.count, "access", "accesses");
    return access;
}

std::optional<InvalidAccess> invalid_access_of(const Replay& replay, const Finding& finding) {
    const Trace& trace = replay.trace();
    if (finding.hazard != Hazard::kNeverWritten || finding.array >= trace.arrays.size())
        return std::nullopt;
    const Array& array = trace.arrays[finding.array];
    const Site& site = trace.sites[finding.first.site];
    const std::uint64_t index = array.index_of(ElementPlace{finding.row, finding.column});
    auto access =
        picture_of(replay, finding.array, InvalidAccess::Kind::kNeverWritten,
                   static_cast<std::int64_t>(index * array.element_bytes), array.element_bytes);
    if (!access) return std::nullopt;
    access->kind = InvalidAccess::Kind::kNeverWritten;
    access->error = finding.severity == Severity::kError;
    access->array = finding.array;
    access->block = finding.block, access->thread = finding.first.thread;
    access->line = site.line, access->file = site.file;
    access->operation = site.operation;
    access->width_bytes = site.width_bytes;
    access->others = first_of_all(finding.cells, "element", "elements");
    return access;
}

}  // namespace tilereel
