#include "app/cli/report/grade_report.h"

#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/format/markup_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
using State = CheckResult::State;

const char* state_name(State state) {
    return state == State::kPassed ? "passed" : state == State::kFailed ? "failed" : "not_judged";
}

const char* title_of(Refusal::Cause cause) {
    switch (cause) {
        case Refusal::Cause::kRule:
            return "REFUSED";
        case Refusal::Cause::kCompiler:
            return "DOES NOT COMPILE";
        case Refusal::Cause::kStopped:
            return "STOPPED";
    }
    return "";
}

const char* cause_name(Refusal::Cause cause) {
    return cause == Refusal::Cause::kRule       ? "rule"
           : cause == Refusal::Cause::kCompiler ? "compiler"
                                                : "stopped";
}

// null: of no line.
Json line_json(std::uint32_t line) { return line > 0 ? Json(line) : Json(); }

std::string refusal_text(const Refusal& refusal) {
    return (refusal.line > 0 ? "line " + std::to_string(refusal.line) + ": " : "") +
           refusal.sentence;
}

std::string refusals_text(const Grade& grade) {
    std::string text;
    for (const Refusal& each : grade.refusals)
        text += (text.empty() ? "" : "\n") + refusal_text(each);
    return text;
}

std::string seed_text(const GradedWork& work) {
    return work.grade.sizes.empty() ? "" : "seed " + std::to_string(work.seed);
}

std::string score_text(const Grade& grade) {
    return std::to_string(grade.passed()) + " of " + std::to_string(grade.checks.size()) +
           " checks passed, " + std::to_string(grade.points()) + " of " +
           std::to_string(grade.most_points()) + (grade.most_points() == 1 ? " point" : " points");
}

Json findings_json(const CheckResult& check) {
    Json all = Json::array();
    for (const FindingFacts& each : check.findings)
        all.push_back({{"line", line_json(each.line)}, {"message", each.sentence}});
    return all;
}

Json sizes_json(const Grade& grade) {
    Json all = Json::array();
    for (const NamedNumbers& sizes : grade.sizes) {
        Json one = Json::object();
        for (const auto& [name, value] : sizes) one[name] = static_cast<std::int64_t>(value);
        all.push_back(std::move(one));
    }
    return all;
}

// Text for an attribute or the content of an element. XML 1.0 has no control characters.
std::string in_xml(const std::string& text) {
    std::string out;
    for (const char c : markup_text(printable(text)))
        if (c == '\n')
            out += "&#10;";
        else
            out += c;
    return out;
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + in_xml(value) + "\"";
}

std::string property(const char* name, int value) {
    return "<property" + attribute("name", name) + attribute("value", std::to_string(value)) + "/>";
}

}  // namespace

std::string grade_text(const GradedWork& work) {
    const Grade& grade = work.grade;
    std::string text = work.file + ": " + (work.title.empty() ? "" : work.title + ": ") +
                       score_text(grade) + (seed_text(work).empty() ? "" : ", " + seed_text(work)) +
                       "\n";
    for (const Refusal& each : grade.refusals)
        text += std::string(title_of(each.cause)) + ": " + refusal_text(each) + "\n";
    for (const CheckResult& each : grade.checks)
        text += std::string(each.state == State::kPassed   ? "PASSED: "
                            : each.state == State::kFailed ? "FAILED: "
                                                           : "NOT JUDGED: ") +
                each.words + "\n  " + each.sentence + "\n";
    if (!work.all_findings) return text;
    for (const CheckResult& each : grade.checks)
        for (const FindingFacts& finding : each.findings)
            text += "FINDING: " + each.words + "\n  " +
                    (finding.line > 0 ? "line " + std::to_string(finding.line) + ": " : "") +
                    finding.sentence + "\n";
    return text;
}

std::string grade_json(const GradedWork& work) {
    const Grade& grade = work.grade;
    Json refusals = Json::array(), checks = Json::array();
    for (const Refusal& each : grade.refusals)
        refusals.push_back({{"cause", cause_name(each.cause)},
                            {"line", line_json(each.line)},
                            {"message", each.sentence}});
    for (const CheckResult& each : grade.checks)
        checks.push_back({{"check", each.words},
                          {"state", state_name(each.state)},
                          {"points", grade.points(each)},
                          {"most_points", each.points},
                          {"message", each.sentence},
                          {"line", line_json(each.line)},
                          {"findings", findings_json(each)}});
    return json_text(Json{{"file", work.file},
                          {"exercise", work.title},
                          {"seed", work.seed},
                          {"runs", sizes_json(grade)},
                          {"passed", grade.passed()},
                          {"of", grade.checks.size()},
                          {"points", grade.points()},
                          {"most_points", grade.most_points()},
                          {"refusals", refusals},
                          {"checks", checks}},
                     1) +
           "\n";
}

std::string grade_junit(const GradedWork& work) {
    const Grade& grade = work.grade;
    std::string cases;
    std::size_t failures = 0, skipped = 0;
    const std::string refused = refusals_text(grade);
    for (const CheckResult& each : grade.checks) {
        cases += "  <testcase" + attribute("classname", work.title) + attribute("name", each.words);
        const bool fails = each.state == State::kFailed || !refused.empty();
        if (each.state == State::kPassed) {
            cases += "/>\n";
        } else if (fails) {
            ++failures;
            cases += "><failure" + attribute("message", refused.empty() ? each.sentence : refused) +
                     "/></testcase>\n";
        } else {
            ++skipped;
            cases += "><skipped" + attribute("message", each.sentence) + "/></testcase>\n";
        }
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite" +
           attribute("name", "tilereel " + work.title) +
           attribute("tests", std::to_string(grade.checks.size())) +
           attribute("failures", std::to_string(failures)) +
           attribute("skipped", std::to_string(skipped)) + ">\n  <properties>" +
           property("points", grade.points()) + property("most_points", grade.most_points()) +
           "</properties>\n" + cases + "</testsuite>\n";
}

std::string grade_gradescope(const GradedWork& work) {
    const Grade& grade = work.grade;
    Json tests = Json::array();
    for (const CheckResult& each : grade.checks)
        tests.push_back({{"name", each.words},
                         {"score", grade.points(each)},
                         {"max_score", each.points},
                         {"status", each.state == State::kPassed ? "passed" : "failed"},
                         {"output", each.sentence}});
    std::string output = score_text(grade);
    if (!seed_text(work).empty()) output += ", " + seed_text(work);
    if (!grade.refusals.empty()) output += "\n" + refusals_text(grade);
    return json_text(Json{{"output", output}, {"tests", tests}}, 1) + "\n";
}

}  // namespace tilereel
