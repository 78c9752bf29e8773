#pragma once
// Converts byte offsets to elements of an array, and finds the records and values of a block.
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/trace.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

inline constexpr std::uint32_t kNoElement = 0xffffffff;
inline constexpr std::uint32_t kUnknownWord = 0x7fc00000;  // stands for unknown bits: a NaN

using Element = ElementPlace;

// A rectangle of elements, half-open.
struct CellRect {
    std::uint32_t row0 = 0, column0 = 0, row1 = 0, column1 = 0;
    [[nodiscard]] bool empty() const { return row0 >= row1 || column0 >= column1; }
    [[nodiscard]] std::uint32_t rows() const { return row1 - row0; }
    [[nodiscard]] std::uint32_t columns() const { return column1 - column0; }
    // The index of an element among those of the rectangle, row by row.
    [[nodiscard]] std::size_t index_of(Element element) const {
        return std::size_t{element.row - row0} * columns() + element.column - column0;
    }
    bool operator==(const CellRect&) const = default;
};

// The element that contains the byte at `offset` (as Records::base).
[[nodiscard]] inline Element element_at(const Array& array, std::uint32_t offset) {
    return array.place_of((offset - array.base_bytes) /
                          std::max<std::uint32_t>(array.element_bytes, 1));
}

// Extends `rect` such that it contains `element`.
inline void include(CellRect& rect, Element element) {
    if (rect.empty()) {
        rect = {element.row, element.column, element.row + 1, element.column + 1};
        return;
    }
    rect.row0 = std::min(rect.row0, element.row);
    rect.column0 = std::min(rect.column0, element.column);
    rect.row1 = std::max(rect.row1, element.row + 1);
    rect.column1 = std::max(rect.column1, element.column + 1);
}

[[nodiscard]] inline bool contains(const CellRect& rect, Element element) {
    return element.row >= rect.row0 && element.row < rect.row1 && element.column >= rect.column0 &&
           element.column < rect.column1;
}

// Calls visit(element) for each element, row by row.
template <class Visit>
void for_each_element(const CellRect& rect, Visit&& visit) {
    for (std::uint32_t row = rect.row0; row < rect.row1; ++row)
        for (std::uint32_t column = rect.column0; column < rect.column1; ++column)
            visit(Element{row, column});
}

// The plane of an array that contains a row; the last plane for rows beyond all planes.
[[nodiscard]] inline std::uint32_t plane_of(const Array& array, std::uint32_t row) {
    return std::min(row / std::max(array.rows_of_plane(), 1u), array.planes() - 1);
}

// Whether the site accesses one of the trace's arrays.
[[nodiscard]] inline bool accesses(const Trace& trace, const Site& site) {
    return is_access(site.operation) && site.array < trace.arrays.size();
}

// The ranges of one block's records and values in the trace's columns.
struct BlockRecords {
    SegmentRange segments;
    std::uint64_t first = 0, last = 0;       // records [first, last)
    std::vector<std::uint64_t> value_begin;  // for each record: index of its first value
};
[[nodiscard]] BlockRecords records_of_block(const Trace& trace, std::uint32_t block);

// The values of a record: active lanes in order, Site::words() words each; empty if there are none.
[[nodiscard]] std::span<const std::uint32_t> words_of_record(const Trace& trace,
                                                             const BlockRecords& records,
                                                             std::uint64_t record);

// 4-byte words that one lane of a site's access moves: 1, 2 or 4.
[[nodiscard]] inline std::uint32_t words_of(const Site& site) { return site.words(); }

// The bytes of a word that an access at `offset` reads, in the low bytes as in Trace::words.
[[nodiscard]] constexpr std::uint32_t bytes_in_word(std::uint32_t word, std::uint32_t offset,
                                                    std::uint32_t width_bytes) {
    if (width_bytes >= 4) return word;
    return word >> 8 * (offset % 4) & ((1u << 8 * width_bytes) - 1);
}
// The word after such an access has stored `bits`.
[[nodiscard]] constexpr std::uint32_t with_bytes(std::uint32_t word, std::uint32_t offset,
                                                 std::uint32_t width_bytes, std::uint32_t bits) {
    if (width_bytes >= 4) return bits;
    const std::uint32_t mask = (1u << 8 * width_bytes) - 1;
    const std::uint32_t shift = 8 * (offset % 4);
    return (word & ~(mask << shift)) | (bits & mask) << shift;
}

// Calls visit(lane, word, offset_bytes) for each 4-byte word of each active lane, in the order of
// Trace::words.
template <class Visit>
void for_each_word(const LaneOffsets& lanes, std::uint32_t words, Visit&& visit) {
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        for (std::uint32_t word = 0; word < words; ++word)
            visit(lane, word, lanes.bytes[lane] + 4 * word);
    }
}

// Bytes of one value in an array; for a vector type of one component; 4 for kBytes.
[[nodiscard]] inline std::uint32_t value_bytes(const Array& array) {
    return array.type == ElementType::kBytes ? 4 : type_bytes(array.type);
}

// Calls visit(lane, index of the value in the lane's access, offset_bytes) for each value that each
// active lane accesses. `width_bytes`: of one lane's access.
template <class Visit>
void for_each_value(const LaneOffsets& lanes, const Array& array, std::uint32_t width_bytes,
                    Visit&& visit) {
    const std::uint32_t size = value_bytes(array);
    const std::uint32_t count = std::max(width_bytes / size, 1u);
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        for (std::uint32_t value = 0; value < count; ++value)
            visit(lane, value, lanes.bytes[lane] + size * value);
    }
}

// The same with the element in place of the offset.
template <class Visit>
void for_each_element(const LaneOffsets& lanes, const Array& array, std::uint32_t width_bytes,
                      Visit&& visit) {
    for_each_value(lanes, array, width_bytes,
                   [&](std::uint32_t lane, std::uint32_t value, std::uint32_t offset) {
                       visit(lane, value, element_at(array, offset));
                   });
}

// The number of active lanes below this one.
[[nodiscard]] inline std::size_t lane_index(const LaneOffsets& lanes, std::uint32_t lane) {
    dcheck(lane < kWarpSize);
    return static_cast<std::size_t>(std::popcount(lanes.mask & ((1u << lane) - 1)));
}

// The numbers that a record stored to an array or left in a sum: active lanes in order, each with
// width_bytes of values of `type`. Empty if none were recorded.
class KeptNumbers {
  public:
    KeptNumbers(std::span<const std::uint32_t> words, ElementType type, std::uint32_t width_bytes)
        : words_(words), type_(type), width_bytes_(width_bytes) {}
    // Value number `value` of the `lane_index`-th active lane; nullopt if it was not recorded.
    [[nodiscard]] std::optional<double> at(std::size_t lane_index, std::uint32_t value) const {
        const std::size_t words_a_lane = std::max(width_bytes_ / 4, 1u);
        const std::uint32_t size = type_bytes(type_);
        if ((lane_index + 1) * words_a_lane > words_.size() ||
            (value + 1) * size > 4 * words_a_lane)
            return std::nullopt;
        const auto bytes = std::as_bytes(words_.subspan(lane_index * words_a_lane, words_a_lane));
        return number_of(type_, bytes.subspan(std::size_t{value} * size));
    }

  private:
    std::span<const std::uint32_t> words_;
    ElementType type_;
    std::uint32_t width_bytes_;
};
// The type of the sum that a multiply-add changes.
[[nodiscard]] inline ElementType type_of_sum(const Trace& trace, const Site& site) {
    if (site.local < trace.locals.size() &&
        type_bytes(trace.locals[site.local].type) == site.width_bytes)
        return trace.locals[site.local].type;
    return site.width_bytes == 8 ? ElementType::kFloat64 : ElementType::kFloat32;
}

}  // namespace tilereel
