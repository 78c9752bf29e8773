#include "instrumentation/trace/trace.h"

#include <algorithm>
#include <bit>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostPlanes = 1u << 20;  // more than fit into a block's shared memory

template <class T>
std::uint64_t column_bytes(const std::vector<T>& column) {
    return std::uint64_t{column.size()} * sizeof(T);
}

// Sum of the deltas of the bits set in `lane`, modulo 2^32: addresses wrap back into range once the
// base is added.
std::uint32_t delta_sum(const Pattern& pattern, unsigned lane) {
    std::uint32_t sum = 0;
    for (std::size_t bit = 0; bit < pattern.delta_bytes.size(); ++bit)
        if (lane >> bit & 1u) sum += static_cast<std::uint32_t>(pattern.delta_bytes[bit]);
    return sum;
}

}  // namespace

std::uint32_t Array::planes() const {
    std::uint64_t count = 1;
    for (const std::uint32_t extent : outer_extents) count = std::min(count * extent, kMostPlanes);
    return count == 0 || count > rows ? 1 : static_cast<std::uint32_t>(count);
}

std::string plane_name(const Array& array, std::uint32_t plane) {
    std::string indices;
    if (array.planes() > 1) {
        for (std::size_t i = array.outer_extents.size(); i-- > 0;) {
            const std::uint32_t extent = array.outer_extents[i];
            std::string index = "[";
            index += std::to_string(plane % extent);
            indices.insert(0, index += "]");
            plane /= extent;
        }
    }
    return array.name + indices;
}

std::string element_name(const Array& array, std::uint32_t row, std::uint32_t column) {
    const std::uint32_t height = std::max(array.rows_of_plane(), 1u);
    std::string name = plane_name(array, row / height);
    if (array.space == Space::kGlobal || array.rows > 1) {
        name += '[';
        name += std::to_string(row % height);
        name += ']';
    }
    name += '[';
    name += std::to_string(column);
    return name += ']';
}

LaneOffsets expand(const Pattern& pattern, std::uint32_t base,
                   std::span<const IrregularOffsets> irregular) {
    LaneOffsets lanes;
    lanes.mask = pattern.mask;
    const bool regular = pattern.irregular == Pattern::kRegular;
    check(regular || pattern.irregular < irregular.size());
    if (pattern.mask == 0) return lanes;
    const std::uint32_t lowest =
        delta_sum(pattern, static_cast<unsigned>(std::countr_zero(pattern.mask)));
    for (std::uint32_t left = pattern.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint32_t relative =
            regular ? delta_sum(pattern, lane) - lowest
                    : static_cast<std::uint32_t>(irregular[pattern.irregular][lane]);
        lanes.bytes[lane] = base + relative;
    }
    return lanes;
}

LaneOffsets lane_offsets(const Trace& trace, std::size_t record) {
    return expand(trace.patterns[trace.records.pattern[record]], trace.records.base[record],
                  trace.irregular_offsets);
}

bool is_of_engine(const Trace& trace, const Site& site) {
    return is_copy(site.operation) && std::ranges::any_of(trace.sites, [&](const Site& other) {
               return other.operation == Operation::kStartBox && other.line == site.line;
           });
}

std::string_view source_line(const Trace& trace, std::uint32_t line) {
    std::string_view text = trace.source;
    for (std::uint32_t at = 1; at < line; ++at) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

SegmentRange segments_of_block(const Trace& trace, std::uint32_t block) {
    const auto& blocks = trace.segments.block;
    const auto [first, last] = std::equal_range(blocks.begin(), blocks.end(), block);
    return {static_cast<std::size_t>(first - blocks.begin()),
            static_cast<std::size_t>(last - blocks.begin())};
}

std::uint64_t memory_bytes(const Trace& trace) {
    const Records& records = trace.records;
    const Segments& segments = trace.segments;
    return column_bytes(trace.arrays) + column_bytes(trace.sites) + column_bytes(trace.patterns) +
           column_bytes(trace.irregular_offsets) + column_bytes(segments.block) +
           column_bytes(segments.epoch) + column_bytes(segments.warp) +
           column_bytes(segments.record_begin) + column_bytes(segments.value_begin) +
           column_bytes(records.site) + column_bytes(records.pattern) + column_bytes(records.base) +
           column_bytes(records.clock) + column_bytes(trace.values) + column_bytes(trace.a) +
           column_bytes(trace.b) + column_bytes(trace.c_before) + column_bytes(trace.c) +
           column_bytes(trace.multiprocessors) + trace.source.size();
}

std::uint64_t access_count(const Trace& trace) {
    std::uint64_t count = 0;
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const Operation operation = trace.sites[site_of(trace, record)].operation;
        if (!is_access(operation) || operation == Operation::kCopyStore) continue;
        const std::uint32_t mask = trace.patterns[trace.records.pattern[record]].mask;
        count += static_cast<std::uint64_t>(std::popcount(mask));
    }
    return count;
}

}  // namespace tilereel
