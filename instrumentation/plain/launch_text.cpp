#include "instrumentation/plain/launch_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "instrumentation/plain/device_words.h"
#include "instrumentation/plain/text_words.h"

namespace tilereel::plain {
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
    [[nodiscard]] bool is_digit_separator() const {
        return at_ > 0 && at_ + 1 < text_.size() && std::isxdigit(text_[at_ - 1]) != 0 &&
               std::isxdigit(text_[at_ + 1]) != 0 && inside_number();
    }
    [[nodiscard]] bool inside_number() const {
        std::size_t begin = at_;
        while (begin > 0 && (is_word(text_[begin - 1]) || text_[begin - 1] == '\'')) --begin;
        return std::isdigit(static_cast<unsigned char>(text_[begin])) != 0;
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
        if (at_ > 0 && text_[at_ - 1] == 'R') {
            const std::size_t open = text_.find('(', at_);
            if (open == std::string_view::npos) return blank_to(text_.size());
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
};

class Rewriter {
  public:
    explicit Rewriter(std::string text) : text_(std::move(text)), mask_(Mask(text_).run()) {}

    std::string run() {
        std::string out;
        std::size_t kept = 0;
        for (std::size_t at = 0; at < mask_.size();) {
            const std::optional<Launch> launch = launch_at(at, kept);
            if (launch) {
                out.append(text_, kept, launch->kernel - kept);
                out += "TILEREEL_LAUNCH(";
                out.append(text_, launch->kernel, launch->kernel_end - launch->kernel);
                out += ')';
                keep_lines(out, launch->kernel_end, launch->configuration);
                out += ", ";
                out.append(original(launch->configuration, launch->configuration_end));
                out += ')';
                keep_lines(out, launch->configuration_end, launch->end);
                kept = at = launch->end;
            } else if (is_dynamic_shared(at)) {
                out.append(text_, kept, at - kept);
                out += "__dynamic_";
                kept = at = at + kShared.size();
            } else {
                ++at;
            }
        }
        return out.append(text_, kept);
    }

  private:
    static constexpr std::string_view kShared = "__shared__";
    struct Launch {
        std::size_t kernel, kernel_end;                // its name and template arguments
        std::size_t configuration, configuration_end;  // between the angle brackets
        std::size_t end;                               // after the closing ones
    };
    [[nodiscard]] std::string original(std::size_t from, std::size_t to) const {
        return text_.substr(from, to - from);
    }
    void keep_lines(std::string& out, std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (text_[i] != '\n') continue;
            if (i > 0 && text_[i - 1] == '\\') out += '\\';
            out += '\n';
        }
    }
    [[nodiscard]] std::size_t skip_space(std::size_t at) const {
        while (at < mask_.size() &&
               (std::isspace(static_cast<unsigned char>(mask_[at])) != 0 ||
                (mask_[at] == '\\' && at + 1 < mask_.size() && mask_[at + 1] == '\n')))
            ++at;
        return at;
    }
    // The position after three brackets, which spaces can separate.
    [[nodiscard]] std::optional<std::size_t> after_three(std::size_t at, char bracket) const {
        for (int i = 0; i < 3; ++i) {
            if (i > 0) at = skip_space(at);
            if (at >= mask_.size() || mask_[at] != bracket) return std::nullopt;
            ++at;
        }
        return at;
    }
    [[nodiscard]] std::optional<Launch> launch_at(std::size_t at, std::size_t from) const {
        if (mask_[at] != '<') return std::nullopt;
        const std::optional<std::size_t> open = after_three(at, '<');
        if (!open) return std::nullopt;
        const std::optional<std::size_t> kernel = kernel_before(at, from);
        if (!kernel) return std::nullopt;
        // The configuration ends at the first >>> outside of parentheses that is followed by (.
        int depth = 0;
        for (std::size_t i = *open; i < mask_.size(); ++i) {
            const char c = mask_[i];
            if (c == '(' || c == '[' || c == '{') ++depth;
            if (c == ')' || c == ']' || c == '}') --depth;
            if (depth < 0 || c == ';') return std::nullopt;
            if (depth != 0 || c != '>') continue;
            const std::optional<std::size_t> close = after_three(i, '>');
            if (!close) continue;
            const std::size_t arguments = skip_space(*close);
            if (arguments >= mask_.size() || mask_[arguments] != '(') continue;
            std::size_t kernel_end = at;
            while (kernel_end > *kernel &&
                   std::isspace(static_cast<unsigned char>(mask_[kernel_end - 1])) != 0)
                --kernel_end;
            return Launch{*kernel, kernel_end, *open, i, *close};
        }
        return std::nullopt;
    }
    [[nodiscard]] std::size_t back_over_space(std::size_t at) const {
        while (at > 0 && std::isspace(static_cast<unsigned char>(mask_[at - 1])) != 0) --at;
        return at;
    }
    // Where the bracket before `at` opens.
    [[nodiscard]] std::optional<std::size_t> opening(std::size_t at, char open, char close) const {
        int depth = 0, inner = 0;
        while (at > 0) {
            const char c = mask_[--at];
            if (c == ')' && close != ')') ++inner;
            if (c == '(' && close != ')') --inner;
            if (inner > 0) continue;
            if (c == close) ++depth;
            if (c == open && --depth == 0) return at;
            if (c == ';' || c == '{' || c == '}') return std::nullopt;
        }
        return std::nullopt;
    }
    // The beginning of the expression that ends before `at`: ns::kernel<T, 16>, (*kernel),
    // table[i].
    [[nodiscard]] std::optional<std::size_t> kernel_before(std::size_t at, std::size_t from) const {
        std::size_t begin = back_over_space(at);
        if (begin > 0 && mask_[begin - 1] == '>') {
            const std::optional<std::size_t> open = opening(begin, '<', '>');
            if (!open) return std::nullopt;
            begin = back_over_space(*open);
        }
        for (;;) {
            if (begin > 0 && mask_[begin - 1] == ']') {
                const std::optional<std::size_t> open = opening(begin, '[', ']');
                if (!open) return std::nullopt;
                begin = *open;
            } else if (begin > 0 && mask_[begin - 1] == ')') {
                const std::optional<std::size_t> open = opening(begin, '(', ')');
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
                    const std::optional<std::size_t> open = opening(begin, '<', '>');
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
    // Whether `at` is the __shared__ of an extern declaration.
    [[nodiscard]] bool is_dynamic_shared(std::size_t at) const {
        if (mask_.compare(at, kShared.size(), kShared) != 0) return false;
        if (at > 0 && is_word(mask_[at - 1])) return false;
        std::size_t begin = at;
        while (begin > 0 && mask_[begin - 1] != ';' && mask_[begin - 1] != '{' &&
               mask_[begin - 1] != '}')
            --begin;
        const std::string_view before = std::string_view(mask_).substr(begin, at - begin);
        const std::size_t word = before.rfind("extern");
        return word != std::string_view::npos && (word == 0 || !is_word(before[word - 1])) &&
               (word + 6 == before.size() || !is_word(before[word + 6]));
    }

    std::string text_;
    std::string mask_;
};

}  // namespace

std::string masked_text(std::string_view text) { return Mask(text).run(); }

std::string comments_of(std::string_view text) {
    Mask mask(text);
    mask.run();
    return mask.comments();
}

std::string rewrite_launches(std::string_view text) {
    return Rewriter(rewrite_words(text, masked_text(text))).run();
}

}  // namespace tilereel::plain
