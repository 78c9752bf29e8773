#include "instrumentation/cuda/text/host_functions.h"

#include <algorithm>
#include <array>

#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

// Words that stand before parentheses and are no function's name.
constexpr std::array<std::string_view, 12> kNoNames = {
    "if",        "for",     "while",    "switch",        "return",
    "sizeof",    "alignas", "decltype", "__attribute__", "__launch_bounds__",
    "__align__", "operator"};
// Words that can follow a function's parameters.
constexpr std::array<std::string_view, 6> kQualifiers = {"const",    "noexcept", "override",
                                                         "volatile", "throw",    "requires"};

class DefinitionReader {
  public:
    explicit DefinitionReader(std::string_view text)
        : text_(text), brackets_(text), lines_(text), bodies_(next_bodies(text, brackets_)) {}

    std::vector<DefinedFunction> run() {
        for (std::size_t at = 0; at < text_.size();) {
            const char c = text_[at];
            if (c == '#') {
                at = behind_directive(at);
            } else if (c == ';' || c == '}') {
                begin_statement();
                ++at;
            } else if (c == '{') {
                // Functions lie in namespaces and in extern "C", not in other braces.
                at = opens_scope_ ? at + 1 : brackets_.behind(at);
                begin_statement();
            } else if (c == '(') {
                at = see_parentheses(at);
            } else if (const std::string_view word = word_at(text_, at); !word.empty()) {
                see(word);
                name_ = word;
                name_at_ = at;
                at += word.size();
            } else {
                // The default of a template's parameter is no value of a variable.
                if (c == '=' || c == '>') assigns_ = c == '=';
                ++at;
            }
        }
        return std::move(found_);
    }

  private:
    void begin_statement() {
        now_ = {};
        opens_scope_ = assigns_ = false;
        name_ = {};
    }
    void see(std::string_view word) {
        if (word == "namespace" || word == "extern") opens_scope_ = true;
        if (word == "__global__" || word == "__device__") now_.device = true;
        if (word == "template") now_.is_template = true;
        if (word == "static") now_.is_static = true;
    }
    // A line that ends in \ goes on in the next one.
    [[nodiscard]] std::size_t behind_directive(std::size_t at) const {
        for (; at < text_.size(); ++at)
            if (text_[at] == '\n' && text_[at - 1] != '\\') break;
        return at;
    }
    // Where a function's body begins behind its parameters; the text's end if there is none. C's
    // old notation has declarations in between: int f(x) int x; {
    [[nodiscard]] std::size_t body_behind(std::size_t close) const {
        std::size_t at = skip_space(text_, close);
        const std::string_view word = word_at(text_, at);
        const bool old_notation =
            !word.empty() && std::ranges::find(kQualifiers, word) == kQualifiers.end();
        if (!old_notation) return bodies_[close];
        while (at < text_.size() &&
               (is_word(text_[at]) || is_space(text_[at]) ||
                std::string_view("*,;[]").find(text_[at]) != std::string_view::npos))
            ++at;
        return at;
    }
    // Parentheses that may hold a function's parameters. Returns where the search goes on.
    [[nodiscard]] std::size_t see_parentheses(std::size_t open) {
        const std::size_t close = brackets_.behind(open);
        if (name_.empty() || assigns_ || std::ranges::find(kNoNames, name_) != kNoNames.end())
            return close;
        const std::size_t body = body_behind(close);
        if (body >= text_.size() || text_[body] != '{') return close;
        const std::size_t end = brackets_.behind(body);
        now_.name = name_;
        now_.line = lines_.line_of(name_at_);
        now_.launches = text_.substr(body, end - body).find("<<<") != std::string_view::npos;
        now_.parameters = parameters_of(text_.substr(open + 1, close - open - 2));
        found_.push_back(std::move(now_));
        begin_statement();
        return end;
    }

    std::string_view text_;
    Brackets brackets_;
    LineCounter lines_;
    std::vector<std::uint32_t> bodies_;
    std::vector<DefinedFunction> found_;
    DefinedFunction now_;  // what is known of the statement at hand
    bool opens_scope_ = false, assigns_ = false;
    std::string_view name_;  // the last word
    std::size_t name_at_ = 0;
};

}  // namespace

std::vector<DefinedFunction> find_defined_functions(std::string_view masked) {
    return DefinitionReader(masked).run();
}

}  // namespace tilereel::program
