#include "app/cli/report/findings.h"

#include <algorithm>

#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/hazards/race_order.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Hazard hazard) {
    switch (hazard) {
        case Hazard::kRace:
            return "race";
        case Hazard::kBarrierDivergence:
            return "barrier_divergence";
        case Hazard::kNeverWritten:
            return "never_written";
        case Hazard::kCopyUnderWay:
            return "copy_under_way";
        case Hazard::kNotInitialised:
            return "not_initialised";
        case Hazard::kDifferentValues:
            return "different_values";
        case Hazard::kBarrierSkipped:
            return "barrier_skipped";
        case Hazard::kProductUnderWay:
            return "product_under_way";
        case Hazard::kNotFenced:
            return "not_fenced";
        case Hazard::kProductNotWaited:
            return "product_not_waited";
        case Hazard::kProductNotCommitted:
            return "product_not_committed";
        case Hazard::kRegistersNotFenced:
            return "registers_not_fenced";
        case Hazard::kMixedFragments:
            return "mixed_fragments";
        case Hazard::kSomeWarpsOnly:
            return "some_warps_only";
    }
    return "";
}

const char* name_of(Severity severity) {
    return severity == Severity::kError ? "error" : "warning";
}

// The wrong elements of C, if no barrier was removed. If one was removed, wrong elements
// are reported separately from the findings.
std::vector<WrongElement> wrong_with_all_barriers(const Trace& trace) {
    if (trace.launch.removed_barrier != 0) return {};
    return wrong_elements_of(trace);
}

// The accesses of a race in program order, by their trips, and the place of the missing barrier.
void put_order(Json& json, const Trace& trace, const RaceOrder& order) {
    const auto access = [&](const HazardParty& party, std::uint32_t trip) {
        return Json{{"line", trace.sites[party.site].line},
                    {"thread", party.thread},
                    {"writes", writes(trace.sites[party.site].operation)},
                    {"trip", trip + 1}};
    };
    json["in_loop"] = order.in_loop;
    json["earlier"] = access(order.earlier, order.earlier_trip);
    json["later"] = access(order.later, order.later_trip);
    if (order.after_line == 0) return;
    json["missing_barrier"] = {{"after_line", order.after_line},
                               {"before_line", order.before_line},
                               {"next_trip", order.next_trip}};
}

Json finding_json(const Trace& trace, const Finding& finding) {
    const std::uint32_t across = std::max(trace.launch.grid.x, 1u);
    const auto line = [&](const HazardParty& party) { return trace.sites[party.site].line; };
    Json json = {{"kind", name_of(finding.hazard)},
                 {"severity", name_of(finding.severity)},
                 {"message", sentence_of(trace, finding)},
                 {"block", {finding.block % across, finding.block / across}},
                 {"epoch", finding.epoch}};
    json["lines"] = Json::array({line(finding.first)});
    json["threads"] = Json::array({finding.first.thread});
    if (finding.hazard != Hazard::kNeverWritten) {
        json["lines"].push_back(line(finding.second));
        json["threads"].push_back(finding.second.thread);
    }
    if (finding.threads != 0) json["skipping_threads"] = finding.threads;
    if (finding.array == kNoArray) return json;
    // What a warpgroup's product reads has no counter on a GPU.
    const auto is_product = [&](const HazardParty& party) {
        return trace.sites[party.site].operation == Operation::kMatrixProduct;
    };
    if (is_product(finding.first) || is_product(finding.second)) json["modelled"] = true;
    json["array"] = trace.arrays[finding.array].name;
    json["cell"] = Json::array({finding.row, finding.column});
    json["cells"] = finding.cells;
    if (finding.second_block != Finding::kSameBlock)
        json["second_block"] = {finding.second_block % across, finding.second_block / across};
    else if (finding.hazard == Hazard::kRace)
        put_order(json, trace, race_order(trace, finding));
    return json;
}

// A finding of the recorder. Fields that do not apply are left out.
Json finding_json(const Trace& trace, const RecordedFinding& finding) {
    std::string kind(finding_name(finding.kind));
    std::ranges::replace(kind, ' ', '_');
    Json json = {{"kind", kind},
                 {"severity", name_of(finding.error ? Severity::kError : Severity::kWarning)},
                 {"message", sentence_of(finding)},
                 {"count", finding.count}};
    if (finding.block != RecordedFinding::kNobody) {
        const Dim3 block = index_of(trace.launch.grid, finding.block);
        json["block"] = {block.x, block.y};
        if (trace.launch.grid.z > 1) json["block"].push_back(block.z);
    }
    if (finding.line != 0) json["lines"] = Json::array({finding.line});
    if (finding.file != 0) json["file"] = source_name(trace, finding.file);
    if (finding.thread != RecordedFinding::kNobody) json["threads"] = Json::array({finding.thread});
    if (finding.array == kNoArray) return json;
    json["array"] = trace.arrays[finding.array].name;
    json["offset_bytes"] = finding.offset_bytes;
    return json;
}

}  // namespace

nlohmann::ordered_json findings_json(const Trace& trace, const Generation& generation) {
    Json json = Json::array();
    for (const RecordedFinding& finding : trace.findings)
        json.push_back(finding_json(trace, finding));
    const std::vector<Finding> findings = find_hazards(trace, generation);
    for (const Finding& finding : findings) json.push_back(finding_json(trace, finding));
    const std::vector<WrongElement> wrong = wrong_with_all_barriers(trace);
    if (wrong.empty()) return json;
    json.push_back({{"kind", "wrong_product"},
                    {"severity", name_of(Severity::kError)},
                    {"message", wrong_product_sentence(trace, wrong)},
                    {"why", why_wrong(trace, wrong, findings)},
                    {"array", "C"},
                    {"cell", {wrong.front().row, wrong.front().column}},
                    {"cells", wrong.size()}});
    return json;
}

std::string recorded_findings_text(const Trace& trace) {
    std::string text;
    for (const RecordedFinding& finding : trace.findings)
        text += (finding.error ? "ERROR: " : "WARNING: ") + sentence_of(finding) +
                (finding.count > 1 ? " (" + with_commas(finding.count) + " times)" : "") + "\n";
    return text;
}

std::string findings_text(const Trace& trace, const Generation& generation) {
    std::string text = recorded_findings_text(trace);
    const std::vector<Finding> findings = find_hazards(trace, generation);
    for (const Finding& finding : findings)
        text += (finding.severity == Severity::kError ? "ERROR: " : "WARNING: ") +
                sentence_of(trace, finding) +
                (finding.cells > 1 ? " (" + with_commas(finding.cells) + " elements)" : "") + "\n";
    if (const std::vector<WrongElement> wrong = wrong_with_all_barriers(trace); !wrong.empty())
        text += "ERROR: " + wrong_product_sentence(trace, wrong) + ". " +
                why_wrong(trace, wrong, findings) + "\n";
    return text.empty() ? text : "\nFINDINGS\n" + text;
}

}  // namespace tilereel
