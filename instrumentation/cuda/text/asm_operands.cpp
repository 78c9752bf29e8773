#include "instrumentation/cuda/text/asm_operands.h"

#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

bool is_asm(std::string_view word) { return word == "asm" || word == "__asm" || word == "__asm__"; }

// Where the bracket of the asm statement opens whose word ends at `at`; npos if none does.
std::size_t opening_after(std::string_view mask, std::size_t at) {
    for (;;) {
        at = skip_space(mask, at);
        const std::string_view word = word_at(mask, at);
        if (word.empty()) return at < mask.size() && mask[at] == '(' ? at : std::string_view::npos;
        if (word != "volatile" && word != "__volatile__" && word != "__volatile" &&
            word != "inline" && word != "goto")
            return std::string_view::npos;
        at += word.size();
    }
}

}  // namespace

void find_missing_commas(std::string_view text, std::string_view mask,
                         std::vector<TextChange>& changes) {
    std::size_t read = 0;  // so far: a statement is read once
    for_each_word(mask, [&](std::string_view word, std::size_t begin) {
        if (!is_asm(word) || begin < read) return;
        const std::size_t open = opening_after(mask, begin + word.size());
        if (open == std::string_view::npos) return;
        std::size_t depth = 0;
        bool behind_operand = false;
        for (read = open; read < mask.size(); ++read) {
            const char c = mask[read];
            const bool begins_operand = (c == '0' && text[read] == '"') || c == '[';
            if (depth == 1 && behind_operand && begins_operand) changes.push_back({read, 0, ","});
            if (opens(c)) ++depth;
            if (closes(c) && --depth == 0) return;
            if (!is_space(c) && c != '\\') behind_operand = c == ')' && depth == 1;
        }
    });
}

}  // namespace tilereel::program
