#include "app/export/html/page_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "app/export/counter_rows.h"
#include "app/export/html/array_picture.h"
#include "app/export/html/page_steps.h"
#include "app/panels/recorded_text.h"
#include "app/replay/places/moment.h"
#include "app/replay/places/stops.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/launch_names.h"
#include "instrumentation/trace/stopped_warps.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFindings = 50;

Json extents_of(const Dim3& extents) { return {extents.x, extents.y, extents.z}; }

// The head of the page: pairs of [label, value].
Json facts_of_launch(const Replay& replay) {
    const Trace& trace = replay.trace();
    const Launch& launch = trace.launch;
    Json facts = Json::array();
    const auto add = [&facts](const char* label, const std::string& value) {
        facts.push_back({label, value});
    };
    const auto extents = [](const Dim3& d) {
        return std::to_string(d.x) + (d.y * d.z > 1 ? " \u00d7 " + std::to_string(d.y) : "") +
               (d.z > 1 ? " \u00d7 " + std::to_string(d.z) : "");
    };
    if (trace.product)
        add("M N K", std::to_string(launch.m) + " " + std::to_string(launch.n) + " " +
                         std::to_string(launch.k));
    if (launch.tile != 0) add("TILE", std::to_string(launch.tile));
    if (launch.tile != 0) add("PAD", std::to_string(launch.pad));
    add("grid", extents(launch.grid));
    add("block",
        block_name(launch.grid, replay.block()) + ", " + extents(launch.block) + " threads");
    add("GPU", std::string(replay.generation().title));
    return facts;
}

std::string title_of(const Trace& trace) {
    const KernelInfo* const kernel = find_kernel(trace.launch.kernel);
    return kernel != nullptr ? std::string(kernel->title) : trace.launch.kernel;
}

// All source files, but the text only of the first one and of those with requests.
Json sources_of(const Replay& replay) {
    const Trace& trace = replay.trace();
    std::vector<bool> used(trace.more_sources.size() + 1, false);
    used[0] = true;
    for (const Step& step : replay.schedule().steps) used[trace.sites[step.site].file] = true;
    Json sources = Json::array();
    for (std::uint16_t file = 0; file < used.size(); ++file)
        sources.push_back({{"name", source_name(trace, file)},
                           {"text", used[file] ? source_text(trace, file) : ""}});
    return sources;
}

Json timeline_of(const Replay& replay) {
    Json spans = Json::array(), barriers = Json::array(), stops = Json::array();
    for (const PhaseSpan& span : replay.schedule().spans)
        spans.push_back({span.phase, static_cast<int>(span.part), span.begin, span.end});
    for (const Barrier& barrier : replay.schedule().barriers)
        barriers.push_back({barrier.at, barrier.line});
    // Rounded down: a stop just before a barrier becomes the tick before it.
    for (const double stop : part_stops(replay))
        stops.push_back(static_cast<Tick>(std::floor(stop)));
    return {{"ticks", replay.schedule().ticks},   {"words", long_time_text(replay)},
            {"phases", replay.schedule().phases}, {"spans", std::move(spans)},
            {"barriers", std::move(barriers)},    {"stops", std::move(stops)}};
}

constexpr Tick kFlightTicksOfPage = 3;

// The flights of a request's store between two pictures, as [depart, land, source picture,
// destination picture, runs]. The runs are [source cell, destination cell, length]..., of cells
// that follow each other on both sides. A flight ends when its store begins, because the request
// then shows the cell. It takes three ticks at most, so that at most three requests move at once: a
// value that is stored later waits first.
Json flights_of(const Replay& replay, const std::vector<ArrayPicture>& pictures) {
    using Key = std::array<std::uint64_t, 3>;  // land, from, to
    using Run = std::array<std::uint64_t, 3>;
    struct Group {
        Key key;
        Tick depart;
        std::vector<Run> runs;
    };
    const Trace& trace = replay.trace();
    std::map<Key, std::size_t> found;
    std::vector<Group> groups;
    for (const Flight& flight : replay.flights()) {
        const auto from = std::ranges::find(pictures, flight.from, &ArrayPicture::array);
        const auto to = std::ranges::find(pictures, flight.to, &ArrayPicture::array);
        if (from == pictures.end() || to == pictures.end()) continue;
        const Tick land = replay.schedule().steps[flight.store_step].begin;
        const Key key = {land, static_cast<std::uint64_t>(from - pictures.begin()),
                         static_cast<std::uint64_t>(to - pictures.begin())};
        const auto [group, is_new] = found.try_emplace(key, groups.size());
        const Tick depart = std::max(flight.depart, land - std::min(land, kFlightTicksOfPage));
        if (is_new) groups.push_back({key, depart, {}});
        const std::uint64_t source = flight.from_bytes / from->cell_bytes,
                            target = trace.arrays[flight.to].index_of(flight.target());
        std::vector<Run>& runs = groups[group->second].runs;
        if (!runs.empty() && runs.back()[0] + runs.back()[2] == source &&
            runs.back()[1] + runs.back()[2] == target)
            ++runs.back()[2];
        else
            runs.push_back({source, target, 1});
    }
    Json flights = Json::array();
    for (const Group& group : groups) {
        Json runs = Json::array();
        for (const Run& run : group.runs)
            for (const std::uint64_t number : run) runs.push_back(number);
        const auto& [land, from, to] = group.key;
        flights.push_back({group.depart, land, from, to, std::move(runs)});
    }
    return flights;
}

// All rows. The page shows those that are not 0 in the launch.
Json counters_of(const Replay& replay) {
    const Trace& trace = replay.recorded_trace();
    const Generation& generation = replay.generation();
    const KernelCounts launch = count_kernel(trace, {}, generation);
    const auto all = counter_rows(launch, generation);
    const auto block =
        counter_rows(count_kernel(trace, {.block = replay.block()}, generation), generation);
    Json rows = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i)
        rows.push_back({{"label", all[i].label},
                        {"launch", all[i].value},
                        {"block", block[i].value},
                        {"conflict", all[i].conflict}});
    Json counters = {{"rows", std::move(rows)}, {"barriers", launch.barriers}};
    if (!trace.recorded_by.accesses_only) counters["multiplyAdds"] = launch.multiply_adds;
    return counters;
}

Json findings_of(const Replay& replay) {
    const Trace& trace = replay.recorded_trace();
    Json findings = Json::array();
    const auto add = [&findings](const std::string& sentence, const std::optional<Tick>& tick) {
        if (findings.size() >= kMostFindings) return;
        findings.push_back({{"sentence", sentence}, {"tick", tick ? Json(*tick) : Json(nullptr)}});
    };
    for (const RecordedFinding& finding : trace.findings)
        add(sentence_of(finding), moment_of(replay, finding));
    for (const Finding& finding : find_hazards(trace, replay.generation()))
        add(sentence_of(trace, finding), moment_of(replay, finding));
    if (const auto wrong = wrong_elements_of(trace); !wrong.empty())
        add(wrong_product_sentence(trace, wrong), std::nullopt);
    return findings;
}

// Where the recording of each warp of the block ends, if the block was not recorded to its end.
Json warp_ends(const Replay& replay) {
    const Trace& trace = replay.trace();
    if (is_block_complete(trace, replay.block())) return nullptr;
    Json ends = Json::array();
    for (std::size_t warp = 0; warp < replay.state().warps.size(); ++warp)
        ends.push_back(
            words_of(stop_of_warp(trace, replay.block(), static_cast<std::uint16_t>(warp))));
    return ends;
}

Json head_of(const Replay& replay) {
    const Trace& trace = replay.trace();
    return {{"title", title_of(trace)},
            {"facts", facts_of_launch(replay)},
            {"product", trace.product.has_value()},
            {"complete", trace.complete},
            {"warpEnds", warp_ends(replay)},
            {"grid", extents_of(trace.launch.grid)},
            {"block", replay.block()},
            {"tile", trace.launch.tile},
            {"pad", trace.launch.pad},
            {"blockName", block_name(trace.launch.grid, replay.block())},
            {"threads", extents_of(trace.launch.block)},
            {"banks", replay.generation().shared.banks},
            {"unit", replay.generation().global.unit},
            {"units", replay.generation().global.units}};
}

}  // namespace

Result<nlohmann::ordered_json> page_data(Replay& replay,
                                         const std::function<Status()>& check_cancelled) {
    const std::vector<ArrayPicture> pictures = pictures_of_arrays(replay);
    TRY(check_drawable(pictures, replay.trace()));
    auto steps = TRY(page_steps(replay, pictures, kMostPageBytes, check_cancelled));
    Json arrays = Json::array();
    for (const ArrayPicture& picture : pictures) arrays.push_back(picture_json(picture, replay));
    return Json{
        {"launch", head_of(replay)},         {"arrays", std::move(arrays)},
        {"steps", std::move(steps.columns)}, {"tables", std::move(steps.tables)},
        {"timeline", timeline_of(replay)},   {"flights", flights_of(replay, pictures)},
        {"counters", counters_of(replay)},   {"ticksOfLine", replay.schedule().ticks_of_line},
        {"findings", findings_of(replay)},   {"sources", sources_of(replay)}};
}

}  // namespace tilereel
