// Reads a race file. All types, ranges, counts and indices are checked, because the file can come
// from anywhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "app/race/files/checked_events.h"
#include "app/race/files/json_fields.h"
#include "app/race/files/race_file.h"
#include "instrumentation/base/format/json_text.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using InputJson = nlohmann::json;

constexpr int kDeepest = 8;  // a race is nested four deep

constexpr double kMostReal = 1e15;  // no machine has more bytes or FLOP a second
constexpr std::uint64_t kMostWhole = 1ull << 53;
constexpr std::uint64_t kMostInt = 0x7fffffff;

bool take_contender(const InputJson& json, std::vector<Contender>& contenders) {
    Contender& contender = contenders.emplace_back();
    JsonFields fields(json);
    fields.text("kernel", contender.kernel);
    fields.whole("tile", contender.tile, 0, 1024);
    fields.whole("pad", contender.pad, 0, 1024);
    return fields.sound() && !contender.kernel.empty();
}

bool take_size(const InputJson& json, std::uint64_t most, std::vector<ProductSize>& sizes) {
    constexpr std::size_t kExtents = 3;
    if (!json.is_array() || json.size() != kExtents) return false;
    std::array<int, kExtents> extents{};
    for (std::size_t i = 0; i < kExtents; ++i) {
        if (!json[i].is_number_unsigned()) return false;
        const auto extent = json[i].get<std::uint64_t>();
        if (extent < 1 || extent > most) return false;
        extents[i] = static_cast<int>(extent);
    }
    sizes.push_back({extents[0], extents[1], extents[2]});
    return true;
}

bool take_request(const InputJson& json, RaceRequest& request) {
    JsonFields fields(json);
    fields.array("contenders", kMostContenders,
                 [&](const InputJson& each) { return take_contender(each, request.contenders); });
    constexpr double kMostBytes = 1e18;
    const bool of_products = !json.is_object() || !json.contains("bytes");
    const auto most = static_cast<std::uint64_t>(of_products ? kLargestExtent : kLargestCount);
    fields.array("sizes", kMostSizes,
                 [&](const InputJson& each) { return take_size(each, most, request.sizes); });
    if (!of_products)
        fields.array("bytes", kMostSizes, [&](const InputJson& each) {
            if (!each.is_number()) return false;
            request.bytes.push_back(each.get<double>());
            return request.bytes.back() > 0 && request.bytes.back() <= kMostBytes;
        });
    fields.whole("repeats", request.repeats, 1, kMostRepeats);
    fields.whole("warm_ups", request.warm_ups, 0, kMostWarmUps);
    fields.real("least_sample_ms", request.least_sample_ms, 0, kMostMilliseconds);
    fields.real("enough_ms", request.enough_ms, 0, kMostMilliseconds);
    fields.choice("caches", request.caches, {Caches::kWarm, Caches::kCold});
    fields.whole("seed", request.seed, 0, UINT64_MAX);
    if (of_products || request.bytes.size() == request.sizes.size()) return fields.sound();
    request.sizes.clear();  // so that no sample that follows has a size without bytes
    return false;
}

bool take_machine(const InputJson& json, RaceMachine& machine) {
    JsonFields fields(json);
    fields.truth("gpu", machine.gpu);
    fields.text("device", machine.device);
    fields.text("driver", machine.driver);
    fields.text("toolkit", machine.toolkit);
    fields.text("reference", machine.reference);
    fields.whole("threads", machine.threads, 0, kMostInt);
    fields.text("compute_capability", machine.compute_capability);
    fields.whole("multiprocessors", machine.multiprocessors, 0, kMostInt);
    fields.whole("last_cache_bytes", machine.last_cache_bytes, 0, kMostWhole);
    fields.real("measured_bandwidth_gbs", machine.measured_bandwidth_gbs, 0, kMostReal);
    fields.real("measured_peak_gflops", machine.measured_peak_gflops, 0, kMostReal);
    return fields.sound();
}

bool take_resources(const InputJson& json, std::vector<std::optional<KernelResources>>& all) {
    auto& entry = all.emplace_back();
    if (json.is_null()) return true;
    KernelResources& resources = entry.emplace();
    JsonFields fields(json);
    fields.whole("registers_per_thread", resources.registers_per_thread, 0, kMostInt);
    fields.whole("static_shared_bytes", resources.static_shared_bytes, 0, kMostWhole);
    fields.whole("dynamic_shared_bytes", resources.dynamic_shared_bytes, 0, kMostWhole);
    fields.whole("local_bytes", resources.local_bytes, 0, kMostWhole);
    fields.whole("block_threads", resources.block_threads, 0, kMostInt);
    fields.whole("blocks_per_multiprocessor", resources.blocks_per_multiprocessor, 0, kMostInt);
    fields.whole("suggested_block_threads", resources.suggested_block_threads, 0, kMostInt);
    fields.whole("suggested_grid_blocks", resources.suggested_grid_blocks, 0, kMostInt);
    return fields.sound();
}

Status check_version(const InputJson& json) {
    std::string format;
    std::uint64_t version = 0;
    JsonFields fields(json);
    fields.text("format", format);
    fields.whole("version", version, 1, kMostWhole);
    if (!fields.sound() || format != "tilereel race")
        return failed("it is not a race; name a file that 'tilereel race -o' wrote");
    if (version > kRaceFormatVersion)
        return failed("it was written by a newer Tilereel (format " + std::to_string(version) +
                      ", this one reads up to " + std::to_string(kRaceFormatVersion) +
                      "); update Tilereel");
    return Done{};
}

}  // namespace

Result<Race> race_of_json(std::string_view text) {
    if (nests_deeper(text, kDeepest))
        return failed("it is not a race; name a file that 'tilereel race -o' wrote");
    const InputJson json = read_json(text);
    TRY(check_version(json));
    Race race;
    race.recorded = true;
    JsonFields fields(json);
    fields.text("date", race.date);
    fields.truth("complete", race.complete);
    fields.object("machine",
                  [&](const InputJson& each) { return take_machine(each, race.machine); });
    fields.object("request",
                  [&](const InputJson& each) { return take_request(each, race.request); });
    fields.array("resources", race.request.contenders.size(),
                 [&](const InputJson& each) { return take_resources(each, race.resources); });
    CheckedEvents events(race);
    fields.array("verified", race.request.contenders.size() * race.request.sizes.size(),
                 [&](const InputJson& each) { return events.take_verified(each); });
    fields.array("samples", kMostSamples,
                 [&](const InputJson& each) { return events.take_sample(each); });
    if (fields.sound() && !race.resources.empty() &&
        race.resources.size() != race.request.contenders.size())
        return failed("it lacks the resources of some contenders; save the race again");
    if (!fields.sound())
        return failed("its '" + fields.wrong() + "' is not that of a race; save the race again");
    return race;
}

}  // namespace tilereel
