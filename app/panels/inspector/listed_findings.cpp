#include "app/panels/inspector/listed_findings.h"

#include <algorithm>
#include <cctype>

#include "app/panels/changed_lines.h"
#include "app/panels/paragraph.h"
#include "app/replay/sentence/wording.h"

namespace tilereel {
namespace {

using List = std::vector<ListedFinding>;

// The sentence without numbers and without text in brackets. Digits within names stay: "x1".
std::string without_numbers(std::string_view sentence) {
    std::string words;
    int depth = 0;
    bool in_name = false;
    for (const char c : sentence) {
        if (c == '(' || c == '[') ++depth;
        const auto letter = static_cast<unsigned char>(c);
        const bool digit = std::isdigit(letter) != 0;
        in_name = std::isalpha(letter) != 0 || c == '_' || (digit && in_name);
        if (depth == 0 && c != ' ' && c != ',' && (!digit || in_name)) words += c;
        if ((c == ')' || c == ']') && depth > 0) --depth;
    }
    return words;
}

void add_hazards(const Recording& recording, List& list) {
    const Trace& trace = *recording.trace;
    for (std::size_t i = 0; i < recording.findings.size(); ++i) {
        const Finding& finding = recording.findings[i];
        list.push_back(
            {.error = finding.severity == Severity::kError,
             .sentence = as_sentence(sentence_of(trace, finding)),
             .where =
                 finding.cells == 0 ? std::string() : counted(finding.cells, "element", "elements"),
             .lines = {trace.sites[finding.first.site].line, trace.sites[finding.second.site].line},
             .hazard = i});
    }
}

ListedFinding listed(const RecordedFinding& finding) {
    return {.error = finding.error, .sentence = sentence_of(finding), .lines = {finding.line}};
}

void add_recorded(const Trace& trace, List& list) {
    for (std::size_t i = 0; i < trace.findings.size(); ++i) {
        list.push_back(listed(trace.findings[i]));
        list.back().recorded = i;
    }
}

// Adds the findings of all launches except the shown one, and the findings of the whole program.
void add_program(const std::vector<program::LaunchSummary>& launches,
                 const std::vector<RecordedFinding>& of_program, std::optional<std::uint32_t> shown,
                 List& list) {
    for (std::uint32_t i = 0; i < launches.size(); ++i) {
        if (launches[i].number == shown) continue;
        for (const RecordedFinding& finding : launches[i].findings) {
            list.push_back(listed(finding));
            list.back().where =
                "in launch " + std::to_string(launches[i].number) + " " + launches[i].kernel;
            if (!launches[i].trace.empty()) list.back().launch = i;
        }
    }
    for (const RecordedFinding& finding : of_program) list.push_back(listed(finding));
}

// Whether both findings say the same about corresponding lines. Numbers and text in brackets are
// ignored, because an edit changes line numbers, threads and elements. `former_line`: result of
// former_lines().
bool is_same_finding(const ListedFinding& former, const ListedFinding& now,
                     const std::vector<std::uint32_t>& former_line) {
    const auto stands_for = [&](std::uint32_t then, std::uint32_t line) {
        return then == line || (line < former_line.size() && former_line[line] == then);
    };
    return std::ranges::equal(former.lines, now.lines, stands_for) &&
           without_numbers(former.sentence) == without_numbers(now.sentence);
}

// Marks findings that the former run did not have. Hazards are compared only for the launch that
// was shown while its file was edited.
void mark_new(const Workbench& workbench, const OpenedProgram& program, List& list) {
    List former;
    add_program(program.former->launches, program.former->findings, std::nullopt, former);
    if (workbench.former() != nullptr) add_hazards(*workbench.former(), former);
    const auto lines = former_lines(program.former->text, program.run_text);
    for (ListedFinding& one : list)
        one.is_new = (!one.hazard || workbench.former() != nullptr) &&
                     std::ranges::none_of(former, [&](const ListedFinding& then) {
                         return is_same_finding(then, one, lines);
                     });
}

}  // namespace

List list_findings(const Workbench& workbench) {
    List list;
    const Recording* const recording = workbench.recording();
    if (recording == nullptr) return list;
    add_recorded(*recording->trace, list);
    add_hazards(*recording, list);
    const OpenedProgram* const program = workbench.program();
    if (program != nullptr && program->run && workbench.shows_program()) {
        add_program(program->run->launches, program->run->findings, recording->trace->launch.number,
                    list);
        if (program->former) mark_new(workbench, *program, list);
    }
    std::ranges::stable_sort(list, {}, [](const ListedFinding& one) { return !one.error; });
    return list;
}

}  // namespace tilereel
