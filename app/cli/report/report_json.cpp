// The JSON of a report.
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/report/as_compiled_report.h"
#include "app/cli/report/findings.h"
#include "app/cli/report/removed_barrier.h"
#include "app/cli/report/report.h"
#include "app/cli/report/report_parts.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/trace/stopped_warps.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

// `places`: bits of CounterPlace.
void put_counts(Json& json, const AccessCounts& counts, unsigned places) {
    for (const Counter& counter : kCounters)
        if (is_shown(counter, places)) json[counter.key] = counts.*counter.sum;
}

Json counts_json(const AccessCounts& counts, unsigned places) {
    Json json;
    put_counts(json, counts, places);
    return json;
}

// Atomics and accesses of constant memory, if the trace has any.
void put_atomics_and_constants(Json& json, const KernelCounts& counts) {
    if (counts.global_atomic.requests > 0)
        json["global_atomic"] = counts_json(counts.global_atomic, kOfGlobal | kOfAtomics);
    if (counts.shared_atomic.requests > 0)
        json["shared_atomic"] = counts_json(counts.shared_atomic, kOfShared | kOfAtomics);
    if (counts.constant_load.requests > 0)
        json["constant_load"] = counts_json(counts.constant_load, kOfConstant);
    if (counts.cluster_access.requests > 0)
        json["cluster_access"] = counts_json(counts.cluster_access, kOfCluster);
}

// Values that were not recorded are null.
Json totals_json(const KernelCounts& counts, bool has_sums) {
    const auto ratio = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json json = {{"global_load", counts_json(counts.global_load, kOfGlobal)},
                 {"global_store", counts_json(counts.global_store, kOfGlobal)},
                 {"shared_load", counts_json(counts.shared_load, kOfShared)},
                 {"shared_store", counts_json(counts.shared_store, kOfShared)},
                 {"shared_copy", counts_json(counts.shared_copy, kOfShared)}};
    put_atomics_and_constants(json, counts);
    json["lanes_on_percent"] = counts.lanes_on_percent();
    json["barriers"] = counts.barriers;
    json["multiply_adds"] = counts.multiply_adds;
    json["flop"] = counts.flop();
    json["flop_per_byte_requested"] = ratio(counts.flop_per_byte_requested());
    json["flop_per_byte_moved"] = ratio(counts.flop_per_byte_moved());
    if (!has_sums)
        for (const char* const sum :
             {"multiply_adds", "flop", "flop_per_byte_requested", "flop_per_byte_moved"})
            json[sum] = nullptr;
    return json;
}

Json site_json(const Trace& trace, const SiteCounts& counted) {
    const Site& site = trace.sites[counted.site];
    Json json;
    json["line"] = site.line;
    if (site.column != 0) json["column"] = site.column;
    if (site.file != 0) json["file"] = source_name(trace, site.file);
    json["width"] = site.width_bytes;
    json["array"] = site.array == kNoArray ? Json(nullptr) : Json(trace.arrays[site.array].name);
    json["operation"] = std::string(words_for(site.operation).name);
    put_counts(json, counted.counts, counter_place_of(trace, site));
    return json;
}

Json matrix_json(const Array& array) {
    return {{"array", array.name},
            {"type", type_name(array.type)},
            {"rows", array.rows},
            {"columns", array.columns},
            {"by_columns", array.by_columns},
            {"pitch", array.leading_dimension}};
}

// C(M,N) = alpha A(M,K) B(K,N) + beta C(M,N). C on the right-hand side is its value before the
// launch.
Json product_json(const Trace& trace) {
    const MatrixProduct& product = *trace.product;
    Json json = {{"a", matrix_json(trace.arrays[product.a])},
                 {"b", matrix_json(trace.arrays[product.b])},
                 {"c", matrix_json(trace.arrays[product.c])},
                 {"m", trace.launch.m},
                 {"n", trace.launch.n},
                 {"k", trace.launch.k},
                 {"alpha", product.alpha},
                 {"beta", product.beta},
                 {"wrong_elements", wrong_elements_of(trace).size()}};
    if (const auto judged = judged_elements(trace)) json["judged_elements"] = *judged;
    return json;
}

// Where the warps were in each block that was not recorded to its end.
Json stops_json(const Trace& trace) {
    Json stops = Json::array();
    for (const WarpStop& each : *trace.warp_stops) {
        const WarpStop stop = stop_of_warp(trace, each.block, each.warp);
        stops.push_back({{"block", stop.block},
                         {"warp", stop.warp},
                         {"line", stop.line},
                         {"state", words_of(stop)}});
    }
    return stops;
}

}  // namespace

Json report_object(const Trace& trace, const Generation& generation) {
    const std::vector<SiteCounts> sites = count_sites(trace, {}, generation);
    const Launch& launch = trace.launch;
    Json json = {{"kernel", launch.kernel}};
    if (trace.product) json.update({{"m", launch.m}, {"n", launch.n}, {"k", launch.k}});
    if (is_rung(launch)) json.update({{"tile", launch.tile}, {"pad", launch.pad}});
    json.update({{"generation", generation.id},
                 {"recorded_by", trace.recorded_by.recorder},
                 {"complete", trace.complete}});
    if (trace.product) json["product"] = product_json(trace);
    if (trace.recorded_by.accesses_only) json["not_recorded"] = missing_facts(trace.recorded_by);
    put_removed_barrier(json, trace);
    if (trace.warp_stops) json["warp_stops"] = stops_json(trace);
    const KernelCounts counts = sum_of(trace, sites);
    json["totals"] = totals_json(counts, has_sums(trace, counts));
    json["sites"] = Json::array();
    for (const SiteCounts& counted : sites) json["sites"].push_back(site_json(trace, counted));
    put_as_compiled(json, as_compiled(trace, sites));
    json["findings"] = findings_json(trace, generation);
    put_wrong_elements(json, trace);
    return json;
}

std::string report_json(const Trace& trace, const Generation& generation) {
    return json_text(report_object(trace, generation), 1) + "\n";
}

}  // namespace tilereel
