#include "instrumentation/cuda/text/launch_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "instrumentation/cuda/text/brackets.h"
#include "instrumentation/cuda/text/device_words.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

class Mask {
  public:
    explicit Mask(std::string_view text) : text_(text), masked_(text) {
        for (const char c : text) comments_ += c == '\n' ? '\n' : ' ';
    }
    std::string run() {
        while (at_ < text_.size()) {
            if (starts("//"))
                comment_to(end_of_line());
            else if (starts("/*"))
                comment_to(after("*/", at_ + 2));
            else if (text_[at_] == '"')
                literal();
            else if (text_[at_] == '\'' && !is_digit_separator())
                quoted('\'');
            else
                ++at_;
        }
        return masked_;
    }
    // After run(): the text with everything but its comments blanked.
    [[nodiscard]] const std::string& comments() const { return comments_; }

  private:
    [[nodiscard]] bool starts(std::string_view word) const {
        return text_.substr(at_, word.size()) == word;
    }
    [[nodiscard]] std::size_t after(std::string_view word, std::size_t from) const {
        const std::size_t found = text_.find(word, from);
        return found == std::string_view::npos ? text_.size() : found + word.size();
    }
    // A backslash at the end of a line continues a comment.
    [[nodiscard]] std::size_t end_of_line() const {
        std::size_t end = text_.find('\n', at_);
        while (end != std::string_view::npos && end > 0 && text_[end - 1] == '\\')
            end = text_.find('\n', end + 1);
        return end == std::string_view::npos ? text_.size() : end;
    }
    [[nodiscard]] bool is_digit_separator() {
        return at_ > 0 && at_ + 1 < text_.size() && std::isxdigit(text_[at_ - 1]) != 0 &&
               std::isxdigit(text_[at_ + 1]) != 0 && inside_number();
    }
    // Whether the run of words and quotes before `at_` begins with a digit. A long run is walked
    // through once: from the place of the last question on, its beginning is known.
    [[nodiscard]] bool inside_number() {
        std::size_t begin = at_;
        while (begin > 0 && begin != asked_at_ &&
               (is_word(text_[begin - 1]) || text_[begin - 1] == '\''))
            --begin;
        if (begin != asked_at_) run_begin_ = begin;
        asked_at_ = at_;
        return std::isdigit(static_cast<unsigned char>(text_[run_begin_])) != 0;
    }
    void comment_to(std::size_t end) {
        std::copy(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                  text_.begin() + static_cast<std::ptrdiff_t>(end),
                  comments_.begin() + static_cast<std::ptrdiff_t>(at_));
        blank_to(end);
    }
    void blank_to(std::size_t end) {
        for (; at_ < end; ++at_)
            if (text_[at_] != '\n') masked_[at_] = ' ';
    }
    void literal() {
        constexpr std::size_t kLongestDelimiter = 16;  // C++ standard, [lex.string]
        if (at_ > 0 && text_[at_ - 1] == 'R') {
            const std::size_t open = at_ + text_.substr(at_, kLongestDelimiter + 2).find('(');
            if (open < at_) return quoted('"');
            std::string close(")");
            close += text_.substr(at_ + 1, open - at_ - 1);
            close += '"';
            blank_to(after(close, open));
            return;
        }
        quoted('"');
    }
    void quoted(char mark) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != mark && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, text_.size());
        // A 0 stays in place of the literal, so that an argument does not look empty.
        masked_[at_] = '0';
        ++at_;
        blank_to(end);
    }

    std::string_view text_;
    std::string masked_, comments_;
    std::size_t at_ = 0;
    std::size_t asked_at_ = 0, run_begin_ = 0;  // of inside_number()
};

class Rewriter {
  public:
    explicit Rewriter(std::string text)
        : text_(std::move(text)), mask_(Mask(text_).run()), brackets_(brackets_for(mask_)) {
        if (has_launches()) find_closings();
    }

    std::string run() {
        std::string out;
        std::size_t kept = 0;
        bool is_extern = false;  // the declaration at hand
        for (std::size_t at = 0; at < mask_.size();) {
            if (const std::optional<Launch> launch = launch_at(at, kept)) {
                add_launch(*launch, kept, out);
                kept = at = launch->end;
                is_extern = false;
                continue;
            }
            const std::string_view word = word_at(mask_, at);
            if (word == "extern") is_extern = true;
            if (mask_[at] == ';' || mask_[at] == '{' || mask_[at] == '}') is_extern = false;
            if (word == "__shared__" && is_extern) {
                out.append(text_, kept, at - kept);
                out += "__dynamic_";
                kept = at + word.size();
            }
            at += std::max(word.size(), std::size_t{1});
        }
        return out.append(text_, kept);
    }

  private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t kMostTemplateCharacters = 4096;  // of a kernel in a launch
    struct Launch {
        std::size_t kernel, kernel_end;                // its name and template arguments
        std::size_t configuration, configuration_end;  // between the angle brackets
        std::size_t end;                               // after the closing ones
    };
    [[nodiscard]] static Brackets brackets_for(std::string_view mask) {
        return Brackets(mask.find('<') == std::string_view::npos ? std::string_view() : mask);
    }
    [[nodiscard]] bool has_launches() const { return mask_.find('<') != std::string::npos; }
    void add_launch(const Launch& launch, std::size_t kept, std::string& out) const {
        out.append(text_, kept, launch.kernel - kept);
        out += "TILEREEL_LAUNCH(";
        out.append(text_, launch.kernel, launch.kernel_end - launch.kernel);
        out += ')';
        keep_lines(out, launch.kernel_end, launch.configuration);
        out += " TILEREEL_SHAPE(";
        out.append(text_, launch.configuration, launch.configuration_end - launch.configuration);
        out += ')';
        keep_lines(out, launch.configuration_end, launch.end);
    }
    void keep_lines(std::string& out, std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (text_[i] != '\n') continue;
            if (i > 0 && text_[i - 1] == '\\') out += '\\';
            out += '\n';
        }
    }
    [[nodiscard]] std::size_t skip_continued(std::size_t at) const {
        while (at < mask_.size() &&
               (is_space(mask_[at]) ||
                (mask_[at] == '\\' && at + 1 < mask_.size() && mask_[at + 1] == '\n')))
            ++at;
        return at;
    }
    // The position after three brackets, which spaces can separate.
    [[nodiscard]] std::optional<std::size_t> after_three(std::size_t at, char bracket) const {
        for (int i = 0; i < 3; ++i) {
            if (i > 0) at = skip_continued(at);
            if (at >= mask_.size() || mask_[at] != bracket) return std::nullopt;
            ++at;
        }
        return at;
    }
    [[nodiscard]] bool ends_configuration(std::size_t at) const {
        const std::optional<std::size_t> close = after_three(at, '>');
        if (!close) return false;
        const std::size_t arguments = skip_continued(*close);
        return arguments < mask_.size() && mask_[arguments] == '(';
    }
    // A configuration ends at the first >>> outside of brackets that is followed by (. From the end
    // of the text to its beginning, so that each place is looked at once.
    void find_closings() {
        closings_.assign(mask_.size() + 1, kNone);
        for (std::size_t at = mask_.size(); at-- > 0;) {
            const char c = mask_[at];
            if (c == ';' || closes(c)) continue;
            if (c == '>' && ends_configuration(at))
                closings_[at] = static_cast<std::uint32_t>(at);
            else
                closings_[at] = closings_[opens(c) ? brackets_.behind(at) : at + 1];
        }
    }
    [[nodiscard]] std::optional<Launch> launch_at(std::size_t at, std::size_t from) const {
        if (mask_[at] != '<') return std::nullopt;
        const std::optional<std::size_t> open = after_three(at, '<');
        if (!open || closings_[*open] == kNone) return std::nullopt;
        const std::optional<std::size_t> kernel = kernel_before(at, from);
        if (!kernel) return std::nullopt;
        const std::size_t close = closings_[*open];
        return Launch{*kernel, back_over_space(at), *open, close, *after_three(close, '>')};
    }
    [[nodiscard]] std::size_t back_over_space(std::size_t at) const {
        const auto continues = [this](std::size_t i) {
            return mask_[i] == '\\' && i + 1 < mask_.size() && mask_[i + 1] == '\n';
        };
        while (at > 0 && (is_space(mask_[at - 1]) || continues(at - 1))) --at;
        return at;
    }
    // Where the template arguments that end before `at` begin.
    [[nodiscard]] std::optional<std::size_t> template_opening(std::size_t at) const {
        const std::size_t first = at - std::min(at, kMostTemplateCharacters);
        int depth = 0;
        while (at > first) {
            const char c = mask_[--at];
            if (c == ')' || c == ']') {
                at = brackets_.opening(at);
                if (at == std::string::npos) return std::nullopt;
            }
            if (c == '>') ++depth;
            if (c == '<' && --depth == 0) return at;
            if (c == ';' || c == '{' || c == '}' || c == '(' || c == '[') return std::nullopt;
        }
        return std::nullopt;
    }
    // Where the bracket before `at` opens.
    [[nodiscard]] std::optional<std::size_t> opening(std::size_t at, char bracket) const {
        const std::size_t open = brackets_.opening(at - 1);
        return open != std::string::npos && mask_[open] == bracket ? std::optional(open)
                                                                   : std::nullopt;
    }
    // The beginning of the expression that ends before `at`: ns::kernel<T, 16>, (*kernel),
    // table[i].
    [[nodiscard]] std::optional<std::size_t> kernel_before(std::size_t at, std::size_t from) const {
        std::size_t begin = back_over_space(at);
        if (begin > 0 && mask_[begin - 1] == '>') {
            const std::optional<std::size_t> open = template_opening(begin);
            if (!open) return std::nullopt;
            begin = back_over_space(*open);
        }
        while (begin >= from) {
            if (begin > 0 && mask_[begin - 1] == ']') {
                const std::optional<std::size_t> open = opening(begin, '[');
                if (!open) return std::nullopt;
                begin = *open;
            } else if (begin > 0 && mask_[begin - 1] == ')') {
                const std::optional<std::size_t> open = opening(begin, '(');
                if (!open) return std::nullopt;
                begin = *open;
                break;
            }
            const std::size_t end = begin;
            while (begin > 0 && is_word(mask_[begin - 1])) --begin;
            if (begin == end) return std::nullopt;
            if (begin >= 2 && mask_[begin - 1] == ':' && mask_[begin - 2] == ':') {
                begin -= 2;
                if (begin > 0 && mask_[begin - 1] == '>') {
                    const std::optional<std::size_t> open = template_opening(begin);
                    if (!open) return std::nullopt;
                    begin = *open;
                }
                if (begin == 0 || !is_word(mask_[begin - 1])) break;
            } else if (begin >= 1 && mask_[begin - 1] == '.') {
                --begin;
            } else if (begin >= 2 && mask_[begin - 1] == '>' && mask_[begin - 2] == '-') {
                begin -= 2;
            } else {
                break;
            }
        }
        return begin < from ? std::nullopt : std::optional(begin);
    }

    std::string text_;
    std::string mask_;
    Brackets brackets_;
    std::vector<std::uint32_t> closings_;  // where a configuration ends that contains the place
};

}  // namespace

std::string masked_text(std::string_view text) { return Mask(text).run(); }

std::string comments_of(std::string_view text) {
    Mask mask(text);
    mask.run();
    return mask.comments();
}

std::string rewrite_launches(std::string_view text, const SpecifierMacros& macros) {
    return Rewriter(rewrite_words(text, masked_text(text), macros)).run();
}

}  // namespace tilereel::program
