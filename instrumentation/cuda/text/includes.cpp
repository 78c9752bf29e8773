#include "instrumentation/cuda/text/includes.h"

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {

std::vector<Include> find_includes(std::string_view text, std::string_view masked) {
    std::vector<Include> found;
    for (std::size_t line = 0; line < masked.size();) {
        const std::size_t end = std::min(masked.find('\n', line), masked.size());
        std::size_t at = skip_blanks(masked, line);
        line = end + 1;
        if (at >= end || masked[at] != '#') continue;
        at = skip_blanks(masked, at + 1);
        const std::string_view word = word_at(masked, at);
        if (word != "include" && word != "include_next" && word != "import") continue;
        at = skip_blanks(masked, at + word.size());
        if (at >= end || (text[at] != '"' && text[at] != '<')) continue;
        const std::size_t close = text.find_first_of(text[at] == '<' ? ">\n" : "\"\n", at + 1);
        if (close >= text.size() || text[close] == '\n') continue;
        found.push_back({text.substr(at + 1, close - at - 1), at + 1});
    }
    return found;
}

}  // namespace tilereel::program
