#include "instrumentation/cuda/text/specifier_macros.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

constexpr std::size_t kLongestBody = 512;  // of a macro that stands in front of functions

Specifiers specifiers_of(std::string_view word) {
    return {
        .host = word == "__host__", .device = word == "__device__", .kernel = word == "__global__"};
}

// The end of the line, or of the last line that continues it.
std::size_t end_of_lines(std::string_view text, std::size_t at) {
    for (;;) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::size_t last = end;
        while (last > at && (text[last - 1] == '\r' || text[last - 1] == ' ')) --last;
        if (end == text.size() || last == at || text[last - 1] != '\\') return end;
        at = end + 1;
    }
}

}  // namespace

MacroDefinition macro_definition_at(std::string_view masked, std::size_t at) {
    const std::size_t word = skip_blanks(masked, at + 1);
    if (masked[at] != '#' || word_at(masked, word) != "define") return {.end = at};
    const std::size_t begin = skip_blanks(masked, word + std::string_view("define").size());
    MacroDefinition found;
    found.end = end_of_lines(masked, word);
    found.name = word_at(masked, begin);
    const std::size_t body = begin + found.name.size();
    if (found.name.empty() || (body < masked.size() && masked[body] == '('))
        found.name = {};
    else
        found.body = masked.substr(body, found.end - body);
    return found;
}

void SpecifierMacros::add_text(std::string_view masked) {
    for (std::size_t at = 0; (at = masked.find('#', at)) != std::string_view::npos;) {
        const MacroDefinition defined = macro_definition_at(masked, at);
        if (!defined.name.empty()) add(defined.name, defined.body);
        at = std::max(defined.end, at + 1);
    }
}

void SpecifierMacros::add_option(std::string_view definition) {
    const std::size_t equals = definition.find('=');
    if (equals != std::string_view::npos)
        add(definition.substr(0, equals), definition.substr(equals + 1));
}

void SpecifierMacros::add(std::string_view name, std::string_view body) {
    if (body.size() > kLongestBody || body.find_first_of(";{}") != std::string_view::npos) return;
    for_each_word(body, [&](std::string_view word, std::size_t) {
        users_[std::string(word)].emplace_back(name);
    });
}

void SpecifierMacros::resolve() {
    found_.clear();
    for (const auto& [specifier, flag] :
         std::initializer_list<std::pair<const char*, bool Specifiers::*>>{
             {"__host__", &Specifiers::host},
             {"__device__", &Specifiers::device},
             {"__global__", &Specifiers::kernel}}) {
        std::vector<std::string> waiting = {specifier};
        while (!waiting.empty()) {
            const auto users = users_.find(waiting.back());
            waiting.pop_back();
            if (users == users_.end()) continue;
            for (const std::string& macro : users->second)
                if (!std::exchange(found_[macro].*flag, true)) waiting.push_back(macro);
        }
    }
}

Specifiers SpecifierMacros::of(std::string_view word) const {
    const Specifiers itself = specifiers_of(word);
    if (itself.any() || found_.empty() || word.empty()) return itself;
    const auto known = found_.find(word);
    return known == found_.end() ? Specifiers{} : known->second;
}

}  // namespace tilereel::program
