#pragma once
// Compares traces column by column.
#include <string>
#include <tuple>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// All fields of a structure, in order. If a field is missing here, this does not compile.
inline auto fields_of(const Array& array) {
    const auto& [name, space, rows, columns, leading_dimension, element_bytes, base_bytes,
                 outer_extents, type, type_name, components, one_extent, by_columns, first_bytes,
                 last_bytes] = array;
    return std::tie(name, space, rows, columns, leading_dimension, element_bytes, base_bytes,
                    outer_extents, type, type_name, components, one_extent, by_columns, first_bytes,
                    last_bytes);
}

inline auto fields_of(const Launch& launch) {
    const auto& [kernel, m, n, k, tile, pad, grid, block, shared_bytes, seed, removed_barrier,
                 order, integers, numbers, number, cluster] = launch;
    return std::tie(kernel, m, n, k, tile, pad, grid, block, shared_bytes, seed, removed_barrier,
                    order, integers, numbers, number, cluster);
}

inline auto fields_of(const RecordedBy& by) {
    const auto& [recorder, device, driver, compiler, accesses_only] = by;
    return std::tie(recorder, device, driver, compiler, accesses_only);
}

// The name of the first column that differs, or "".
inline std::string first_difference(const Trace& one, const Trace& other) {
    if (fields_of(one.launch) != fields_of(other.launch)) return "launch";
    if (fields_of(one.recorded_by) != fields_of(other.recorded_by)) return "recorded_by";
    if (one.complete != other.complete) return "complete";
    if (one.warp_stops != other.warp_stops) return "warp_stops";
    if (one.source_name != other.source_name || one.source != other.source) return "source";
    if (one.arrays.size() != other.arrays.size()) return "arrays";
    for (std::size_t i = 0; i < one.arrays.size(); ++i)
        if (fields_of(one.arrays[i]) != fields_of(other.arrays[i])) return "arrays";
    if (one.sites != other.sites) return "sites";
    if (one.patterns != other.patterns) return "patterns";
    if (one.irregular_offsets != other.irregular_offsets) return "irregular_offsets";
    if (one.segments.block != other.segments.block) return "segments.block";
    if (one.segments.epoch != other.segments.epoch) return "segments.epoch";
    if (one.segments.warp != other.segments.warp) return "segments.warp";
    if (one.segments.record_begin != other.segments.record_begin) return "segments.record_begin";
    if (one.segments.value_begin != other.segments.value_begin) return "segments.value_begin";
    if (one.records.site != other.records.site) return "records.site";
    if (one.records.pattern != other.records.pattern) return "records.pattern";
    if (one.records.base != other.records.base) return "records.base";
    if (one.records.clock != other.records.clock) return "records.clock";
    if (one.multiprocessors != other.multiprocessors) return "multiprocessors";
    if (one.words != other.words) return "words";
    if (one.accumulator_interval != other.accumulator_interval) return "accumulator_interval";
    if (one.accumulators != other.accumulators) return "accumulators";
    if (one.wrong_elements != other.wrong_elements) return "wrong_elements";
    if (one.unexplained_values != other.unexplained_values) return "unexplained_values";
    if (one.product != other.product) return "product";
    if (one.locals != other.locals) return "locals";
    if (one.more_sources != other.more_sources) return "more_sources";
    if (one.chosen_blocks != other.chosen_blocks) return "chosen_blocks";
    if (one.findings != other.findings) return "findings";
    if (one.output != other.output) return "output";
    return "";
}

}  // namespace tilereel
