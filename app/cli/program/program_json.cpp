#include "app/cli/program/program_json.h"

#include "app/cli/program/checked_run.h"
#include "app/cli/program/launch_lines.h"
#include "app/cli/report/report.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/interruption.h"

namespace tilereel {

using Json = nlohmann::ordered_json;
using program::LaunchSummary;
using program::ProgramEnd;
using program::ProgramRun;

namespace {

Json extents(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

bool has_trace(const LaunchSummary& launch) { return launch.is_recorded && !launch.trace.empty(); }

Json program_json(const std::string& file, const ProgramRun& run) {
    Json findings = Json::array();
    for (const RecordedFinding& finding : run.findings)
        findings.push_back({{"message", sentence_of(finding)}, {"line", finding.line}});
    // A program that was stopped has no exit code.
    const bool ended = run.end == ProgramEnd::kExit || run.end == ProgramEnd::kSignal;
    return {{"program", file},
            {"complete", run.end == ProgramEnd::kExit && !was_interrupted()},
            {"exit_code", ended ? Json(run.exit_code) : Json(nullptr)},
            {"end", run.end_sentence},
            {"compile_seconds", run.compile_seconds},
            {"run_seconds", run.run_seconds},
            {"output", run.output},
            {"output_cut", run.output_cut},
            {"on_host", run.on_host},
            {"findings", findings}};
}

}  // namespace

Json launch_json(const LaunchSummary& launch) {
    Json json = {{"number", launch.number},
                 {"kernel", launch.kernel},
                 {"file", launch.file},
                 {"line", launch.line},
                 {"grid", extents(launch.grid)},
                 {"block", extents(launch.block)},
                 {"shared_bytes", launch.shared_bytes},
                 {"blocks", launch.grid.count()},
                 {"recorded_blocks", launch.recorded_blocks},
                 {"accesses", launch.accesses},
                 {"findings", Json::array()}};
    for (const RecordedFinding& finding : launch.findings)
        json["findings"].push_back(sentence_of(finding));
    if (!launch.chosen_blocks.empty()) json["chosen_blocks"] = launch.chosen_blocks;
    if (launch.rest_blocks > 0) json["rest_seconds"] = launch.rest_seconds;
    if (launch.left_out_blocks > 0) {
        json["left_out_blocks"] = launch.left_out_blocks;
        json["left_out_seconds"] = launch.left_out_seconds;
    }
    if (!launch.cut_blocks.empty()) json["cut_blocks"] = launch.cut_blocks;
    if (launch.uses_textures) json["uses_textures"] = true;
    if (launch.uses_cub) json["uses_cub"] = true;
    if (!launch.reason.empty()) json["reason"] = launch.reason;
    return json;
}

Status ProgramJson::count(const LaunchSummary& launch) {
    if (!is_wanted(options_, launch) || !has_trace(launch) || counted_.contains(launch.number) ||
        changed_.contains(launch.number) || is_interrupted_long())
        return Done{};
    const Result<Trace> trace = product_.read(launch);
    if (!trace && product_.last_is_changed()) {
        changed_.insert(launch.number);
        return Done{};
    }
    if (!trace) return trace.error();
    counted_.emplace(launch.number, report_object(*trace, generation_));
    return Done{};
}

std::string ProgramJson::text(const std::string& file, const ProgramRun& run) const {
    Json report = program_json(file, run);
    report["launches"] = Json::array();
    for (const LaunchSummary& launch : run.launches) {
        if (!is_wanted(options_, launch)) continue;
        Json entry = launch_json(launch);
        const auto counted = counted_.find(launch.number);
        if (has_trace(launch) && counted != counted_.end())
            entry["report"] = counted->second;
        else if (changed_.contains(launch.number))
            entry["reason"] = kChangedTrace;
        else if (has_trace(launch))
            entry["not_counted"] = not_counted_text(launch);
        report["launches"].push_back(std::move(entry));
    }
    return json_text(report, 1) + "\n";
}

}  // namespace tilereel
