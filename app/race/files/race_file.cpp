#include "app/race/files/race_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/format/bytes_text.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json_text(json); }

// JSON has no infinity and no NaN.
double finite(double value) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return value != value ? 0 : std::clamp(value, -kMost, kMost);
}

Json json_of(const RaceMachine& machine) {
    return {{"gpu", machine.gpu},
            {"device", machine.device},
            {"driver", machine.driver},
            {"toolkit", machine.toolkit},
            {"reference", machine.reference},
            {"threads", machine.threads},
            {"compute_capability", machine.compute_capability},
            {"multiprocessors", machine.multiprocessors},
            {"last_cache_bytes", machine.last_cache_bytes},
            {"measured_bandwidth_gbs", finite(machine.measured_bandwidth_gbs)},
            {"measured_peak_gflops", finite(machine.measured_peak_gflops)}};
}

Json json_of(const RaceRequest& request) {
    Json contenders = Json::array(), sizes = Json::array();
    for (const Contender& each : request.contenders)
        contenders.push_back({{"kernel", each.kernel}, {"tile", each.tile}, {"pad", each.pad}});
    for (const ProductSize& each : request.sizes)
        sizes.push_back(Json::array({each.m, each.n, each.k}));
    Json json = {{"contenders", std::move(contenders)},
                 {"sizes", std::move(sizes)},
                 {"repeats", request.repeats},
                 {"warm_ups", request.warm_ups},
                 {"least_sample_ms", request.least_sample_ms},
                 {"enough_ms", request.enough_ms},
                 {"caches", name_of(request.caches)},
                 {"seed", request.seed}};
    if (!is_of_products(request)) json["bytes"] = request.bytes;
    return json;
}

Json json_of(const std::optional<KernelResources>& resources) {
    if (!resources) return nullptr;
    return {{"registers_per_thread", resources->registers_per_thread},
            {"static_shared_bytes", resources->static_shared_bytes},
            {"dynamic_shared_bytes", resources->dynamic_shared_bytes},
            {"local_bytes", resources->local_bytes},
            {"block_threads", resources->block_threads},
            {"blocks_per_multiprocessor", resources->blocks_per_multiprocessor},
            {"suggested_block_threads", resources->suggested_block_threads},
            {"suggested_grid_blocks", resources->suggested_grid_blocks}};
}

Json json_of(const Verified& verified) {
    Json json = {{"contender", verified.contender},
                 {"size", verified.size},
                 {"outcome", name_of(verified.outcome)},
                 {"worst_error", finite(verified.worst_error)}};
    if (!verified.sentence.empty()) json["sentence"] = verified.sentence;
    if (!verified.checked.empty()) json["checked"] = verified.checked;
    return json;
}

Json json_of(const Sample& sample) {
    Json json = {{"contender", sample.contender},
                 {"size", sample.size},
                 {"repeat", sample.repeat},
                 {"launches", sample.launches},
                 {"milliseconds", finite(sample.milliseconds)},
                 {"gflops", finite(sample.rate)}};
    const Conditions& conditions = sample.conditions;
    if (conditions.sm_clock_mhz) json["sm_clock_mhz"] = finite(*conditions.sm_clock_mhz);
    if (conditions.temperature_c) json["temperature_c"] = finite(*conditions.temperature_c);
    if (conditions.power_w) json["power_w"] = finite(*conditions.power_w);
    return json;
}

// One element a line, so that files can be compared line by line.
template <class T>
std::string lines_of(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values)
        text += (text.size() > 1 ? ",\n  " : "\n  ") + text_of(json_of(value));
    return text + (values.empty() ? "]" : "\n ]");
}

// Races of products are written as programs of the first format read them.
int version_of(const Race& race) { return is_of_products(race.request) ? 1 : kRaceFormatVersion; }

// A race without its events.
Race begun(const Race& race) {
    Race begun = race;
    begun.verified.clear();
    begun.samples.clear();
    return begun;
}

Error cannot_read(const std::filesystem::path& path, const std::string& why) {
    return failed("cannot read '" + path.string() + "': " + why);
}

}  // namespace

std::string_view name_of(Outcome outcome) {
    constexpr std::array<std::string_view, 5> kNames{"verified", "wrong", "failed", "skipped",
                                                     "unchecked"};
    return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(Caches caches) { return caches == Caches::kCold ? "cold" : "warm"; }

std::string race_json(const Race& race) {
    return "{\n \"format\": \"tilereel race\",\n \"version\": " + std::to_string(version_of(race)) +
           ",\n \"date\": " + text_of(race.date) +
           ",\n \"complete\": " + (race.complete ? "true" : "false") +
           ",\n \"machine\": " + text_of(json_of(race.machine)) +
           ",\n \"request\": " + text_of(json_of(race.request)) +
           ",\n \"resources\": " + lines_of(race.resources) +
           ",\n \"verified\": " + lines_of(race.verified) +
           ",\n \"samples\": " + lines_of(race.samples) + "\n}\n";
}

std::string race_line(const Race& race) {
    std::string line = race_json(begun(race));
    std::ranges::replace(line, '\n', ' ');
    return line + "\n";
}

std::string event_line(const RaceEvent& event) {
    Json json;
    if (const auto* verified = std::get_if<Verified>(&event))
        json["verified"] = json_of(*verified);
    else
        json["sample"] = json_of(std::get<Sample>(event));
    return text_of(json) + "\n";
}

Status write_race(const Race& race, const std::filesystem::path& path) {
    const std::string text = race_json(race);
    return replace_file(path, std::as_bytes(std::span(text)));
}

Result<Race> read_race(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return cannot_read(path, "there is no such file; name a saved race");
    if (!std::filesystem::is_regular_file(status))
        return cannot_read(path, "it is not a file; name a saved race");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return cannot_read(path, "it may not be read; change its permissions");
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error || bytes > kLargestRaceFileBytes)
        return cannot_read(path, "a race takes at most " + bytes_text(kLargestRaceFileBytes) +
                                     "; name a saved race");
    std::string text(bytes, '\0');
    if (!stream.read(text.data(), static_cast<std::streamsize>(bytes)))
        return cannot_read(path, "it ends early; save the race again");
    auto race = race_of_json(text);
    if (!race) return cannot_read(path, race.error().message);
    return race;
}

}  // namespace tilereel
