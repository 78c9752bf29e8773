// meta.npy: the small facts of a trace, as JSON.
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "instrumentation/trace/trace_file_columns.h"

namespace tilereel {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostArrays = 1024;
constexpr std::size_t kMostExtents = 16;  // of one array

// Looks values up by name and remembers the first that is missing or of the wrong kind.
class MetaReader {
  public:
    explicit MetaReader(const Json& object) : object_(object) {}

    template <class T>
    void number(const char* name, T& value) {
        const Json* found = find(name, &Json::is_number_unsigned);
        if (!found) return;
        const auto wide = found->get<std::uint64_t>();
        if (wide > std::numeric_limits<T>::max()) return fail(name);
        value = static_cast<T>(wide);
    }
    void text(const char* name, std::string& value) {
        if (const Json* found = find(name, &Json::is_string))
            value = found->get_ref<const std::string&>();
    }
    // Absent: left as it is.
    void optional_number(const char* name, std::optional<std::uint64_t>& value) {
        if (!object_.is_object() || !object_.contains(name)) return;
        std::uint64_t found = 0;
        number(name, found);
        value = found;
    }
    void truth(const char* name, bool& value) {
        if (const Json* found = find(name, &Json::is_boolean)) value = found->get<bool>();
    }
    void dimensions(const char* name, Dim3& value) {
        const Json* found = find(name, &Json::is_array);
        if (!found || found->size() != 3) return fail(name);
        for (const Json& extent : *found)
            if (!extent.is_number_unsigned() ||
                extent.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
                return fail(name);
        value = {(*found)[0].get<std::uint32_t>(), (*found)[1].get<std::uint32_t>(),
                 (*found)[2].get<std::uint32_t>()};
    }
    // Absent in a file older than the list: left as it is.
    void optional_numbers(const char* name, std::vector<std::uint32_t>& values) {
        if (!object_.is_object() || !object_.contains(name)) return;
        const Json* found = find(name, &Json::is_array);
        if (!found || found->size() > kMostExtents) return fail(name);
        for (const Json& number : *found) {
            if (!number.is_number_unsigned() ||
                number.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
                return fail(name);
            values.push_back(number.get<std::uint32_t>());
        }
    }
    const Json* array(const char* name) { return find(name, &Json::is_array); }
    const Json* object(const char* name) { return find(name, &Json::is_object); }
    [[nodiscard]] const std::string& missing() const { return missing_; }

  private:
    void fail(const char* name) {
        if (missing_.empty()) missing_ = name;
    }
    const Json* find(const char* name, bool (Json::*is_kind)() const noexcept) {
        const auto found = object_.is_object() ? object_.find(name) : object_.end();
        if (!object_.is_object() || found == object_.end() || !((*found).*is_kind)()) {
            fail(name);
            return nullptr;
        }
        return &*found;
    }
    const Json& object_;
    std::string missing_;
};

Json json_of(const Dim3& extents) { return {extents.x, extents.y, extents.z}; }

Json json_of(const Array& array) {
    Json json = {{"name", array.name},
                 {"space", array.space == Space::kGlobal ? "global" : "shared"},
                 {"rows", array.rows},
                 {"columns", array.columns},
                 {"leading_dimension", array.leading_dimension},
                 {"element_bytes", array.element_bytes},
                 {"base_bytes", array.base_bytes}};
    if (!array.outer_extents.empty()) json["outer_extents"] = array.outer_extents;
    return json;
}

Error missing_error(const std::string& name) {
    return failed("its description lacks a usable '" + name + "'");
}

Status restore_launch(const Json& json, Launch& launch) {
    MetaReader reader(json);
    reader.text("kernel", launch.kernel);
    reader.number("m", launch.m);
    reader.number("n", launch.n);
    reader.number("k", launch.k);
    reader.number("tile", launch.tile);
    reader.number("pad", launch.pad);
    reader.dimensions("grid", launch.grid);
    reader.dimensions("block", launch.block);
    reader.number("shared_bytes", launch.shared_bytes);
    reader.number("seed", launch.seed);
    std::uint32_t order = 0;
    if (json.contains("removed_barrier")) reader.number("removed_barrier", launch.removed_barrier);
    if (json.contains("order")) reader.number("order", order);
    if (!reader.missing().empty()) return missing_error(reader.missing());
    if (order > static_cast<std::uint32_t>(ThreadOrder::kLanes)) return missing_error("order");
    launch.order = static_cast<ThreadOrder>(order);
    return Done{};
}

Result<Array> array_of(const Json& json) {
    Array array;
    std::string space;
    MetaReader reader(json);
    reader.text("name", array.name);
    reader.text("space", space);
    reader.number("rows", array.rows);
    reader.number("columns", array.columns);
    reader.number("leading_dimension", array.leading_dimension);
    reader.number("element_bytes", array.element_bytes);
    reader.number("base_bytes", array.base_bytes);
    reader.optional_numbers("outer_extents", array.outer_extents);
    if (!reader.missing().empty()) return missing_error(reader.missing());
    if (space != "global" && space != "shared") return missing_error("space");
    array.space = space == "global" ? Space::kGlobal : Space::kShared;
    return array;
}

Status restore_arrays(const Json& json, std::vector<Array>& arrays) {
    if (json.size() > kMostArrays) return failed("it names far too many arrays");
    for (const Json& entry : json) {
        auto array = array_of(entry);
        if (!array) return array.error();
        arrays.push_back(*std::move(array));
    }
    return Done{};
}

Result<std::uint32_t> version_of(const Json& json) {
    std::string format;
    std::uint32_t version = 0;
    MetaReader reader(json);
    reader.text("format", format);
    reader.number("version", version);
    if (!reader.missing().empty() || format != "tilereel trace" || version == 0)
        return failed("its description is not that of a trace");
    if (version > kTraceFormatVersion)
        return failed("it was written by a newer Tilereel (format " + std::to_string(version) +
                      ", this one reads up to " + std::to_string(kTraceFormatVersion) +
                      "); update Tilereel");
    return version;
}

}  // namespace

std::vector<std::uint8_t> meta_of(const Trace& trace) {
    const Launch& launch = trace.launch;
    Json arrays = Json::array();
    for (const Array& array : trace.arrays) arrays.push_back(json_of(array));
    Json json = {{"format", "tilereel trace"},
                 {"version", trace.c_was_nan ? kFirstVersionWithGivenC - 1 : kTraceFormatVersion},
                 {"launch",
                  {{"kernel", launch.kernel},
                   {"m", launch.m},
                   {"n", launch.n},
                   {"k", launch.k},
                   {"tile", launch.tile},
                   {"pad", launch.pad},
                   {"grid", json_of(launch.grid)},
                   {"block", json_of(launch.block)},
                   {"shared_bytes", launch.shared_bytes},
                   {"seed", launch.seed}}},
                 {"recorded_by",
                  {{"recorder", trace.recorded_by.recorder},
                   {"device", trace.recorded_by.device},
                   {"driver", trace.recorded_by.driver}}},
                 {"complete", trace.complete},
                 {"source_name", trace.source_name},
                 {"arrays", arrays},
                 {"accumulator_interval", trace.accumulator_interval},
                 {"accumulators", trace.accumulators}};
    if (launch.removed_barrier != 0) {
        json["launch"]["removed_barrier"] = launch.removed_barrier;
        json["launch"]["order"] = static_cast<unsigned>(launch.order);
    }
    if (trace.unexplained_values) json["unexplained_values"] = *trace.unexplained_values;
    if (trace.wrong_elements) json["wrong_elements"] = *trace.wrong_elements;
    // Names are UTF-8; a byte that is not would otherwise throw.
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return {text.begin(), text.end()};
}

Status restore_meta(const std::vector<std::uint8_t>& meta, Trace& trace) {
    const Json json = Json::parse(meta.begin(), meta.end(), nullptr, false);
    if (json.is_discarded()) return failed("its description cannot be read");
    const Result<std::uint32_t> version = version_of(json);
    if (!version) return version.error();
    trace.c_was_nan = *version < kFirstVersionWithGivenC;
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
    if (!recorder.missing().empty()) return missing_error(recorder.missing());
    if (const Status restored = restore_launch(*launch, trace.launch); !restored) return restored;
    return restore_arrays(*arrays, trace.arrays);
}

}  // namespace tilereel
