#include "app/cli/report/removed_barrier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"
#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/base/wait_functions.h"
#include "instrumentation/trace/thread_order.h"
#include "kernels/reference.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostListed = 8;  // largest number of wrong elements that are listed

const char* text_of(ThreadOrder order) {
    switch (order) {
        case ThreadOrder::kRoundRobin:
            return "warps in turn, one request each";
        case ThreadOrder::kWarpsForward:
            return "one warp after another, first one first";
        case ThreadOrder::kWarpsBackward:
            return "one warp after another, last one first";
        case ThreadOrder::kLanes:
            return "one lane after another";
    }
    return "";
}

std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";  // without the sign of the NaN
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

// The barrier function called on that line of the trace's source: "__syncthreads". Empty if it is
// not found.
std::string barrier_on_line(const Trace& trace, std::uint32_t line) {
    std::size_t begin = 0;
    for (std::uint32_t at = 1; at < line && begin != std::string::npos; ++at) {
        begin = trace.source.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (begin == std::string::npos) return "";
    const std::string_view text = trace.source;
    const WaitFunction* const called =
        wait_function_in(text.substr(begin, text.find('\n', begin) - begin));
    return called == nullptr ? "" : std::string(called->name);
}

std::string csv_quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    return quoted + '"';
}

std::string judged_part(const Trace& trace, const std::vector<WrongElement>& wrong) {
    const std::string text = judged_part_text(trace, !wrong.empty());
    return text.empty() ? text : "\n" + text + "\n";
}

}  // namespace

std::string removed_barrier_text(const Trace& trace) {
    const std::uint32_t line = trace.launch.removed_barrier;
    if (line == 0) return "";
    const std::string name = barrier_on_line(trace, line);
    return "Without the barrier on line " + std::to_string(line) +
           (name.empty() ? "" : " (" + name + ")") + ": " + text_of(trace.launch.order) + "\n";
}

std::string wrong_elements_text(const Trace& trace, bool searched) {
    const std::vector<WrongElement> wrong = wrong_elements_of(trace);
    if (wrong.empty() && trace.launch.removed_barrier == 0) return judged_part(trace, wrong);
    if (wrong.empty())
        return searched ? "\nC IS RIGHT with these matrices in each order of the threads that was "
                          "tried\n"
                        : "\nC IS RIGHT in this order of the threads\n";
    Table table("rrrr");
    table.add({"ROW", "COLUMN", "FOUND", "EXPECTED"});
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostListed); ++i)
        table.add({std::to_string(wrong[i].row), std::to_string(wrong[i].column),
                   number_text(wrong[i].found), number_text(wrong[i].expected)});
    return "\nC IS WRONG in " + with_commas(wrong.size()) + " of " +
           with_commas(judged_elements(trace).value_or(matrix_of(trace, MatrixRole::kC).size())) +
           " elements\n" + table.text() + (wrong.size() > kMostListed ? "...\n" : "") +
           judged_part(trace, wrong);
}

void put_removed_barrier(Json& json, const Trace& trace) {
    if (trace.launch.removed_barrier == 0) return;
    json["removed_barrier"] = trace.launch.removed_barrier;
    json["order"] = name_of(trace.launch.order);
}

void put_wrong_elements(Json& json, const Trace& trace) {
    const std::vector<WrongElement> wrong = wrong_elements_of(trace);
    if (wrong.empty() && trace.launch.removed_barrier == 0) return;
    Json first = Json::array();
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostListed); ++i)
        first.push_back(
            {{"row", wrong[i].row},
             {"column", wrong[i].column},
             {"found", std::isnan(wrong[i].found) ? Json(nullptr) : Json(wrong[i].found)},
             {"expected", wrong[i].expected}});
    json["wrong"] = {
        {"elements", wrong.size()},
        {"of", judged_elements(trace).value_or(matrix_of(trace, MatrixRole::kC).size())},
        {"first", std::move(first)}};
}

std::string removed_barrier_csv(const Trace& trace, const Generation& generation) {
    const Launch& launch = trace.launch;
    if (launch.removed_barrier == 0) return "";
    std::string text = "kind,line,thread,row,column,found,expected,text\n";
    text += "removed_barrier," + std::to_string(launch.removed_barrier) + ",,,,,," +
            csv_quoted(barrier_on_line(trace, launch.removed_barrier)) + "\n";
    text += "order,,,,,,," + csv_quoted(name_of(launch.order)) + "\n";
    for (const Finding& finding : find_hazards(trace, generation)) {
        const std::string cell = finding.array == kNoArray ? ","
                                                           : std::to_string(finding.row) + "," +
                                                                 std::to_string(finding.column);
        const std::string sentence = csv_quoted(sentence_of(trace, finding));
        for (const HazardParty& party : {finding.first, finding.second}) {
            text += "finding," + std::to_string(trace.sites[party.site].line) + "," +
                    std::to_string(party.thread) + "," + cell + ",,," + sentence + "\n";
            if (finding.hazard == Hazard::kNeverWritten) break;  // this hazard has only one access
        }
    }
    const std::vector<WrongElement> wrong = wrong_elements_of(trace);
    text += "wrong_elements,,,,,,," + csv_quoted(std::to_string(wrong.size())) + "\n";
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostListed); ++i)
        text += "wrong,,," + std::to_string(wrong[i].row) + "," + std::to_string(wrong[i].column) +
                "," + number_text(wrong[i].found) + "," + number_text(wrong[i].expected) + ",\n";
    return text;
}

}  // namespace tilereel
