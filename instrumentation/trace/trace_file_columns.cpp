#include "instrumentation/trace/trace_file_columns.h"

#include <algorithm>

namespace tilereel {

FileTables tables_of(const Trace& trace) {
    FileTables tables;
    for (const Site& site : trace.sites) {
        tables.site_line.push_back(site.line);
        tables.site_array.push_back(site.array);
        tables.site_operation.push_back(static_cast<std::uint8_t>(site.operation));
        tables.site_width_bytes.push_back(site.width_bytes);
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
    return tables;
}

Status restore_tables(const FileTables& tables, Trace& trace) {
    const std::size_t sites = tables.site_line.size();
    const std::size_t patterns = tables.pattern_mask.size();
    if (tables.site_array.size() != sites || tables.site_operation.size() != sites ||
        tables.site_width_bytes.size() != sites)
        return failed("its columns of sites are not equally long");
    if (tables.pattern_irregular.size() != patterns ||
        tables.pattern_delta_bytes.size() != 5 * patterns)
        return failed("its columns of address patterns are not equally long");
    for (std::size_t i = 0; i < sites; ++i) {
        if (tables.site_operation[i] > static_cast<std::uint8_t>(kLastOperation))
            return failed("it has a site of an operation that does not exist");
        trace.sites.push_back({tables.site_line[i], tables.site_array[i],
                               static_cast<Operation>(tables.site_operation[i]),
                               tables.site_width_bytes[i]});
    }
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
    return Done{};
}

}  // namespace tilereel
