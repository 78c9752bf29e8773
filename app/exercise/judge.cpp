#include "app/exercise/judge.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/lesson/figures.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

using State = CheckResult::State;
using Kind = Requirement::Kind;

double number_in(const NamedNumbers& numbers, const std::string& name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
}

// The source line that adds most to a counter; 0: no line adds anything.
std::uint32_t heaviest_line(const RunFacts& run, const std::string& counter) {
    std::uint32_t line = 0;
    double most = 0;
    for (const auto& [each, counters] : run.lines)
        if (const double value = number_in(counters, counter); value > most)
            most = value, line = each;
    return line;
}

std::string after_semicolon(const std::string& words) {
    return words.empty() ? words : "; " + words;
}

// Which share of a counter the line has; empty without a line.
std::string line_text(const RunFacts& run, const std::string& counter, std::uint32_t line) {
    if (line == 0) return {};
    const std::string of = "line " + std::to_string(line);
    if (counter == "lanes on") return of + " has most of the lanes that are off";
    const double most = number_in(run.lines.at(line), counter);
    return of + (most >= number_in(run.counters, counter)
                     ? " has all of them"
                     : " has most of them, " + text_of_figure(most));
}

std::string counted_text(const RunFacts& run, const std::string& counter) {
    return counter + " is " + text_of_figure(number_in(run.counters, counter)) +
           (counter == "lanes on" ? " %" : "");
}

std::string with_capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

CheckResult right(const std::string& name, const RunFacts& run) {
    const auto found = std::ranges::find(run.outputs, name, &OutputFacts::name);
    if (found == run.outputs.end()) return {.state = State::kFailed, .words = {}, .sentence = {}};
    if (found->wrong == 0)
        return {.state = State::kPassed,
                .words = {},
                .sentence = with_commas(found->elements) + " of " + with_commas(found->elements) +
                            " elements are right"};
    // A mistake that the recorder saw explains more than a wrong value.
    if (!run.errors.empty())
        return {.state = State::kFailed,
                .words = {},
                .sentence = found->sentence + ". " + run.errors.front().sentence,
                .line = run.errors.front().line,
                .what = found->sentence + ". " + with_capital(run.errors.front().what),
                .advice = run.errors.front().advice};
    return {.state = State::kFailed, .words = {}, .sentence = found->sentence, .line = found->line};
}

CheckResult without_findings(const RunFacts& run, bool with_warnings) {
    std::vector<FindingFacts> all = run.errors;
    if (with_warnings) all.insert(all.end(), run.warnings.begin(), run.warnings.end());
    if (all.empty()) return {.state = State::kPassed, .words = {}, .sentence = "there are none"};
    // What others follow from comes first.
    std::ranges::stable_sort(all, std::ranges::greater{}, &FindingFacts::is_cause);
    const FindingFacts first = all.front();
    const std::string more =
        all.size() > 1 ? " (and " + std::to_string(all.size() - 1) + " more)" : "";
    return {.state = State::kFailed,
            .words = {},
            .sentence = first.sentence + more,
            .line = first.line,
            .findings = std::move(all),
            .what = first.what + more,
            .advice = first.advice};
}

CheckResult counter(const Requirement& requirement, const RunFacts& run) {
    const Result<double> limit = value_of_expression(requirement.limit, run.sizes);
    if (!limit) return {.state = State::kFailed, .words = {}, .sentence = limit.error().message};
    const std::string counted = counted_text(run, requirement.name);
    if (holds(number_in(run.counters, requirement.name), requirement.comparison, *limit))
        return {.state = State::kPassed, .words = {}, .sentence = counted};
    const bool too_few = requirement.comparison == Comparison::kAtLeast ||
                         requirement.comparison == Comparison::kAbove;
    const std::uint32_t line =
        too_few && requirement.name != "lanes on" ? 0 : heaviest_line(run, requirement.name);
    return {.state = State::kFailed,
            .words = {},
            .sentence = counted + " and " + wanted_text(requirement.comparison, *limit) +
                        (requirement.name == "lanes on" ? " %" : "") +
                        after_semicolon(line_text(run, requirement.name, line)),
            .line = line,
            .wanted = wanted_text(requirement.comparison, *limit) +
                      (requirement.name == "lanes on" ? " %" : ""),
            .where = line_text(run, requirement.name, line)};
}

CheckResult fewer(const Requirement& requirement, const RunFacts& run, const RunFacts& before) {
    const double now = number_in(run.counters, requirement.name);
    const double then = number_in(before.counters, requirement.name);
    const std::string counted = counted_text(run, requirement.name) + ", and was " +
                                text_of_figure(then) + " in the file that was handed out";
    if (now * requirement.factor <= then)
        return {.state = State::kPassed, .words = {}, .sentence = counted};
    const std::uint32_t line = heaviest_line(run, requirement.name);
    return {.state = State::kFailed,
            .words = {},
            .sentence = counted + ": should be at most " +
                        text_of_figure(then / requirement.factor) +
                        after_semicolon(line_text(run, requirement.name, line)),
            .line = line,
            .wanted = "should be at most " + text_of_figure(then / requirement.factor),
            .where = line_text(run, requirement.name, line)};
}

CheckResult judge_run(const Requirement& requirement, const RunFacts& run,
                      const RunFacts* handed_out) {
    switch (requirement.kind) {
        case Kind::kRight:
            return right(requirement.name, run);
        case Kind::kNoFindings:
        case Kind::kNoErrors:
            return without_findings(run, requirement.kind == Kind::kNoFindings);
        case Kind::kCounter:
            return counter(requirement, run);
        case Kind::kFewer:
            if (handed_out != nullptr) return fewer(requirement, run, *handed_out);
            break;
    }
    return {.state = State::kFailed,
            .words = {},
            .sentence = "there is nothing that was handed out to compare with"};
}

}  // namespace

std::string sizes_text(const NamedNumbers& sizes) {
    std::string text;
    for (const auto& [name, value] : sizes)
        text += (text.empty() ? "" : ", ") + name + " = " + text_of_figure(value);
    return text;
}

CheckResult judge(const Requirement& requirement, const std::vector<RunFacts>& runs,
                  const std::vector<RunFacts>& handed_out) {
    CheckResult result;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        CheckResult now =
            judge_run(requirement, runs[i], i < handed_out.size() ? &handed_out[i] : nullptr);
        const bool failed = now.state == State::kFailed;
        now.run = i;
        if (requirement.kind == Kind::kCounter || requirement.kind == Kind::kFewer) {
            now.counter = requirement.name;
            now.counted = text_of_figure(number_in(runs[i].counters, requirement.name));
        }
        if (failed && !runs[i].sizes.empty()) {
            const std::string sizes = " (" + sizes_text(runs[i].sizes) + ")";
            now.sentence += sizes;
            if (!now.where.empty()) now.where += sizes;
            if (!now.what.empty()) now.what += sizes;
        }
        if (i == 0 || failed) result = std::move(now);
        if (failed) break;
    }
    result.words = requirement.words;
    result.points = requirement.points;
    return result;
}

}  // namespace tilereel
