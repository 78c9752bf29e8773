#include "app/cli/report/estimate_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/text_table.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMostLines = 12;

// Two digits: more would claim more than an estimate knows. "1.9", "9,200", "0.031"
std::string two_digits(double value) {
    if (value <= 0) return "0";
    const int digits = static_cast<int>(std::floor(std::log10(value)));
    const double unit = std::pow(10.0, digits - 1);
    const double rounded = std::round(value / unit) * unit;
    if (rounded >= 100) return with_commas(static_cast<std::uint64_t>(std::llround(rounded)));
    std::string text(32, '\0');
    const int decimals = std::max(0, 1 - digits);
    const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, rounded);
    text.resize(static_cast<std::size_t>(length));
    return text;
}

struct TimeUnit {
    double seconds;
    const char* name;
};
TimeUnit unit_of(double seconds) {
    if (seconds >= 1) return {1, "s"};
    return seconds >= 1e-3 ? TimeUnit{1e-3, "ms"} : TimeUnit{1e-6, "us"};
}
std::string time_text(double seconds) {
    const TimeUnit unit = unit_of(seconds);
    return two_digits(seconds / unit.seconds) + " " + unit.name;
}

std::string share_text(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

double gflops(const EstimatedLaunch& launch, double seconds) {
    return seconds <= 0 ? 0 : static_cast<double>(launch.flop) / seconds * 1e-9;
}

std::string headline(const EstimatedLaunch& launch) {
    const TimeEstimate& found = launch.estimate;
    std::string text = "Estimated, not measured: ";
    if (found.kind == EstimateKind::kAtLeast) {
        text += "at least " + time_text(found.seconds);
        if (launch.flop != 0)
            text += ", at most " + two_digits(gflops(launch, found.seconds)) + " GFLOPS";
        return text + "\nA bound, because " + found.why_bound + "\n";
    }
    const TimeUnit unit = unit_of(found.seconds);
    text += "about " + time_text(found.seconds) + ", between " +
            two_digits(found.low / unit.seconds) + " and " + two_digits(found.high / unit.seconds) +
            " " + unit.name;
    if (launch.flop != 0)
        text += "; " + two_digits(gflops(launch, found.seconds)) + " GFLOPS, between " +
                two_digits(gflops(launch, found.high)) + " and " +
                two_digits(gflops(launch, found.low));
    return text + "\n";
}

std::string limit_line(const TimeEstimate& found, const GpuModel& gpu) {
    const auto all = static_cast<std::uint64_t>(gpu.multiprocessors);
    if (found.kind == EstimateKind::kAbout && found.blocks < all && found.latency)
        return "Limit: the launch is small. " + with_commas(found.blocks) + " of " +
               with_commas(all) + " SMs have a block, and starting it takes about " +
               time_text(found.launch_seconds) + "\n";
    const std::string name(name_of(found.limiter));
    const std::string busy = share_text(found.busy[static_cast<std::size_t>(found.limiter)]);
    if (found.latency)
        return "Limit: latency. Warps wait, and no pipe is busy; most of all the " + name + ", " +
               busy + "\n";
    return "Limit: the " + name + ", " + busy + " busy\n";
}

std::string pipes_text(const TimeEstimate& found) {
    Table table("lr");
    table.add({"PIPE", "BUSY"});
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
        if (found.busy[pipe] > 0)
            table.add(
                {std::string(name_of(static_cast<Pipe>(pipe))), share_text(found.busy[pipe])});
    return table.text();
}

std::string lines_text(const TimeEstimate& found) {
    if (found.lines.empty()) return {};
    double waited = 0;
    for (const LineTime& line : found.lines) waited += line.waited;
    Table table("rrr");
    table.add({"LINE",
               found.limiter == Pipe::kMemory ? "OF THE MEMORY PIPE" : "OF THE INSTRUCTIONS",
               "OF THE WAITING"});
    for (std::size_t i = 0; i < std::min(found.lines.size(), kMostLines); ++i) {
        const LineTime& line = found.lines[i];
        table.add({std::to_string(line.line), share_text(line.share),
                   share_text(waited > 0 ? line.waited / waited : 0)});
    }
    return "\n" + table.text();
}

std::string changes_text(const EstimatedLaunch& launch) {
    if (launch.changes.empty()) return {};
    Table table("lrr");
    table.add({"WHAT IF", "ABOUT", "TIMES AS FAST"});
    for (const EstimatedLaunch::Change& change : launch.changes) {
        const double times = launch.estimate.seconds / change.seconds;
        table.add({change.what, time_text(change.seconds),
                   std::abs(times - 1) < 0.03 ? "same" : two_digits(times)});
    }
    return "\n" + table.text();
}

}  // namespace

std::string estimate_text(const std::vector<EstimatedLaunch>& launches, const GpuModel& gpu) {
    std::string text;
    for (const EstimatedLaunch& launch : launches) {
        const TimeEstimate& found = launch.estimate;
        if (!text.empty()) text += "\n";
        text += launch.title + "  on " + (gpu.name.front() == 'T' ? "a " : "an ") +
                std::string(gpu.name) + "\n" + headline(launch) + limit_line(found, gpu);
        text += "Occupancy " + share_text(found.occupancy.share()) + ", " +
                std::to_string(found.occupancy.blocks) + " blocks on an SM, " +
                two_digits(found.waves) + (found.waves == 1 ? " wave" : " waves");
        if (found.l1_hits > 0) text += "; " + share_text(found.l1_hits) + " of the sectors hit L1";
        text += "\n\n" + pipes_text(found) + lines_text(found) + changes_text(launch);
    }
    return text;
}

std::string estimate_json(const std::vector<EstimatedLaunch>& launches, const GpuModel& gpu) {
    Json all = Json::array();
    for (const EstimatedLaunch& launch : launches) {
        const TimeEstimate& found = launch.estimate;
        const bool about = found.kind == EstimateKind::kAbout;
        Json json = {{"launch", launch.title},
                     {"measured", false},
                     {"kind", about ? "about" : "at least"},
                     {"seconds", found.seconds},
                     {"low", found.low},
                     {"high", about ? Json(found.high) : Json(nullptr)}};
        if (launch.flop != 0) json["gflops"] = gflops(launch, found.seconds);
        if (!about) json["why"] = found.why_bound;
        json["limiter"] = found.latency ? "latency" : std::string(name_of(found.limiter));
        for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
            json["pipes"][std::string(name_of(static_cast<Pipe>(pipe)))] = found.busy[pipe];
        json["l1_hits"] = found.l1_hits;
        json["dram_bytes"] = found.dram_bytes;
        json["occupancy"] = found.occupancy.share();
        json["waves"] = found.waves;
        Json& lines = json["lines"] = Json::array();
        for (const LineTime& line : found.lines)
            lines.push_back({{"line", line.line}, {"share", line.share}, {"waited", line.waited}});
        Json& changes = json["what_if"] = Json::array();
        for (const EstimatedLaunch::Change& change : launch.changes)
            changes.push_back({{"what", change.what}, {"seconds", change.seconds}});
        all.push_back(std::move(json));
    }
    return json_text(Json{{"gpu", gpu.name}, {"generation", gpu.generation}, {"launches", all}},
                     1) +
           "\n";
}

}  // namespace tilereel
