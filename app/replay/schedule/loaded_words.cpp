#include "app/replay/schedule/loaded_words.h"

#include <algorithm>
#include <cstring>

namespace tilereel {
namespace {

// The global arrays that are both read and stored to, except the float matrices of a product: of
// these only C is stored to, and its sums are known.
std::vector<bool> arrays_read_and_stored(const Trace& trace) {
    const MatrixProduct matrices = matrices_of(trace);
    std::vector<bool> read(trace.arrays.size()), stored(trace.arrays.size());
    for (const Site& site : trace.sites) {
        if (!accesses(trace, site) || trace.arrays[site.array].space != Space::kGlobal) continue;
        const bool is_float = trace.arrays[site.array].type == ElementType::kFloat32;
        if (is_float &&
            (site.array == matrices.a || site.array == matrices.b || site.array == matrices.c))
            continue;
        if (reads(site.operation)) read[site.array] = true;
        if (writes(site.operation)) stored[site.array] = true;
    }
    for (std::size_t array = 0; array < read.size(); ++array)
        read[array] = read[array] && stored[array];
    return read;
}

}  // namespace

LoadedWords::LoadedWords(const Trace& trace, const BlockRecords& records, const Schedule& schedule)
    : trace_(trace) {
    const std::vector<bool> changing = arrays_read_and_stored(trace);
    for (std::uint32_t step = 0; step < schedule.steps.size(); ++step) {
        const std::uint64_t record = schedule.steps[step].record;
        const Site& site = trace.sites[schedule.steps[step].site];
        if (!changing[site.array] || !writes(site.operation)) continue;
        const std::span<const std::uint32_t> values = words_of_record(trace, records, record);
        std::size_t next = 0;
        for_each_word(lane_offsets(trace, record), site.words(),
                      [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                          if (next >= values.size()) return;
                          std::vector<Change>& changes = changes_[key_of(site.array, offset)];
                          const std::uint32_t before =
                              changes.empty() ? first_word(site.array, offset).value_or(0)
                                              : changes.back().bits;
                          changes.push_back(
                              {step, with_bytes(before, offset, site.width_bytes, values[next++])});
                      });
    }
}

std::optional<std::uint32_t> LoadedWords::first_word(ArrayId array, std::uint32_t offset) const {
    const std::span<const std::byte> content = trace_.arrays[array].first_bytes;
    const std::size_t begin = offset / 4 * std::size_t{4};
    if (begin >= content.size()) return std::nullopt;
    std::uint32_t word = 0;
    std::memcpy(&word, content.data() + begin, std::min<std::size_t>(4, content.size() - begin));
    return word;
}

std::optional<std::uint32_t> LoadedWords::at(const Site& site, std::uint32_t offset,
                                             std::uint32_t step) const {
    std::optional<std::uint32_t> word;
    if (const auto found = changes_.find(key_of(site.array, offset)); found != changes_.end()) {
        const std::vector<Change>& changes = found->second;
        const auto after = std::ranges::lower_bound(changes, step, {}, &Change::step);
        if (after != changes.begin()) word = std::prev(after)->bits;
    }
    if (!word) word = first_word(site.array, offset);
    if (!word) return std::nullopt;
    return bytes_in_word(*word, offset, site.width_bytes);
}

float input_value(const Trace& trace, ArrayId array, std::uint32_t offset) {
    const std::span<const std::byte> content = trace.arrays[array].first_bytes;
    std::uint32_t bits = kUnknownWord;
    if (offset < content.size() && content.size() - offset >= sizeof bits)
        std::memcpy(&bits, content.data() + offset, sizeof bits);
    return std::bit_cast<float>(bits);
}

}  // namespace tilereel
