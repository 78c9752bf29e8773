#include "app/workbench/recording/wrong_product.h"

#include <algorithm>
#include <cmath>

#include "app/replay/elements.h"
#include "app/replay/sentence/wording.h"
#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/analysis/products/product_reference.h"
#include "instrumentation/analysis/values/memory_state.h"
#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

bool may_be_wrong(const Trace& trace) {
    for (const MatrixRole each : {MatrixRole::kA, MatrixRole::kB, MatrixRole::kC})
        if (matrix_of(trace, each).empty()) return false;
    return !trace.wrong_elements || *trace.wrong_elements != 0;
}

// Whether it is a float product A B that the reference of the kernels can compute.
bool is_plain(const Trace& trace) {
    const ProductForm form = form_of(trace);
    const auto is_plain_matrix = [&trace](ArrayId id, const StoredMatrix& matrix) {
        return trace.arrays[id].type == ElementType::kFloat32 && !matrix.by_columns &&
               matrix.is_dense();
    };
    const MatrixProduct& ids = form.matrices;
    return ids.alpha == 1 && ids.beta == 0 && is_plain_matrix(ids.a, form.a) &&
           is_plain_matrix(ids.b, form.b) && is_plain_matrix(ids.c, form.c);
}

// A factor in front of a product: "2 ", "-" or "".
std::string factor_words(double factor) {
    if (factor == 1) return {};
    return factor == -1 ? "-" : decimal_text(factor) + " ";
}

std::string element_words(const WrongElement& element) {
    return "C[" + std::to_string(element.row) + "][" + std::to_string(element.column) + "]";
}

bool reads_c(const Trace& trace) {
    return std::ranges::any_of(trace.sites, [c = matrices_of(trace).c](const Site& site) {
        return reads(site.operation) && site.array == c;
    });
}

bool same_value(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The wrong elements that the request in flight stores with the value that C keeps.
std::vector<WrongElement> stored_now(const Replay& replay, const std::vector<WrongElement>& wrong) {
    std::vector<WrongElement> stored;
    const RequestState& request = replay.state().request;
    const Site& site = replay.trace().sites[replay.schedule().steps[request.step].site];
    if (site.array != matrices_of(replay.trace()).c || site.operation != Operation::kStore)
        return stored;
    for_each_element(request, replay.trace().arrays[site.array],
                     [&](std::uint32_t lane, std::uint32_t word, Element at) {
                         if (word >= request.lanes[lane].values.size()) return;
                         const float value = request.lanes[lane].values[word];
                         const auto found = std::ranges::find_if(wrong, [&](const WrongElement& e) {
                             return e.row == at.row && e.column == at.column;
                         });
                         if (found != wrong.end() && same_value(found->found, value))
                             stored.push_back(*found);
                     });
    std::ranges::sort(stored, {}, [](const WrongElement& e) { return std::pair(e.row, e.column); });
    return stored;
}

std::vector<WrongElement> within(const CellRect& block, const std::vector<WrongElement>& wrong) {
    std::vector<WrongElement> of_block;
    std::ranges::copy_if(wrong, std::back_inserter(of_block), [&block](const WrongElement& e) {
        return contains(block, {e.row, e.column});
    });
    return of_block;
}

}  // namespace

std::string product_formula(const MatrixProduct& product) {
    if (product.alpha == 1 && product.beta == 0) return "A times B";
    const std::string sum = factor_words(product.alpha) + "A B";
    if (product.beta == 0) return sum;
    return sum + (product.beta < 0 ? " - " : " + ") + factor_words(std::abs(product.beta)) + "C";
}

std::string product_by_rows(const Trace& trace) {
    if (!trace.product) return {};
    const Array &a = trace.arrays[trace.product->a], &b = trace.arrays[trace.product->b];
    if (!a.by_columns && !b.by_columns) return {};
    for (const Array* factor : {&a, &b})
        if (factor->by_columns && factor->rows != factor->columns) return {};
    return std::string("A") + (a.by_columns ? "^T" : "") + " times B" + (b.by_columns ? "^T" : "");
}

std::vector<WrongElement> wrong_elements_of(const Trace& trace) {
    return may_be_wrong(trace) ? compare_with_reference(trace) : std::vector<WrongElement>{};
}

std::vector<WrongElement> compare_with_reference(const Trace& trace) {
    if (!is_plain(trace) || elements_computed_so_far(trace, trace.product->c)) {
        std::vector<WrongElement> wrong;
        for (const WrongProductElement& e : wrong_product_elements(trace))
            wrong.push_back({e.row, e.column, static_cast<float>(e.found), e.expected});
        return wrong;
    }
    const auto extent = [](std::uint32_t size) { return static_cast<int>(size); };
    const Launch& launch = trace.launch;
    return wrong_elements(matrix_of(trace, MatrixRole::kA).floats(),
                          matrix_of(trace, MatrixRole::kB).floats(),
                          matrix_of(trace, MatrixRole::kC).floats(), extent(launch.m),
                          extent(launch.n), extent(launch.k));
}

std::string judged_part_text(const Trace& trace, bool has_wrong_elements) {
    if (!judged_elements(trace)) return {};
    return std::string(has_wrong_elements ? "C is judged in the " : "C is right in the ") +
           with_commas(trace.chosen_blocks.size()) + " of " + with_commas(trace.launch.blocks()) +
           " blocks that had run; the rest of C is not judged";
}

std::string wrong_product_sentence(const Trace& trace, const std::vector<WrongElement>& wrong) {
    const WrongElement& first = wrong.front();
    const std::uint64_t judged =
        judged_elements(trace).value_or(matrix_of(trace, MatrixRole::kC).size());
    return with_commas(wrong.size()) + " of " + with_commas(judged) +
           (judged == 1 ? " element" : " elements") + " of C " +
           (wrong.size() == 1 ? "is" : "are") + " wrong: " + element_words(first) + " is " +
           decimal_text(first.found) + ", but " + product_formula(*trace.product) + " there is " +
           decimal_text(first.expected);
}

std::string why_wrong(const Trace& trace, const std::vector<WrongElement>& wrong,
                      const std::vector<Finding>& findings) {
    const std::vector<bool> stored = stored_elements(trace);
    std::size_t never = 0;
    const WrongElement* first = nullptr;
    for (const WrongElement& element : wrong) {
        if (stored[std::size_t{element.row} * trace.launch.n + element.column]) continue;
        if (never++ == 0) first = &element;
    }
    if (never > 0 && trace.complete)
        return with_commas(never) + " of them " + (never == 1 ? "is" : "are") +
               " never stored, the first is " + element_words(*first);
    const bool error = std::ranges::any_of(
        findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
    if (error) return "The errors found in shared memory can be the reason";
    if (reads_c(trace) && !is_first_c_zero(trace) && trace.product->beta == 0)
        return "The kernel reads C, which was not zero before the launch";
    return "No race was found: step to where an element is stored and compare what its thread "
           "loads";
}

Sentence with_wrong_elements(Sentence sentence, const Replay& replay,
                             const std::vector<WrongElement>& wrong) {
    if (wrong.empty() || sentence.empty() || replay.schedule().steps.empty()) return sentence;
    if (replay.state().request.step == kNoStep) return sentence;  // nothing has begun
    const bool done = replay.state().step == kNoStep;
    const std::vector<WrongElement> here =
        done ? within(replay.regions().c, wrong) : stored_now(replay, wrong);
    if (here.empty() && !done) return sentence;
    const WrongElement& first = here.empty() ? wrong.front() : here.front();
    const std::size_t count = here.empty() ? wrong.size() : here.size();
    const bool one = count == 1;
    std::string what = with_commas(count) + (one ? " element is" : " elements are") + " wrong";
    if (done) what += here.empty() ? " in other blocks" : " in this block";
    if (sentence.back().text.ends_with('.')) sentence.back().text.pop_back();
    sentence.push_back({Tone::kPlain, "; "});
    sentence.push_back({Tone::kStrong, what});
    sentence.push_back({Tone::kPlain, ": "});
    sentence.push_back({Tone::kC, element_words(first)});
    sentence.push_back({Tone::kPlain, (done ? " is " : " becomes ") + decimal_text(first.found) +
                                          ", but " + product_formula(*replay.trace().product) +
                                          " there is " + decimal_text(first.expected) + "."});
    return sentence;
}

}  // namespace tilereel
