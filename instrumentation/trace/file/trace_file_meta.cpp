// Reads meta.npy: the description of a trace, as JSON.
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "instrumentation/base/format/json_text.h"
#include "instrumentation/trace/file/meta_reader.h"
#include "instrumentation/trace/file/trace_file_columns.h"

namespace tilereel {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostArrays = kNoArray;  // numbers of arrays have 16 bits

Error missing_error(const std::string& name) {
    return failed("its description lacks a usable '" + name + "'");
}

Status restore_launch(const Json& json, Launch& launch) {
    MetaReader reader(json);
    reader.text("kernel", launch.kernel);
    reader.dimensions("grid", launch.grid);
    reader.dimensions("block", launch.block);
    if (reader.has("cluster")) reader.dimensions("cluster", launch.cluster);
    reader.number("shared_bytes", launch.shared_bytes);
    reader.number("seed", launch.seed);
    reader.number("number", launch.number);
    reader.each("integers", [&](MetaReader& entry) {
        NamedInteger& integer = launch.integers.emplace_back();
        entry.text("name", integer.name);
        entry.integer("value", integer.value);
    });
    reader.each("numbers", [&](MetaReader& entry) {
        NamedNumber& number = launch.numbers.emplace_back();
        entry.text("name", number.name);
        entry.real("value", number.value);
    });
    return reader.missing().empty() ? Status(Done{}) : missing_error(reader.missing());
}

// What makes a launch one of the ladder's.
void restore_rung(MetaReader& reader, Launch& launch) {
    reader.number("tile", launch.tile);
    reader.number("pad", launch.pad);
    if (reader.has("removed_barrier")) reader.number("removed_barrier", launch.removed_barrier);
    if (reader.has("order")) reader.choice("order", launch.order, ThreadOrder::kLanes);
}

std::optional<Space> space_of(std::string_view name) {
    for (const Space space :
         {Space::kGlobal, Space::kShared, Space::kConstant, Space::kSharedCluster})
        if (space_name(space) == name) return space;
    return std::nullopt;
}

bool restore_components(const Json& json, MetaReader& array, std::vector<Component>& components) {
    if (!array.has("components")) return true;
    const Json& list = json["components"];
    if (!list.is_array() || list.size() > kMostComponents) return false;
    for (const Json& entry : list) {
        Component component;
        std::string type_text;
        MetaReader reader(entry);
        reader.number("offset_bytes", component.offset_bytes);
        reader.number("bytes", component.bytes);
        reader.text("type", type_text);
        reader.text("name", component.name);
        const auto type = element_type(type_text);
        if (!reader.missing().empty() || !type) return false;
        component.type = *type;
        components.push_back(std::move(component));
    }
    return true;
}

Result<Array> array_of(const Json& json) {
    std::string name, space_text, type_text, own_type;
    std::uint32_t element_bytes = 0, base_bytes = 0;
    Array::Shape shape;
    MetaReader reader(json);
    reader.text("name", name);
    reader.text("space", space_text);
    reader.text("type", type_text);
    reader.text("type_name", own_type);
    reader.number("element_bytes", element_bytes);
    reader.optional_numbers("extents", shape.extents);
    reader.number("row_pitch", shape.row_pitch);
    reader.number("base_bytes", base_bytes);
    if (!reader.missing().empty()) return missing_error(reader.missing());
    const auto space = space_of(space_text);
    const auto type = element_type(type_text);
    if (!space) return missing_error("space");
    if (!type) return missing_error("type");
    std::uint64_t elements = 1;
    for (const std::uint32_t extent : shape.extents)
        if (extent == 0 || (elements *= extent) > std::numeric_limits<std::uint32_t>::max())
            return failed("it has an array of an impossible size");
    if (shape.extents.empty()) return missing_error("extents");
    bool by_columns = false;
    if (reader.has("by_columns")) reader.truth("by_columns", by_columns);
    if (!reader.missing().empty() || (by_columns && shape.extents.size() != 2))
        return missing_error("by_columns");
    Array array = Array::of(std::move(name), *space, *type, element_bytes, shape);
    array.by_columns = by_columns;
    array.type_name = std::move(own_type);
    array.base_bytes = base_bytes;
    if (!restore_components(json, reader, array.components)) return missing_error("components");
    return array;
}

Status restore_arrays(const Json& json, std::vector<Array>& arrays) {
    if (json.size() > kMostArrays) return failed("it names too many arrays");
    for (const Json& entry : json) {
        auto array = TRY(array_of(entry));
        arrays.push_back(std::move(array));
    }
    return Done{};
}

void restore_product(MetaReader& reader, Trace& trace) {
    MatrixProduct& product = trace.product.emplace();
    reader.number("a", product.a);
    reader.number("b", product.b);
    reader.number("c", product.c);
    if (reader.has("alpha")) reader.real("alpha", product.alpha);
    if (reader.has("beta")) reader.real("beta", product.beta);
    reader.number("m", trace.launch.m);
    reader.number("n", trace.launch.n);
    reader.number("k", trace.launch.k);
}

void restore_finding(MetaReader& reader, RecordedFinding& finding) {
    reader.choice("kind", finding.kind, kLastRecordedFindingKind);
    reader.truth("error", finding.error);
    reader.number("line", finding.line);
    reader.number("column", finding.column);
    reader.number("file", finding.file);
    reader.number("block", finding.block);
    reader.number("thread", finding.thread);
    reader.number("array", finding.array);
    reader.choice("operation", finding.operation, kLastOperation);
    reader.number("width_bytes", finding.width_bytes);
    reader.integer("offset_bytes", finding.offset_bytes);
    reader.number("count", finding.count);
    reader.text("what", finding.what);
    reader.text("advice", finding.advice);
}

// What is beside the launch: not every trace has it.
Status restore_optional(const Json& json, Trace& trace) {
    MetaReader reader(json);
    if (reader.has("product")) {
        MetaReader product(json["product"]);
        restore_product(product, trace);
        if (!product.missing().empty()) return missing_error(product.missing());
    }
    if (reader.has("rung")) {
        MetaReader rung(json["rung"]);
        restore_rung(rung, trace.launch);
        if (!rung.missing().empty()) return missing_error(rung.missing());
    }
    std::string type;
    reader.each("locals", [&](MetaReader& entry) {
        Local& local = trace.locals.emplace_back();
        entry.text("name", local.name);
        entry.text("type", type);
        entry.text("type_name", local.type_name);
        entry.number("line", local.line);
        entry.text("function", local.function);
        const auto known = element_type(type);
        known ? void(local.type = *known) : entry.fail("type");
    });
    reader.each("more_sources", [&](MetaReader& entry) {
        entry.text("name", trace.more_sources.emplace_back().name);
    });
    reader.each("findings",
                [&](MetaReader& entry) { restore_finding(entry, trace.findings.emplace_back()); });
    if (reader.has("warp_stops")) trace.warp_stops.emplace();
    reader.each("warp_stops", [&](MetaReader& entry) {
        WarpStop& stop = trace.warp_stops->emplace_back();
        entry.number("block", stop.block);
        entry.number("warp", stop.warp);
        entry.choice("kind", stop.kind, kLastWarpStopKind);
        entry.number("line", stop.line);
    });
    return reader.missing().empty() ? Status(Done{}) : missing_error(reader.missing());
}

Status check_version(const Json& json) {
    std::string format;
    std::uint32_t version = 0;
    MetaReader reader(json);
    reader.text("format", format);
    reader.number("version", version);
    if (!reader.missing().empty() || format != "tilereel trace" || version == 0)
        return failed("its description is not that of a trace");
    if (version < kOldestTraceFormatVersion)
        return failed("it is a trace of format " + std::to_string(version) +
                      ", from an older Tilereel; record it again with 'tilereel trace -o'");
    if (version > kTraceFormatVersion)
        return failed("it was written by a newer Tilereel (format " + std::to_string(version) +
                      ", this one reads format " + std::to_string(kTraceFormatVersion) +
                      "); update Tilereel");
    return Done{};
}

}  // namespace

Status restore_meta(const std::vector<std::uint8_t>& meta, Trace& trace) {
    const Json json = read_json({reinterpret_cast<const char*>(meta.data()), meta.size()});
    if (json.is_discarded()) return failed("its description cannot be read");
    TRY(check_version(json));
    MetaReader reader(json);
    const Json* launch = reader.object("launch");
    const Json* recorded_by = reader.object("recorded_by");
    const Json* arrays = reader.array("arrays");
    reader.truth("complete", trace.complete);
    reader.text("source_name", trace.source_name);
    reader.number("accumulator_interval", trace.accumulator_interval);
    reader.number("accumulators", trace.accumulators);
    reader.optional_number("wrong_elements", trace.wrong_elements);
    reader.optional_number("unexplained_values", trace.unexplained_values);
    if (!reader.missing().empty()) return missing_error(reader.missing());
    MetaReader recorder(*recorded_by);
    recorder.text("recorder", trace.recorded_by.recorder);
    recorder.text("device", trace.recorded_by.device);
    recorder.text("driver", trace.recorded_by.driver);
    if (recorder.has("compiler")) recorder.text("compiler", trace.recorded_by.compiler);
    if (recorder.has("accesses_only"))
        recorder.truth("accesses_only", trace.recorded_by.accesses_only);
    if (!recorder.missing().empty()) return missing_error(recorder.missing());
    TRY(restore_launch(*launch, trace.launch));
    TRY(restore_arrays(*arrays, trace.arrays));
    return restore_optional(json, trace);
}

}  // namespace tilereel
