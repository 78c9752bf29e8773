// The line in which a user reads and writes how a kernel is launched.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "app/own_kernel/work_arrays_of.h"
#include "app/own_kernel/work_call.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel {
namespace {

constexpr std::string_view kWith = " with ";

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !program::is_word(text[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == text.size() || !program::is_word(text[end]))) return true;
    }
    return false;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The parts between commas that stand in no brackets.
std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c != ',' || (depth > 0 && at < text.size())) continue;
        parts.push_back(trimmed(text.substr(begin, at - begin)));
        begin = at + 1;
    }
    return parts;
}

// "n = 4096"
std::optional<std::int64_t> size_in(std::string_view part) {
    if (!part.starts_with("n")) return std::nullopt;
    part = trimmed(part.substr(1));
    if (!part.starts_with("=")) return std::nullopt;
    part = trimmed(part.substr(1));
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), n);
    if (error != std::errc() || end != part.data() + part.size() || n < 1) return std::nullopt;
    return n;
}

// "count = 2 * n", of a variable of the file. Returns whether it is that.
bool take_variable(std::string_view part, std::vector<OwnVariable>& variables) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return false;
    const auto found =
        std::ranges::find(variables, trimmed(part.substr(0, equals)),
                          [](const OwnVariable& each) -> std::string_view { return each.name; });
    const std::string_view value = trimmed(part.substr(equals + 1));
    if (found == variables.end() || found->cpp_type.empty() || value.empty()) return false;
    found->value = value;
    return true;
}

// "out[(n + 255) / 256]"
Status take_array(std::string_view part, WorkCall& work) {
    const std::size_t open = part.find('[');
    if (open == std::string_view::npos || !part.ends_with(']'))
        return wrong_call("'" + std::string(part) +
                          "' is neither n = NUMBER nor ARRAY[LENGTH IN n]");
    const std::string_view name = trimmed(part.substr(0, open));
    const std::string_view length = trimmed(part.substr(open + 1, part.size() - open - 2));
    const auto found = std::ranges::find(
        work.arrays, name,
        [](const WorkArray& each) -> std::string_view { return each.array.name; });
    if (found == work.arrays.end()) {
        std::string known;
        for (const WorkArray& each : work.arrays)
            known += (known.empty() ? "" : ", ") + each.array.name;
        return wrong_call("the recorded launch has no array " + std::string(name) +
                          "; its arrays are " + known);
    }
    if (length.empty()) return wrong_call(std::string(name) + "[] lacks its length, such as n");
    found->elements = length;
    return Done{};
}

}  // namespace

std::string text_of(const OwnCall& call) {
    if (!call.work) return call.statement;
    std::string text = call.statement + std::string(kWith) + "n = " + std::to_string(call.work->n);
    for (const WorkArray& each : call.work->arrays)
        text += ", " + each.array.name + "[" + each.elements + "]";
    for (const OwnVariable& each : call.variables)
        if (!each.value.empty()) text += ", " + each.name + " = " + each.value;
    return text;
}

bool is_of_product(const std::string& text) {
    return has_word(text, "A") && has_word(text, "B") && has_word(text, "C");
}

Result<OwnCall> own_call_of(const std::string& text, const Trace& trace) {
    const std::size_t with = text.find(kWith);
    OwnCall call;
    if (with == std::string::npos && is_of_product(text)) {
        call.statement = trimmed(text);
        call.variables = variables_of_product(trace);
        return call;
    }
    WorkCall work{.arrays = TRY(work_arrays_of(trace))};
    call.variables = variables_of(trace);
    // What the line leaves out is as recognised, if it is.
    if (const Result<OwnCall> recognised = recognise_work(trace)) {
        work = *recognised->work;
        call.variables = recognised->variables;
    }
    call.statement = trimmed(std::string_view(text).substr(0, with));
    work.multiple = 1;  // who says how it is launched says so for any n
    if (with != std::string::npos)
        for (const std::string_view part :
             parts_of(std::string_view(text).substr(with + kWith.size()))) {
            if (const auto n = size_in(part))
                work.n = *n;
            else if (take_variable(part, call.variables))
                continue;
            else
                TRY(take_array(part, work));
        }
    if (work.n == 0) return wrong_call("say what n is in the program: with n = NUMBER");
    for (const WorkArray& each : work.arrays)
        if (each.elements.empty())
            return wrong_call("say how long " + each.array.name + " is: with " + each.array.name +
                              "[LENGTH IN n]");
    call.work = std::move(work);
    return call;
}

}  // namespace tilereel
