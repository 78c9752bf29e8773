// Writes meta.npy: the description of a trace, as JSON.
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "instrumentation/base/format/json_text.h"
#include "instrumentation/trace/file/trace_file_columns.h"

namespace tilereel {
namespace {

using Json = nlohmann::json;

Json json_of(const Dim3& extents) { return {extents.x, extents.y, extents.z}; }

Json json_of(const Array& array) {
    Json json = {{"name", array.name},
                 {"space", space_name(array.space)},
                 {"type", type_name(array.type)},
                 {"type_name", array.type_name},
                 {"element_bytes", array.element_bytes},
                 {"extents", array.extents()},
                 {"row_pitch", array.leading_dimension},
                 {"base_bytes", array.base_bytes}};
    if (array.by_columns) json["by_columns"] = true;
    for (const Component& each : array.components)
        json["components"].push_back({{"offset_bytes", each.offset_bytes},
                                      {"bytes", each.bytes},
                                      {"type", type_name(each.type)},
                                      {"name", each.name}});
    return json;
}

Json json_of(const Local& local) {
    return {{"name", local.name},
            {"type", type_name(local.type)},
            {"type_name", local.type_name},
            {"line", local.line},
            {"function", local.function}};
}

Json json_of(const RecordedFinding& finding) {
    return {{"kind", static_cast<unsigned>(finding.kind)},
            {"error", finding.error},
            {"line", finding.line},
            {"column", finding.column},
            {"file", finding.file},
            {"block", finding.block},
            {"thread", finding.thread},
            {"array", finding.array},
            {"operation", static_cast<unsigned>(finding.operation)},
            {"width_bytes", finding.width_bytes},
            {"offset_bytes", finding.offset_bytes},
            {"count", finding.count},
            {"what", finding.what},
            {"advice", finding.advice}};
}

Json json_of(const WarpStop& stop) {
    return {{"block", stop.block},
            {"warp", stop.warp},
            {"kind", static_cast<unsigned>(stop.kind)},
            {"line", stop.line}};
}

template <class Entry>
Json json_list(const std::vector<Entry>& entries) {
    Json list = Json::array();
    for (const Entry& entry : entries) list.push_back(json_of(entry));
    return list;
}

Json json_of(const Launch& launch) {
    Json integers = Json::array();
    for (const NamedInteger& integer : launch.integers)
        integers.push_back({{"name", integer.name}, {"value", integer.value}});
    Json json = {{"kernel", launch.kernel},
                 {"grid", json_of(launch.grid)},
                 {"block", json_of(launch.block)},
                 {"shared_bytes", launch.shared_bytes},
                 {"seed", launch.seed},
                 {"number", launch.number},
                 {"integers", integers}};
    if (launch.cluster.count() != 1) json["cluster"] = json_of(launch.cluster);
    for (const NamedNumber& number : launch.numbers)
        if (std::isfinite(number.value))
            json["numbers"].push_back({{"name", number.name}, {"value", number.value}});
    return json;
}

Json rung_of(const Launch& launch) {
    Json json = {{"tile", launch.tile}, {"pad", launch.pad}};
    if (launch.removed_barrier != 0) {
        json["removed_barrier"] = launch.removed_barrier;
        json["order"] = static_cast<unsigned>(launch.order);
    }
    return json;
}

Json product_of(const MatrixProduct& product, const Launch& launch) {
    return {{"a", product.a}, {"b", product.b}, {"c", product.c},         {"m", launch.m},
            {"n", launch.n},  {"k", launch.k},  {"alpha", product.alpha}, {"beta", product.beta}};
}

}  // namespace

std::vector<std::uint8_t> meta_of(const Trace& trace) {
    Json json = {{"format", "tilereel trace"},
                 {"version", kTraceFormatVersion},
                 {"launch", json_of(trace.launch)},
                 {"recorded_by",
                  {{"recorder", trace.recorded_by.recorder},
                   {"device", trace.recorded_by.device},
                   {"driver", trace.recorded_by.driver},
                   {"compiler", trace.recorded_by.compiler},
                   {"accesses_only", trace.recorded_by.accesses_only}}},
                 {"complete", trace.complete},
                 {"source_name", trace.source_name},
                 {"arrays", json_list(trace.arrays)},
                 {"locals", json_list(trace.locals)},
                 {"findings", json_list(trace.findings)},
                 {"accumulator_interval", trace.accumulator_interval},
                 {"accumulators", trace.accumulators}};
    if (trace.warp_stops) json["warp_stops"] = json_list(*trace.warp_stops);
    if (trace.unexplained_values) json["unexplained_values"] = *trace.unexplained_values;
    if (trace.wrong_elements) json["wrong_elements"] = *trace.wrong_elements;
    if (trace.product) json["product"] = product_of(*trace.product, trace.launch);
    if (is_rung(trace.launch)) json["rung"] = rung_of(trace.launch);
    json["more_sources"] = Json::array();
    for (const SourceFile& file : trace.more_sources)
        json["more_sources"].push_back({{"name", file.name}});
    // json_text() replaces bytes that are not UTF-8; Json::dump() would throw.
    const std::string text = json_text(json);
    return {text.begin(), text.end()};
}

}  // namespace tilereel
