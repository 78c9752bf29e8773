#include "instrumentation/plain/brackets.h"

#include <limits>

#include "instrumentation/plain/text_words.h"

namespace tilereel::plain {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Brackets::Brackets(std::string_view masked) : partners_(masked.size(), kNone) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t at = 0; at < masked.size(); ++at) {
        if (opens(masked[at])) open.push_back(at);
        if (!closes(masked[at]) || open.empty()) continue;
        partners_[at] = open.back();
        partners_[open.back()] = at;
        open.pop_back();
    }
}

std::size_t Brackets::behind(std::size_t at) const {
    return partners_[at] == kNone ? partners_.size() : partners_[at] + std::size_t{1};
}

std::size_t Brackets::opening(std::size_t at) const {
    return partners_[at] == kNone ? std::string_view::npos : partners_[at];
}

std::vector<std::uint32_t> next_bodies(std::string_view masked, const Brackets& brackets) {
    std::vector<std::uint32_t> bodies(masked.size() + 1);
    bodies[masked.size()] = static_cast<std::uint32_t>(masked.size());
    // From the end to the beginning, so that each place is looked at once.
    for (std::size_t at = masked.size(); at-- > 0;) {
        const bool found = masked[at] == '{' || masked[at] == ';';
        bodies[at] = found ? static_cast<std::uint32_t>(at)
                           : bodies[masked[at] == '(' ? brackets.behind(at) : at + 1];
    }
    return bodies;
}

std::optional<DeepNesting> find_deep_nesting(std::string_view masked) {
    std::vector<std::size_t> chains(1);  // the `else if` so far, of each open bracket
    bool behind_else = false;
    for (std::size_t at = 0; at < masked.size();) {
        const char c = masked[at];
        if (const std::string_view word = word_at(masked, at); !word.empty()) {
            if (word == "if") {
                chains.back() = behind_else ? chains.back() + 1 : 0;
                if (chains.back() > kMostElseIfs) return DeepNesting{at, true};
            }
            // #else is the preprocessor's.
            behind_else = word == "else" && (at == 0 || masked[at - 1] != '#');
            at += word.size();
            continue;
        }
        if (opens(c)) {
            if (chains.size() > kMostBrackets) return DeepNesting{at, false};
            chains.push_back(0);
        } else if (closes(c) && chains.size() > 1) {
            chains.pop_back();
        }
        if (!is_space(c)) behind_else = false;
        ++at;
    }
    return std::nullopt;
}

std::string deep_nesting_sentence(const DeepNesting& nesting) {
    return nesting.is_else_if
               ? "more than 2,000 `else if` follow each other: g++ needs too long for them; write "
                 "a switch or a table"
               : "more than 1,000 brackets are open: g++ needs too long for them; write shorter "
                 "expressions and blocks";
}

}  // namespace tilereel::plain
