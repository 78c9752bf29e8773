#pragma once
// Compares traces column by column, and floats by their bits, so that NaN equals itself.
#include <cstring>

#include "instrumentation/trace/trace.h"

namespace tilereel::testing {

inline bool same_bits(const std::vector<float>& one, const std::vector<float>& other) {
    return one.size() == other.size() &&
           (one.empty() || std::memcmp(one.data(), other.data(), one.size() * sizeof(float)) == 0);
}

inline bool same_array(const Array& one, const Array& other) {
    return one.name == other.name && one.space == other.space && one.rows == other.rows &&
           one.columns == other.columns && one.leading_dimension == other.leading_dimension &&
           one.element_bytes == other.element_bytes && one.base_bytes == other.base_bytes &&
           one.outer_extents == other.outer_extents && one.type == other.type &&
           one.type_name == other.type_name && one.one_extent == other.one_extent &&
           one.first_bytes == other.first_bytes && one.last_bytes == other.last_bytes;
}

inline bool same_launch(const Launch& one, const Launch& other) {
    return one.kernel == other.kernel && one.m == other.m && one.n == other.n && one.k == other.k &&
           one.tile == other.tile && one.pad == other.pad && one.grid == other.grid &&
           one.block == other.block && one.shared_bytes == other.shared_bytes &&
           one.seed == other.seed && one.removed_barrier == other.removed_barrier &&
           one.order == other.order && one.integers == other.integers && one.number == other.number;
}

// The name of the first column that differs, or "".
inline std::string first_difference(const Trace& one, const Trace& other) {
    if (!same_launch(one.launch, other.launch)) return "launch";
    if (one.recorded_by.recorder != other.recorded_by.recorder ||
        one.recorded_by.device != other.recorded_by.device ||
        one.recorded_by.driver != other.recorded_by.driver ||
        one.recorded_by.compiler != other.recorded_by.compiler ||
        one.recorded_by.accesses_only != other.recorded_by.accesses_only)
        return "recorded_by";
    if (one.complete != other.complete) return "complete";
    if (one.source_name != other.source_name || one.source != other.source) return "source";
    if (one.arrays.size() != other.arrays.size()) return "arrays";
    for (std::size_t i = 0; i < one.arrays.size(); ++i)
        if (!same_array(one.arrays[i], other.arrays[i])) return "arrays";
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
    if (one.c_was_nan != other.c_was_nan || !same_bits(one.c_before, other.c_before))
        return "c_before";
    if (one.wrong_elements != other.wrong_elements) return "wrong_elements";
    if (one.unexplained_values != other.unexplained_values) return "unexplained_values";
    if (one.product != other.product) return "product";
    if (one.locals != other.locals) return "locals";
    if (one.more_sources != other.more_sources) return "more_sources";
    if (one.chosen_blocks != other.chosen_blocks) return "chosen_blocks";
    if (one.findings != other.findings) return "findings";
    if (one.output != other.output) return "output";
    if (!same_bits(one.a, other.a) || !same_bits(one.b, other.b)) return "inputs";
    return same_bits(one.c, other.c) ? "" : "c";
}

}  // namespace tilereel::testing
