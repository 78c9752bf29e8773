#pragma once
// From byte offsets to elements of an array, and where a block's records and values lie.
#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

inline constexpr std::uint32_t kNoElement = 0xffffffff;
inline constexpr std::uint32_t kUnknownWord = 0x7fc00000;  // bits that nobody knows: a NaN

struct Element {
    std::uint32_t row = 0, column = 0;
    bool operator==(const Element&) const = default;
};

// The element that holds byte `offset` (as Records::base). Padding counts as columns beyond
// Array::columns.
[[nodiscard]] inline Element element_at(const Array& array, std::uint32_t offset) {
    const std::uint32_t index =
        (offset - array.base_bytes) / std::max<std::uint32_t>(array.element_bytes, 1);
    const std::uint32_t row_length = std::max<std::uint32_t>(array.leading_dimension, 1);
    return {index / row_length, index % row_length};
}

// Grows `rect` (half-open, empty at first) so that it holds `element`.
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

// The plane of an array that a row lies in; the last one for rows that do not divide evenly.
[[nodiscard]] inline std::uint32_t plane_of(const Array& array, std::uint32_t row) {
    return std::min(row / std::max(array.rows_of_plane(), 1u), array.planes() - 1);
}

// A site of a load or store on one of the trace's arrays.
[[nodiscard]] inline bool accesses(const Trace& trace, const Site& site) {
    return is_access(site.operation) && site.array < trace.arrays.size();
}

// Where one block's records and kept values lie in the trace's columns.
struct BlockRecords {
    SegmentRange segments;
    std::uint64_t first = 0, last = 0;       // records [first, last)
    std::vector<std::uint64_t> value_begin;  // per record from `first`: its values' start
};
[[nodiscard]] BlockRecords records_of_block(const Trace& trace, std::uint32_t block);

// The values kept with a record as floats: active lanes in order, Site::words() a lane; empty if
// none.
class FloatValues {
  public:
    explicit FloatValues(std::span<const std::uint32_t> words) : words_(words) {}
    [[nodiscard]] std::size_t size() const { return words_.size(); }
    [[nodiscard]] bool empty() const { return words_.empty(); }
    [[nodiscard]] float operator[](std::size_t i) const { return std::bit_cast<float>(words_[i]); }

  private:
    std::span<const std::uint32_t> words_;
};
[[nodiscard]] std::span<const std::uint32_t> words_of_record(const Trace& trace,
                                                             const BlockRecords& records,
                                                             std::uint64_t record);
[[nodiscard]] inline FloatValues values_of(const Trace& trace, const BlockRecords& records,
                                           std::uint64_t record) {
    return FloatValues(words_of_record(trace, records, record));
}

// 4-byte words that one lane of a site's access moves: 1, 2 or 4.
[[nodiscard]] inline std::uint32_t words_of(const Site& site) { return site.words(); }

// The bytes that an access at `offset` of less than a word has of the word there, at the low end as
// Trace::words keeps them.
[[nodiscard]] constexpr std::uint32_t bytes_in_word(std::uint32_t word, std::uint32_t offset,
                                                    std::uint32_t width_bytes) {
    if (width_bytes >= 4) return word;
    return word >> 8 * (offset % 4) & ((1u << 8 * width_bytes) - 1);
}
// The word after such an access has stored `bits` there.
[[nodiscard]] constexpr std::uint32_t with_bytes(std::uint32_t word, std::uint32_t offset,
                                                 std::uint32_t width_bytes, std::uint32_t bits) {
    if (width_bytes >= 4) return bits;
    const std::uint32_t mask = (1u << 8 * width_bytes) - 1;
    const std::uint32_t shift = 8 * (offset % 4);
    return (word & ~(mask << shift)) | (bits & mask) << shift;
}

// Calls visit(lane, word, offset_bytes) for each 4-byte word of each active lane, in the order of
// the kept values.
template <class Visit>
void for_each_word(const LaneOffsets& lanes, std::uint32_t words, Visit&& visit) {
    for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        for (std::uint32_t word = 0; word < words; ++word)
            visit(lane, word, lanes.bytes[lane] + 4 * word);
    }
}

// Calls visit(lane, word, element) for each word of the request, of each active lane.
template <class Visit>
void for_each_element(const RequestState& request, const Array& array, Visit&& visit) {
    for_each_word(request.access.lanes, std::max(request.access.width_bytes / 4, 1u),
                  [&](std::uint32_t lane, std::uint32_t word, std::uint32_t offset) {
                      visit(lane, word, element_at(array, offset));
                  });
}

}  // namespace tilereel
