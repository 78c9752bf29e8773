#include "instrumentation/trace/file/trace_file_columns.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tilereel {

FileTables tables_of(const Trace& trace) {
    FileTables tables;
    for (const Site& site : trace.sites) {
        tables.site_line.push_back(site.line);
        tables.site_array.push_back(site.array);
        tables.site_operation.push_back(static_cast<std::uint8_t>(site.operation));
        tables.site_width_bytes.push_back(site.width_bytes);
        tables.site_variety.push_back(site.variety);
        tables.site_column.push_back(site.column);
        tables.site_file.push_back(site.file);
        tables.site_local.push_back(site.local);
    }
    for (const Pattern& pattern : trace.patterns) {
        tables.pattern_mask.push_back(pattern.mask);
        tables.pattern_irregular.push_back(pattern.irregular);
        tables.pattern_delta_bytes.insert(tables.pattern_delta_bytes.end(),
                                          pattern.delta_bytes.begin(), pattern.delta_bytes.end());
    }
    for (const IrregularOffsets& row : trace.irregular_offsets)
        tables.irregular_offsets.insert(tables.irregular_offsets.end(), row.begin(), row.end());
    tables.source.assign(trace.source.begin(), trace.source.end());
    for (const SourceFile& file : trace.more_sources)
        tables.more_sources.emplace_back(file.text.begin(), file.text.end());
    tables.output.assign(trace.output.begin(), trace.output.end());
    return tables;
}

namespace {

Status restore_sites(const FileTables& tables, Trace& trace) {
    const std::size_t sites = tables.site_line.size();
    if (tables.site_array.size() != sites || tables.site_operation.size() != sites ||
        tables.site_width_bytes.size() != sites || tables.site_variety.size() != sites ||
        tables.site_column.size() != sites || tables.site_file.size() != sites ||
        tables.site_local.size() != sites)
        return failed("its columns of sites are not equally long");
    for (std::size_t i = 0; i < sites; ++i) {
        if (tables.site_operation[i] > static_cast<std::uint8_t>(kLastOperation))
            return failed("it has a site of an operation that does not exist");
        trace.sites.push_back({.line = tables.site_line[i],
                               .array = tables.site_array[i],
                               .operation = static_cast<Operation>(tables.site_operation[i]),
                               .width_bytes = tables.site_width_bytes[i],
                               .variety = tables.site_variety[i],
                               .column = tables.site_column[i],
                               .file = tables.site_file[i],
                               .local = tables.site_local[i]});
    }
    return Done{};
}

// The elements of a matrix, row by row, rounded to float. Empty if the content does not have the
// size of the array, which check_trace() then refuses.
std::vector<float> elements_of(const Array& array, std::span<const std::byte> content) {
    const std::uint32_t bytes = type_bytes(array.type);
    std::uint64_t whole = 0;
    if (content.empty() || array.type == ElementType::kBytes || array.element_bytes != bytes ||
        __builtin_mul_overflow(
            std::uint64_t{array.by_columns ? array.columns : array.rows} * array.leading_dimension,
            std::uint64_t{bytes}, &whole) ||
        content.size() != whole ||
        array.leading_dimension < (array.by_columns ? array.rows : array.columns))
        return {};
    std::vector<float> elements(std::size_t{array.rows} * array.columns);
    if (is_dense_float(array)) {
        std::memcpy(elements.data(), content.data(), content.size());
        return elements;
    }
    std::size_t at = 0;
    for (std::uint32_t row = 0; row < array.rows; ++row)
        for (std::uint32_t column = 0; column < array.columns; ++column) {
            const std::uint64_t offset = array.index_of({row, column}) * bytes;
            elements[at++] =
                static_cast<float>(number_of(array.type, content.subspan(offset, bytes)));
        }
    return elements;
}

// Fills A, B and C from the contents of their arrays. A dense matrix of floats is kept once: as
// the matrix.
void restore_matrices(Trace& trace) {
    if (!trace.product) return;
    const MatrixProduct& ids = *trace.product;
    for (const ArrayId id : {ids.a, ids.b, ids.c})
        if (id >= trace.arrays.size()) return;
    Array &a = trace.arrays[ids.a], &b = trace.arrays[ids.b], &c = trace.arrays[ids.c];
    trace.a = elements_of(a, a.first_bytes);
    trace.b = elements_of(b, b.first_bytes);
    trace.c = elements_of(c, c.last_bytes);
    trace.c_before = elements_of(c, c.first_bytes);
    const auto is_zero = [](float value) { return value == 0; };
    if (!is_dense_float(c) && std::ranges::all_of(trace.c_before, is_zero)) trace.c_before = {};
    const auto keep_once = [](const Array& array, const std::vector<float>& matrix,
                              std::vector<std::byte>& content) {
        if (is_dense_float(array) && !matrix.empty()) content = {};
    };
    keep_once(a, trace.a, a.first_bytes);
    keep_once(b, trace.b, b.first_bytes);
    keep_once(c, trace.c, c.last_bytes);
    keep_once(c, trace.c_before, c.first_bytes);
}

}  // namespace

std::uint64_t rounded_bytes(const Trace& trace) {
    if (!trace.product) return 0;
    std::uint64_t bytes = 0;
    for (const ArrayId id : {trace.product->a, trace.product->b, trace.product->c}) {
        if (id >= trace.arrays.size() || is_dense_float(trace.arrays[id])) continue;
        const Array& array = trace.arrays[id];
        const std::uint64_t matrices = id == trace.product->c ? 2 : 1;  // C also before the launch
        const std::uint64_t elements = std::uint64_t{array.rows} * array.columns;
        bytes += matrices * sizeof(float) * std::min(elements, std::uint64_t{1} << 40);
    }
    return bytes;
}

Status restore_tables(const FileTables& tables, Trace& trace) {
    TRY(restore_sites(tables, trace));
    const std::size_t patterns = tables.pattern_mask.size();
    if (tables.pattern_irregular.size() != patterns ||
        tables.pattern_delta_bytes.size() != 5 * patterns)
        return failed("its columns of address patterns are not equally long");
    trace.patterns.resize(patterns);
    for (std::size_t i = 0; i < patterns; ++i) {
        Pattern& pattern = trace.patterns[i];
        pattern.mask = tables.pattern_mask[i];
        pattern.irregular = tables.pattern_irregular[i];
        std::copy_n(tables.pattern_delta_bytes.begin() + static_cast<std::ptrdiff_t>(5 * i), 5,
                    pattern.delta_bytes.begin());
    }
    trace.irregular_offsets.resize(tables.irregular_offsets.size() / kWarpSize);
    for (std::size_t i = 0; i < trace.irregular_offsets.size(); ++i)
        std::copy_n(tables.irregular_offsets.begin() + static_cast<std::ptrdiff_t>(kWarpSize * i),
                    kWarpSize, trace.irregular_offsets[i].begin());
    trace.source.assign(tables.source.begin(), tables.source.end());
    for (std::size_t i = 0; i < tables.more_sources.size(); ++i)
        trace.more_sources[i].text.assign(tables.more_sources[i].begin(),
                                          tables.more_sources[i].end());
    trace.output.assign(tables.output.begin(), tables.output.end());
    restore_matrices(trace);
    return Done{};
}

}  // namespace tilereel
