#include "app/cli/report/estimate_report.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/text_table.h"
#include "app/replay/sentence/wording.h"
#include "app/workbench/time/estimate_figures.h"
#include "instrumentation/base/format/bytes_text.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMostLines = 12;

double gflops(const EstimatedLaunch& launch, double seconds) {
    return seconds <= 0 ? 0 : static_cast<double>(launch.flop) / seconds * 1e-9;
}

std::string headline(const EstimatedLaunch& launch) {
    const TimeEstimate& found = launch.estimate;
    std::string text = "Estimated, not measured: ";
    if (found.tier == TimeTier::kMachineCode)
        text = "Estimated with nvcc's machine code, not measured: ";
    if (found.kind == EstimateKind::kAtLeast) {
        text += "at least " + duration_text(found.seconds);
        if (launch.flop != 0)
            text += ", at most " + two_digits(gflops(launch, found.seconds)) + " GFLOPS";
        return text + "\nA bound, because " + found.why_bound + "\n";
    }
    const ReadableUnit unit = time_unit(found.seconds);
    text += "about " + duration_text(found.seconds) + ", between " +
            two_digits(found.low / unit.size) + " and " + two_digits(found.high / unit.size) + " " +
            unit.name;
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
               duration_text(found.launch_seconds) + "\n";
    if (found.block_starts)
        return "Limit: starting blocks. " + with_commas(found.blocks) +
               " blocks end as fast as the GPU can start others, about " +
               with_commas(static_cast<std::uint64_t>(gpu.blocks_a_us)) + " a microsecond\n";
    const std::string name(name_of(found.limiter));
    const std::string busy = share_text(found.busy[static_cast<std::size_t>(found.limiter)]);
    if (found.latency)
        return "Limit: latency. Warps wait, and no pipe is busy; most of all the " + name + ", " +
               busy + "\n";
    return "Limit: the " + name + ", " + busy + " busy\n";
}

// "DRAM 115 MB; 52 % of the sectors that leave L1 hit L2; from 216 of 4,096 blocks".
std::string memory_text(const TimeEstimate& found) {
    std::string text = "DRAM " + bytes_text(static_cast<std::uint64_t>(found.dram_bytes));
    if (found.l2_hits) text += "; " + share_text(*found.l2_hits) + " of the sectors hit L2";
    if (found.l2_hits && found.recorded_blocks < found.blocks)
        text += "; from " + with_commas(found.recorded_blocks) + " of " +
                with_commas(found.blocks) + " blocks";
    return text;
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

std::string in_capitals(std::string_view words) {
    std::string capitals(words);
    for (char& letter : capitals)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return capitals;
}

std::string lines_text(const TimeEstimate& found) {
    if (found.lines.empty()) return {};
    double waited = 0;
    for (const LineTime& line : found.lines) waited += line.waited;
    Table table("rrr");
    table.add({"LINE", "OF THE " + in_capitals(unit_of_lines(found.limiter)), "OF THE WAITING"});
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
    for (const TimeChange& change : launch.changes) {
        const double times = launch.times_as_fast(change);
        table.add({change.what, duration_text(change.seconds),
                   std::abs(times - 1) < kSameSpeed ? "same" : two_digits(times)});
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
                counted(static_cast<std::uint64_t>(found.occupancy.blocks), "block", "blocks") +
                " on an SM, " + two_digits(found.waves) + (found.waves == 1 ? " wave" : " waves");
        if (found.l1_hits > 0) text += "; " + share_text(found.l1_hits) + " of the sectors hit L1";
        text += "\n" + memory_text(found);
        if (!found.why_recording.empty())
            text += "\nWithout nvcc's machine code: " + found.why_recording;
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
                     {"tier", name_of(found.tier)},
                     {"seconds", found.seconds},
                     {"low", found.low},
                     {"high", about ? Json(found.high) : Json(nullptr)}};
        if (launch.flop != 0) json["gflops"] = gflops(launch, found.seconds);
        if (!found.why_recording.empty()) json["why_tier"] = found.why_recording;
        if (!about) json["why"] = found.why_bound;
        json["limiter"] = found.latency ? "latency" : std::string(name_of(found.limiter));
        json["block_starts"] = found.block_starts;
        for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
            json["pipes"][std::string(name_of(static_cast<Pipe>(pipe)))] = found.busy[pipe];
        json["l1_hits"] = found.l1_hits;
        json["l2_hits"] = found.l2_hits ? Json(*found.l2_hits) : Json(nullptr);
        json["dram_bytes"] = found.dram_bytes;
        json["occupancy"] = found.occupancy.share();
        json["waves"] = found.waves;
        Json& lines = json["lines"] = Json::array();
        for (const LineTime& line : found.lines)
            lines.push_back({{"line", line.line}, {"share", line.share}, {"waited", line.waited}});
        Json& changes = json["what_if"] = Json::array();
        for (const TimeChange& change : launch.changes)
            changes.push_back({{"what", change.what}, {"seconds", change.seconds}});
        all.push_back(std::move(json));
    }
    return json_text(Json{{"gpu", gpu.name}, {"generation", gpu.generation}, {"launches", all}},
                     1) +
           "\n";
}

}  // namespace tilereel
