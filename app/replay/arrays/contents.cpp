#include "app/replay/arrays/contents.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "app/replay/elements.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

// Uses of cells from this number on are not kept: a picture has no room for them.
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 24;

// Calls visit(offset_bytes, index of the lane's first word) for each active lane of a record.
template <class Visit>
void for_each_lane(const Trace& trace, std::uint64_t record, std::uint32_t words, Visit&& visit) {
    dcheck(record < trace.records.size());
    const LaneOffsets lanes = lane_offsets(trace, record);
    std::size_t word = 0;
    for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1, word += words)
        visit(lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))], word);
}

bool is_shown_access(const Trace& trace, const Site& site) {
    return accesses(trace, site) && trace.arrays[site.array].space != Space::kShared;
}

std::uint64_t cell_of(const Array& array, std::uint64_t offset) {
    return offset / cell_bytes(array);
}

}  // namespace

std::uint32_t cell_bytes(const Array& array) {
    const std::uint32_t element = std::max(array.element_bytes, 1u);
    if (array.type == ElementType::kBytes) return element;
    const std::uint32_t value = type_bytes(array.type);
    return element % value == 0 ? value : element;
}

ElementType type_of_cell(const Array& array, std::uint64_t cell) {
    return array.type == ElementType::kBytes ? array.type : array.type_at(cell * cell_bytes(array));
}

std::string cell_text(const Array& array, std::uint64_t cell, std::span<const std::byte> bytes) {
    if (array.type != ElementType::kBytes || array.components.empty())
        return value_text(type_of_cell(array, cell), bytes);
    std::string text;
    for (const Component& each : array.components)
        text += (text.empty() ? "{" : ", ") + each.name + " " +
                value_text(each.type, bytes.subspan(each.offset_bytes, each.bytes));
    return text + "}";
}

std::uint64_t cell_count(const Array& array) { return array.size_bytes() / cell_bytes(array); }

ArrayContents::ArrayContents(const Replay& replay)
    : trace_(replay.trace()), arrays_(trace_.arrays.size()) {
    find_ranges(replay);
    for (PerArray& array : arrays_)
        array.uses.resize(std::min(array.used.last - array.used.first, kMostCells));
    find_uses(replay);
    for (PerArray& array : arrays_)
        std::ranges::sort(array.writes, [](const Write& a, const Write& b) {
            return a.offset != b.offset ? a.offset < b.offset : a.step < b.step;
        });
}

void ArrayContents::find_ranges(const Replay& replay) {
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace_.sites[step.site];
        if (!is_shown_access(trace_, site)) continue;
        const Array& array = trace_.arrays[site.array];
        Range& used = arrays_[site.array].used;
        for_each_lane(trace_, step.record, 1, [&](std::uint64_t offset, std::size_t) {
            const std::uint64_t first = cell_of(array, offset);
            const std::uint64_t last = cell_of(array, offset + site.width_bytes - 1) + 1;
            if (used.empty()) used = {first, last};
            used = {std::min(used.first, first), std::max(used.last, last)};
        });
    }
}

void ArrayContents::find_uses(const Replay& replay) {
    const BlockRecords records = records_of_block(trace_, replay.block());
    for (std::uint32_t number = 0; number < replay.schedule().steps.size(); ++number) {
        const Step& step = replay.schedule().steps[number];
        const Site& site = trace_.sites[step.site];
        if (!is_shown_access(trace_, site)) continue;
        const Array& array = trace_.arrays[site.array];
        PerArray& here = arrays_[site.array];
        const std::span<const std::uint32_t> values = words_of_record(trace_, records, step.record);
        const std::size_t first_word =
            values.empty() ? kUnknownWord
                           : static_cast<std::size_t>(values.data() - trace_.words.data());
        for_each_lane(
            trace_, step.record, site.words(), [&](std::uint64_t offset, std::size_t word) {
                const std::uint64_t end = cell_of(array, offset + site.width_bytes - 1) + 1;
                for (std::uint64_t cell = cell_of(array, offset); cell < end; ++cell) {
                    if (cell - here.used.first >= here.uses.size()) break;
                    Use& use = here.uses[cell - here.used.first];
                    if (use.first == kNoStep) use.first = number;
                    use.last = number;
                    if (writes(site.operation) && use.first_written == kNoStep)
                        use.first_written = number;
                }
                if (writes(site.operation))
                    here.writes.push_back(
                        {offset, number, site.width_bytes,
                         first_word == kUnknownWord ? kUnknownWord : first_word + word});
            });
    }
}

ArrayContents::Use ArrayContents::use(ArrayId array, std::uint64_t cell) const {
    if (array >= arrays_.size()) return {};
    const PerArray& here = arrays_[array];
    if (cell < here.used.first || cell - here.used.first >= here.uses.size()) return {};
    return here.uses[cell - here.used.first];
}

ArrayContents::Range ArrayContents::used(ArrayId array) const {
    return array < arrays_.size() ? arrays_[array].used : Range{};
}

// The writes to a cell before `step`, in time order.
std::vector<const ArrayContents::Write*> ArrayContents::writes_to(ArrayId array, std::uint64_t cell,
                                                                  std::uint32_t step) const {
    dcheck(array < trace_.arrays.size());
    const std::size_t size = cell_bytes(trace_.arrays[array]);
    const std::uint64_t begin = cell * size;
    // A write of up to 16 bytes may begin before the cell.
    constexpr std::uint64_t kWidest = 16;
    const std::vector<Write>& all = arrays_[array].writes;
    auto at = std::ranges::lower_bound(all, begin < kWidest ? 0 : begin - kWidest + 1, {},
                                       &Write::offset);
    std::vector<const Write*> over;
    for (; at != all.end() && at->offset < begin + size; ++at)
        if (at->step < step && at->offset + at->width_bytes > begin) over.push_back(&*at);
    std::ranges::stable_sort(over, {}, &Write::step);
    return over;
}

std::optional<std::uint32_t> ArrayContents::last_write(ArrayId array, std::uint64_t cell,
                                                       std::uint32_t step) const {
    if (array >= arrays_.size()) return std::nullopt;
    const std::vector<const Write*> writes = writes_to(array, cell, step);
    if (writes.empty()) return std::nullopt;
    return writes.back()->step;
}

std::vector<std::byte> ArrayContents::bytes(ArrayId array, std::uint64_t cell,
                                            std::uint32_t step) const {
    if (array >= arrays_.size()) return {};
    const std::size_t size = cell_bytes(trace_.arrays[array]);
    const std::uint64_t begin = cell * size;
    std::vector<std::byte> value(size);
    const std::span<const std::byte> first = trace_.arrays[array].first_bytes;
    std::vector<bool> known(size, false);
    if (begin + size <= first.size()) {
        std::memcpy(value.data(), first.data() + begin, size);
        known.assign(size, true);
    }
    for (const Write* write : writes_to(array, cell, step)) {
        const bool has_value = write->word != kUnknownWord;
        for (std::uint64_t i = 0; i < write->width_bytes; ++i) {
            const std::uint64_t byte = write->offset + i;
            if (byte < begin || byte >= begin + size) continue;
            if (has_value)
                value[byte - begin] =
                    std::as_bytes(std::span(trace_.words)).subspan(write->word * 4)[i];
            known[byte - begin] = has_value;
        }
    }
    if (!std::ranges::all_of(known, [](bool is) { return is; })) return {};
    return value;
}

}  // namespace tilereel
