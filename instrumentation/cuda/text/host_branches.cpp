#include "instrumentation/cuda/text/host_branches.h"

#include <algorithm>
#include <optional>

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

constexpr std::string_view kMacro = "__CUDA_ARCH__";
constexpr std::string_view kInKernel = "::tilereel::runtime::in_kernel()";

// A line of the preprocessor.
struct Directive {
    std::size_t begin = 0, end = 0;  // [#, line end)
    std::string_view word;           // "ifdef"
    std::string_view rest;           // behind the word
};

// #if ... #endif, with or without #else.
struct Group {
    Directive first;
    std::optional<Directive> otherwise;
    Directive last;
    bool simple = true;  // no #elif, and nothing about the macro inside
};

std::optional<Directive> directive_at(std::string_view text, std::size_t line) {
    const std::size_t begin = skip_blanks(text, line);
    if (begin >= text.size() || text[begin] != '#') return std::nullopt;
    const std::size_t word_begin = skip_blanks(text, begin + 1);
    const std::string_view word = word_at(text, word_begin);
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    return Directive{begin, end, word,
                     text.substr(word_begin + word.size(), end - word_begin - word.size())};
}

// The groups about the macro in [begin, end), outermost ones only.
std::vector<Group> groups_in(std::string_view text, std::size_t begin, std::size_t end) {
    struct Open {
        Group group;
        bool about = false;
    };
    std::vector<Group> found;
    std::vector<Open> open;
    for (std::size_t line = begin; line < end;
         line = std::min(text.find('\n', line), text.size() - 1) + 1) {
        const std::optional<Directive> at = directive_at(text, line);
        if (!at) continue;
        const bool about = at->rest.find(kMacro) != std::string_view::npos;
        if (at->word.starts_with("if")) {
            open.push_back({{*at, std::nullopt, {}, true}, about});
        } else if (!open.empty() && at->word.starts_with("elif")) {
            open.back().about |= about;
            open.back().group.simple = false;
        } else if (!open.empty() && at->word == "else") {
            open.back().group.otherwise = *at;
        } else if (!open.empty() && at->word == "endif") {
            Open closed = std::move(open.back());
            open.pop_back();
            closed.group.last = *at;
            if (!open.empty() && (closed.about || !closed.group.simple))
                open.back().group.simple = false;
            if (closed.about) found.push_back(std::move(closed.group));
        }
    }
    return found;
}

// The condition as C++; nullopt if it names anything else.
std::optional<std::string> condition_of(const Directive& first) {
    std::string out;
    const auto only_macro = [&] {
        const std::size_t at = skip_blanks(first.rest, 0);
        return word_at(first.rest, at) == kMacro &&
               skip_space(first.rest, at + kMacro.size()) == first.rest.size();
    };
    if (first.word == "ifdef" || first.word == "ifndef") {
        if (!only_macro()) return std::nullopt;
        return (first.word == "ifndef" ? "!" : "") + std::string(kInKernel);
    }
    if (first.word != "if") return std::nullopt;
    for (std::size_t at = 0; at < first.rest.size();) {
        const std::string_view word = word_at(first.rest, at);
        if (word == kMacro) {
            out += "(" + std::string(kInKernel) + " ? __TILEREEL_ARCH__ : 0)";
        } else if (word == "defined") {
            std::size_t name = skip_blanks(first.rest, at + word.size());
            const bool braced = name < first.rest.size() && first.rest[name] == '(';
            if (braced) name = skip_blanks(first.rest, name + 1);
            if (word_at(first.rest, name) != kMacro) return std::nullopt;
            at = skip_blanks(first.rest, name + kMacro.size());
            if (braced && (at >= first.rest.size() || first.rest[at++] != ')')) return std::nullopt;
            out += kInKernel;
            continue;
        } else if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0) {
            return std::nullopt;
        } else if (word.empty() && first.rest[at] == '\\') {
            return std::nullopt;
        } else {
            out += word.empty() ? first.rest.substr(at, 1) : word;
        }
        at += std::max(word.size(), std::size_t{1});
    }
    return out;
}

// The statements of a branch, without lines of the preprocessor; nullopt if its brackets are not
// closed inside, or its last statement goes on behind it.
std::optional<std::vector<std::string_view>> statements_of(std::string_view branch) {
    std::vector<std::string_view> statements;
    int depth = 0;
    std::size_t begin = skip_space(branch, 0);
    for (std::size_t at = begin; at < branch.size(); ++at) {
        const char c = branch[at];
        if (c == '#') return std::nullopt;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0) return std::nullopt;
        if (depth > 0 || (c != ';' && c != '}')) continue;
        statements.push_back(branch.substr(begin, at + 1 - begin));
        begin = skip_space(branch, at + 1);
    }
    if (depth != 0 || begin < branch.size()) return std::nullopt;
    return statements;
}

// Whether the statement may be put into a block of its own: it declares nothing.
bool declares_nothing(std::string_view statement) {
    for (const std::string_view keyword : {"return", "if", "else", "for", "while", "do", "switch",
                                           "break", "continue", "goto", "asm", "delete"})
        if (word_at(statement, 0) == keyword) return true;
    const char c = statement[0];
    if (!is_word(c) && c != ':') return true;  // ; { ( * ++
    std::size_t at = 0;                        // a::b<...> is taken for a declaration
    for (;;) {
        if (statement.substr(at, 2) == "::") at += 2;
        const std::size_t size = word_at(statement, at).size();
        if (size == 0) return false;
        at = skip_space(statement, at + size);
        if (statement.substr(at, 2) != "::") break;
    }
    if (at >= statement.size()) return false;
    const char next = statement[at];
    const bool is_pointer = next == '*' && statement.substr(at, 2) != "*=";
    const bool is_reference = next == '&' && statement.substr(at, 2) != "&=";
    const bool is_template = next == '<' && statement.substr(at, 2) != "<<";
    return !is_word(next) && !is_template && !is_pointer && !is_reference;
}

bool ends_with_return(const std::vector<std::string_view>& statements) {
    return !statements.empty() && word_at(statements.back(), 0) == "return";
}

// A statement can begin at `at`, the # of a line: it stands behind the end of another one. Other
// lines of the preprocessor may stand between.
bool begins_statement(std::string_view text, std::size_t at, std::size_t body) {
    constexpr int kMostLines = 64;  // of the preprocessor
    for (int i = 0; i < kMostLines; ++i) {
        while (at > body && is_space(text[at - 1])) --at;
        if (at <= body) return false;
        const std::size_t line = text.rfind('\n', at - 1) + 1;
        const std::optional<Directive> directive = directive_at(text, line);
        if (!directive) return std::string_view(";{}").find(text[at - 1]) != std::string_view::npos;
        at = directive->begin;
    }
    return false;
}

bool is_constant(std::string_view mask, std::size_t body) {
    const std::size_t before = mask.substr(0, body).find_last_of(";}#");
    const std::size_t begin = before == std::string_view::npos ? 0 : before;
    return mask.substr(begin, body - begin).find("constexpr") != std::string_view::npos;
}

// Turns the group into an `if`; false if that is not possible.
bool add_branch(std::string_view mask, const Group& group, std::vector<TextChange>& changes) {
    const std::optional<std::string> condition = condition_of(group.first);
    if (!condition || !group.simple) return false;
    const Directive& middle = group.otherwise ? *group.otherwise : group.last;
    const auto first = statements_of(mask.substr(group.first.end, middle.begin - group.first.end));
    const auto second = group.otherwise
                            ? statements_of(mask.substr(middle.end, group.last.begin - middle.end))
                            : std::vector<std::string_view>{};
    if (!first || !second) return false;
    const bool separate = std::ranges::all_of(*first, declares_nothing) &&
                          std::ranges::all_of(*second, declares_nothing);
    if (!separate && !ends_with_return(*first)) return false;
    const auto replace = [&](const Directive& at, std::string text) {
        changes.push_back({at.begin, at.end - at.begin, std::move(text)});
    };
    replace(group.first, "if (" + *condition + ") {");
    // Behind a return, the second branch needs no block, so that it may declare.
    if (group.otherwise) replace(*group.otherwise, separate ? "} else {" : "}");
    replace(group.last, separate || !group.otherwise ? "}" : "");
    return true;
}

}  // namespace

void find_host_branches(std::string_view mask, const std::vector<DeviceFunction>& functions,
                        std::vector<TextChange>& changes) {
    if (mask.find(kMacro) == std::string_view::npos) return;
    LineCounter lines(mask);
    std::size_t done = 0;  // functions in functions are done with the outer one
    for (const DeviceFunction& function : functions) {
        if (!function.host || function.kernel || function.body < done) continue;
        const std::string_view body = mask.substr(function.body, function.end - function.body);
        done = function.end;
        if (body.find(kMacro) == std::string_view::npos || is_constant(mask, function.body))
            continue;
        for (const Group& group : groups_in(mask, function.body, function.end)) {
            if (begins_statement(mask, group.first.begin, function.body) &&
                add_branch(mask, group, changes))
                continue;
            changes.push_back({function.body + 1, 0,
                               " ::tilereel::runtime::note_host_branch(" +
                                   std::to_string(lines.line_of(group.first.begin)) + ");"});
        }
    }
}

}  // namespace tilereel::program
