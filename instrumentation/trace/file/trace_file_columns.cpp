#include "instrumentation/trace/file/trace_file_columns.h"

#include <algorithm>
#include <cstddef>

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
    const auto has_arithmetic = [](const Site& site) {
        return any_instruction(site.instructions) || site.latency_clocks != 0 ||
               site.address != AddressKind::kLinear;
    };
    if (std::ranges::any_of(trace.sites, has_arithmetic))
        for (const Site& site : trace.sites) {
            std::vector<std::uint16_t>& rows = tables.site_arithmetic;
            rows.insert(rows.end(), site.instructions.begin(), site.instructions.end());
            rows.push_back(site.latency_clocks);
            rows.push_back(static_cast<std::uint16_t>(site.address));
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
        tables.site_local.size() != sites ||
        (!tables.site_arithmetic.empty() &&
         tables.site_arithmetic.size() != kArithmeticColumns * sites))
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
        if (tables.site_arithmetic.empty()) continue;
        const std::span row =
            std::span(tables.site_arithmetic).subspan(kArithmeticColumns * i, kArithmeticColumns);
        Site& site = trace.sites.back();
        std::copy_n(row.begin(), kArithmeticPipes, site.instructions.begin());
        site.latency_clocks = row[kArithmeticPipes];
        if (row.back() > static_cast<std::uint16_t>(kLastAddressKind))
            return failed("it has a site whose address is of a kind that does not exist");
        site.address = static_cast<AddressKind>(row.back());
    }
    return Done{};
}

}  // namespace

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
    return Done{};
}

}  // namespace tilereel
