#include "instrumentation/trace/trace.h"

#include <algorithm>
#include <bit>

#include "instrumentation/base/check.h"
#include "instrumentation/trace/lanes.h"

namespace tilereel {
namespace {

template <class T>
std::uint64_t column_bytes(const std::vector<T>& column) {
    return std::uint64_t{column.size()} * sizeof(T);
}

// For each lane the sum of the deltas of the bits set in its number, modulo 2^32. A sum may be
// negative; the address is in range again when the base is added.
std::array<std::uint32_t, kWarpSize> delta_sums(const Pattern& pattern) {
    std::array<std::uint32_t, kWarpSize> sums{};
    std::size_t known = 1;  // lanes [0, known)
    for (const std::int32_t delta : pattern.delta_bytes) {
        for (std::size_t lane = 0; lane < known; ++lane)
            sums[known + lane] = sums[lane] + static_cast<std::uint32_t>(delta);
        known *= 2;
    }
    return sums;
}

}  // namespace

LaneOffsets expand(const Pattern& pattern, std::uint32_t base,
                   std::span<const IrregularOffsets> irregular) {
    LaneOffsets lanes;
    lanes.mask = pattern.mask;
    const bool regular = pattern.irregular == Pattern::kRegular;
    check(regular || pattern.irregular < irregular.size());
    if (pattern.mask == 0) return lanes;
    if (regular) {
        const std::array sums = delta_sums(pattern);
        const std::uint32_t first =
            base - sums[static_cast<std::size_t>(std::countr_zero(pattern.mask))];
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            lanes.bytes[lane] = pattern.mask >> lane & 1 ? first + sums[lane] : 0;
        return lanes;
    }
    for (const std::uint32_t lane : lanes_in(pattern.mask)) {
        lanes.bytes[lane] = base + static_cast<std::uint32_t>(irregular[pattern.irregular][lane]);
    }
    return lanes;
}

LaneOffsets lane_offsets(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    return expand(trace.patterns[trace.records.pattern[record]], trace.records.base[record],
                  trace.irregular_offsets);
}

bool is_of_tma(const Trace& trace, const Site& site) {
    return is_copy(site.operation) && std::ranges::any_of(trace.sites, [&](const Site& other) {
               return other.operation == Operation::kStartBulkCopy && other.line == site.line;
           });
}

std::string_view source_text(const Trace& trace, std::uint16_t file) {
    if (file == 0) return trace.source;
    return file <= trace.more_sources.size() ? std::string_view(trace.more_sources[file - 1].text)
                                             : std::string_view();
}

std::string_view source_name(const Trace& trace, std::uint16_t file) {
    if (file == 0) return trace.source_name;
    return file <= trace.more_sources.size() ? std::string_view(trace.more_sources[file - 1].name)
                                             : std::string_view();
}

std::string_view source_line(const Trace& trace, std::uint32_t line, std::uint16_t file) {
    std::string_view text = source_text(trace, file);
    for (std::uint32_t at = 1; at < line; ++at) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

std::string missing_facts(const RecordedBy& by) {
    if (!by.accesses_only) return {};
    return "Recorded on the GPU: all accesses, barriers and sums of products are here, but no "
           "shuffles, votes or values of variables; a recording on the CPU has them.";
}

MatrixElements::MatrixElements(const Array& array, std::span<const std::byte> content)
    : array_(&array), content_(content) {
    const std::uint32_t bytes = type_bytes(array.type);
    const std::uint32_t lines = array.by_columns ? array.columns : array.rows;
    const std::uint32_t length = array.by_columns ? array.rows : array.columns;
    std::uint64_t whole = 0;
    if (content.empty() || array.type == ElementType::kBytes || array.element_bytes != bytes ||
        array.leading_dimension < length ||
        __builtin_mul_overflow(std::uint64_t{lines} * array.leading_dimension, std::uint64_t{bytes},
                               &whole) ||
        content.size() != whole)
        return;
    size_ = std::size_t{array.rows} * array.columns;
    if (is_dense_float(array)) floats_ = reinterpret_cast<const float*>(content.data());
}

float MatrixElements::converted(std::size_t element) const {
    const std::uint32_t bytes = array_->element_bytes;
    const auto row = static_cast<std::uint32_t>(element / array_->columns);
    const auto column = static_cast<std::uint32_t>(element % array_->columns);
    const std::uint64_t offset = array_->index_of({row, column}) * bytes;
    return static_cast<float>(number_of(array_->type, content_.subspan(offset, bytes)));
}

std::vector<float> MatrixElements::copy() const {
    std::vector<float> values(size_);
    std::ranges::copy(all(), values.begin());
    return values;
}

ArrayId array_of(const MatrixProduct& product, MatrixRole which) {
    return which == MatrixRole::kA ? product.a : which == MatrixRole::kB ? product.b : product.c;
}

MatrixElements matrix_of(const Trace& trace, MatrixRole which) {
    const ArrayId id = array_of(matrices_of(trace), which);
    if (id >= trace.arrays.size()) return {};
    const Array& array = trace.arrays[id];
    return {array, which == MatrixRole::kC ? array.last_bytes : array.first_bytes};
}

bool is_first_c_zero(const Trace& trace) {
    return std::ranges::all_of(matrix_of(trace, MatrixRole::kFirstC).all(),
                               [](float value) { return value == 0; });
}

void set_matrix(Trace& trace, MatrixRole which, std::span<const float> values) {
    Array& array = trace.arrays[array_of(matrices_of(trace), which)];
    check(is_dense_float(array));
    const std::span<const std::byte> bytes = std::as_bytes(values);
    (which == MatrixRole::kC ? array.last_bytes : array.first_bytes)
        .assign(bytes.begin(), bytes.end());
}

bool is_chosen(const Trace& trace, std::uint32_t block) {
    return trace.chosen_blocks.empty() || std::ranges::binary_search(trace.chosen_blocks, block);
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
    std::uint64_t contents = 0;
    for (const Array& array : trace.arrays)
        contents += column_bytes(array.first_bytes) + column_bytes(array.last_bytes);
    for (const SourceFile& file : trace.more_sources) contents += file.text.size();
    return contents + column_bytes(trace.arrays) + column_bytes(trace.sites) +
           column_bytes(trace.patterns) + column_bytes(trace.irregular_offsets) +
           column_bytes(segments.block) + column_bytes(segments.epoch) +
           column_bytes(segments.warp) + column_bytes(segments.record_begin) +
           column_bytes(segments.value_begin) + column_bytes(records.site) +
           column_bytes(records.pattern) + column_bytes(records.base) +
           column_bytes(records.clock) + column_bytes(trace.words) +
           column_bytes(trace.multiprocessors) + column_bytes(trace.locals) +
           column_bytes(trace.chosen_blocks) + column_bytes(trace.findings) + trace.source.size() +
           (trace.warp_stops ? column_bytes(*trace.warp_stops) : 0) + trace.output.size();
}

std::uint64_t access_count(const Trace& trace) {
    std::uint64_t count = 0;
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const Operation operation = site_at(trace, record).operation;
        if (!is_access(operation) || operation == Operation::kCopyStore) continue;
        const std::uint32_t mask = trace.patterns[trace.records.pattern[record]].mask;
        count += static_cast<std::uint64_t>(std::popcount(mask));
    }
    return count;
}

}  // namespace tilereel
