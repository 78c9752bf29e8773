#pragma once
// The members of a trace file, shared by writer and reader. Private to this folder.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "instrumentation/base/digest.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The format that is written, and the oldest one that is read. FORMAT.md describes every member.
inline constexpr int kTraceFormatVersion = 5, kOldestTraceFormatVersion = 4;
inline constexpr unsigned kArithmeticColumns = kArithmeticPipes + 2;
inline constexpr std::string_view kMetaMember = "meta.npy";
// The sums of a Digest of all other members, by which `check` sees that a file was changed.
inline constexpr std::string_view kDigestMember = "digest.npy";

// The columns of the file that are structures or text in a Trace.
struct FileTables {
    std::vector<std::uint32_t> site_line;
    std::vector<std::uint16_t> site_array;
    std::vector<std::uint8_t> site_operation, site_width_bytes, site_variety;
    std::vector<std::uint16_t> site_column, site_file, site_local;
    // Per row the instructions, their latency and the kind of address; empty: none is known.
    std::vector<std::uint16_t> site_arithmetic;
    std::vector<std::uint32_t> pattern_mask, pattern_irregular;
    std::vector<std::int32_t> pattern_delta_bytes;  // 5 per row
    std::vector<std::int32_t> irregular_offsets;    // 32 per row
    std::vector<std::uint8_t> source;               // UTF-8
    std::vector<std::vector<std::uint8_t>> more_sources;
    std::vector<std::uint8_t> output;
};
[[nodiscard]] FileTables tables_of(const Trace& trace);
// Fills trace.sites, patterns, irregular_offsets, sources and output. Columns of unequal length or
// an unknown operation are an error that completes "it ...".
Status restore_tables(const FileTables& tables, Trace& trace);

// The rest of the trace as JSON: launch, arrays, recorder, accumulators, format version.
[[nodiscard]] std::vector<std::uint8_t> meta_of(const Trace& trace);
// Reads what meta_of() wrote into `trace`. A file of another format is an error that completes
// "it ...". `trace.more_sources` gets only names; restore_tables() adds the texts.
Status restore_meta(const std::vector<std::uint8_t>& meta, Trace& trace);

// Whether the member is left out of the file if its column is empty.
[[nodiscard]] constexpr bool is_optional(std::string_view member) {
    return member == "blocks_multiprocessor.npy" || member == "chosen_blocks.npy" ||
           member == "output.npy" || member == "sites_arithmetic.npy" ||
           member.starts_with("array_");
}

// Visits the content of each array.
template <class Model, class Visit>
void visit_contents(Model& trace, Visit&& visit) {
    for (std::size_t i = 0; i < trace.arrays.size(); ++i) {
        const std::string first = "array_" + std::to_string(i) + "_first.npy";
        const std::string last = "array_" + std::to_string(i) + "_last.npy";
        visit(first, trace.arrays[i].first_bytes, 0u);
        visit(last, trace.arrays[i].last_bytes, 0u);
    }
}

// Calls visit(member name, column, columns of its 2-D shape or 0 if 1-D) for every member but
// meta.npy, in the order of the file. `Model` and `Tables` may be const. A column is a vector, or a
// span of bytes.
template <class Model, class Tables, class Visit>
void visit_columns(Model& trace, Tables& tables, Visit&& visit) {
    visit("source.npy", tables.source, 0u);
    for (std::size_t i = 0; i < tables.more_sources.size(); ++i)
        visit("source_" + std::to_string(i + 1) + ".npy", tables.more_sources[i], 0u);
    visit("sites_line.npy", tables.site_line, 0u);
    visit("sites_array.npy", tables.site_array, 0u);
    visit("sites_operation.npy", tables.site_operation, 0u);
    visit("sites_width_bytes.npy", tables.site_width_bytes, 0u);
    visit("sites_variety.npy", tables.site_variety, 0u);
    visit("sites_column.npy", tables.site_column, 0u);
    visit("sites_file.npy", tables.site_file, 0u);
    visit("sites_local.npy", tables.site_local, 0u);
    visit("sites_arithmetic.npy", tables.site_arithmetic, kArithmeticColumns);
    visit("patterns_mask.npy", tables.pattern_mask, 0u);
    visit("patterns_delta_bytes.npy", tables.pattern_delta_bytes, 5u);
    visit("patterns_irregular.npy", tables.pattern_irregular, 0u);
    visit("irregular_offsets.npy", tables.irregular_offsets, unsigned{kWarpSize});
    visit("segments_block.npy", trace.segments.block, 0u);
    visit("segments_epoch.npy", trace.segments.epoch, 0u);
    visit("segments_warp.npy", trace.segments.warp, 0u);
    visit("segments_record_begin.npy", trace.segments.record_begin, 0u);
    visit("segments_value_begin.npy", trace.segments.value_begin, 0u);
    visit("records_site.npy", trace.records.site, 0u);
    visit("records_pattern.npy", trace.records.pattern, 0u);
    visit("records_base.npy", trace.records.base, 0u);
    visit("records_clock.npy", trace.records.clock, 0u);
    visit("words.npy", trace.words, 0u);
    visit("blocks_multiprocessor.npy", trace.multiprocessors, 0u);
    visit("chosen_blocks.npy", trace.chosen_blocks, 0u);
    visit("output.npy", tables.output, 0u);
    visit_contents(trace, visit);
}

// Adds a member to the digest of a file: its name and its column, without the header. A member that
// is left out does not count.
template <class Column>
void add_member(Digest& digest, std::string_view name, const Column& column) {
    if (is_optional(name) && column.empty()) return;
    digest.add(name);
    digest.add(std::as_bytes(std::span(column)));
}

}  // namespace tilereel
