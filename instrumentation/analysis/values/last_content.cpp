#include "instrumentation/analysis/values/last_content.h"

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/array.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostCheckedBytes = std::uint64_t{512} << 20;

// A store of up to four bytes of one word by one lane.
struct WordStore {
    std::uint64_t record = 0;
    std::uint32_t block = 0, epoch = 0;
    std::uint16_t warp = 0;
    std::uint8_t bytes = 0;  // mask
    std::uint32_t value = 0;
};

constexpr std::uint32_t bits_of(std::uint8_t bytes) {  // a mask of bytes as one of bits
    std::uint32_t bits = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
        if ((bytes >> byte & 1) != 0) bits |= 0xffu << 8 * byte;
    return bits;
}
constexpr std::uint8_t different_bytes(std::uint32_t one, std::uint32_t other) {
    std::uint8_t bytes = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
        if (((one ^ other) >> 8 * byte & 0xff) != 0) bytes |= static_cast<std::uint8_t>(1u << byte);
    return bytes;
}

// What the stores so far left in a word of an array.
class StoredWord {
  public:
    void store(const WordStore& next) {
        const auto again = static_cast<std::uint8_t>(last_.bytes & next.bytes);
        if (again != 0 && !comes_after(next))
            unclear_ |= static_cast<std::uint8_t>(again & different_bytes(last_.value, next.value));
        else if (again != 0 && next.epoch > last_.epoch && next.block == last_.block && !mixed_)
            unclear_ &= static_cast<std::uint8_t>(~next.bytes);
        mixed_ = mixed_ || (last_.bytes != 0 && next.block != last_.block);
        const std::uint32_t bits = bits_of(next.bytes);
        const auto bytes = static_cast<std::uint8_t>(last_.bytes | next.bytes);
        const std::uint32_t value = (last_.value & ~bits) | (next.value & bits);
        last_ = next;
        last_.bytes = bytes;
        last_.value = value;
    }
    [[nodiscard]] bool is_known(unsigned byte) const { return (unclear_ >> byte & 1) == 0; }
    [[nodiscard]] bool is_stored(unsigned byte) const { return (last_.bytes >> byte & 1) != 0; }
    [[nodiscard]] std::byte byte(unsigned number) const {
        return static_cast<std::byte>(last_.value >> 8 * number & 0xff);
    }

  private:
    // Whether the store certainly comes after the last one.
    [[nodiscard]] bool comes_after(const WordStore& next) const {
        if (next.block != last_.block || mixed_) return false;
        return next.epoch > last_.epoch || (next.warp == last_.warp && next.record != last_.record);
    }
    WordStore last_;
    std::uint8_t unclear_ = 0;  // bytes
    bool mixed_ = false;        // several blocks stored to the word
};

void store_record(const Trace& trace, std::size_t segment, std::uint64_t record,
                  const std::uint32_t* values, std::vector<StoredWord>& words) {
    dcheck(record < trace.records.size());
    dcheck(segment < trace.segments.size());
    const Site& site = site_at(trace, record);
    const LaneOffsets lanes = lane_offsets(trace, record);
    WordStore store{.record = record + 1,
                    .block = trace.segments.block[segment],
                    .epoch = trace.segments.epoch[segment],
                    .warp = trace.segments.warp[segment]};
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const std::uint32_t offset = lanes.bytes[static_cast<unsigned>(std::countr_zero(left))];
        const std::uint32_t width = site.width_bytes;
        for (std::uint32_t at = 0; at < std::max(width / 4, 1u); ++at) {
            const unsigned shift = width < 4 ? offset % 4 : 0;
            store.bytes = static_cast<std::uint8_t>(width < 4 ? ((1u << width) - 1) << shift : 0xf);
            store.value = *values++ << 8 * shift;
            const std::size_t word = offset / 4 + at;
            if (word < words.size()) words[word].store(store);
        }
    }
}

std::vector<StoredWord> words_after(const Trace& trace, ArrayId array, std::size_t bytes) {
    std::vector<StoredWord> words((bytes + 3) / 4);
    const Segments& segments = trace.segments;
    for (std::size_t segment = 0; segment < segments.size(); ++segment) {
        std::uint64_t value = segments.value_begin[segment];
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Site& site = site_at(trace, record);
            if (writes(site.operation) && site.array == array && has_values(trace, record))
                store_record(trace, segment, record, trace.words.data() + value, words);
            if (has_values(trace, record)) value += value_count(trace, record);
        }
    }
    return words;
}

std::string element_at(const Array& array, std::size_t offset) {
    const std::size_t element = offset / std::max(1u, array.element_bytes);
    return element_name(array, array.place_of(static_cast<std::uint32_t>(element)));
}

bool is_stored_to(const Trace& trace, ArrayId id) {
    return std::ranges::any_of(
        trace.sites, [id](const Site& site) { return site.array == id && writes(site.operation); });
}

Status check_array(const Trace& trace, ArrayId id) {
    const std::span<const std::byte> first = trace.arrays[id].first_bytes;
    const std::span<const std::byte> last = trace.arrays[id].last_bytes;
    if (last.empty() || last.size() > kMostCheckedBytes) return Done{};
    if (!is_stored_to(trace, id) && std::ranges::equal(first, last)) return Done{};
    const std::vector<StoredWord> words = words_after(trace, id, last.size());
    for (std::size_t i = 0; i < last.size(); ++i) {
        const StoredWord& word = words[i / 4];
        const unsigned byte = i % 4;
        if (!word.is_known(byte)) continue;
        if (word.is_stored(byte) && word.byte(byte) != last[i])
            return failed("its array element " + element_at(trace.arrays[id], i) +
                          " is not what was stored there last");
        if (!word.is_stored(byte) && first.size() == last.size() && first[i] != last[i])
            return failed("its array element " + element_at(trace.arrays[id], i) +
                          " has changed, but nothing was stored there");
    }
    return Done{};
}

}  // namespace

Status check_last_content(const Trace& trace) {
    if (!trace.complete || !trace.chosen_blocks.empty()) return Done{};
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        if (trace.arrays[id].space != Space::kGlobal) continue;
        TRY(check_array(trace, static_cast<ArrayId>(id)));
    }
    return Done{};
}

}  // namespace tilereel
