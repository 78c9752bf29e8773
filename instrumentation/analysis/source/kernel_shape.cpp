#include "instrumentation/analysis/source/kernel_shape.h"

#include <algorithm>
#include <limits>

namespace tilereel {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Token {
    std::string_view text;  // a word, "&&", "||" or one character; empty at the end
    std::uint32_t line = 1;
};

// The words and signs of C++ text, without comments, literals and lines of the preprocessor.
class Tokens {
  public:
    explicit Tokens(std::string_view text) : text_(text) {}

    Token next() {
        skip_what_is_no_code();
        if (at_ >= text_.size()) return {{}, line_};
        std::size_t length = 1;
        if (is_word(text_[at_]))
            while (at_ + length < text_.size() && is_word(text_[at_ + length])) ++length;
        else if (starts("&&") || starts("||"))
            length = 2;
        const Token token{text_.substr(at_, length), line_};
        at_ += length;
        begins_line_ = false;
        return token;
    }

  private:
    [[nodiscard]] bool starts(std::string_view with) const {
        return text_.substr(at_).starts_with(with);
    }
    void step() {
        if (text_[at_] == '\n') {
            ++line_;
            begins_line_ = true;
        }
        ++at_;
    }
    void skip_to(std::string_view end) {
        while (at_ < text_.size() && !starts(end)) step();
    }
    void skip_preprocessor() {
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
            step();
        }
    }
    void skip_literal() {
        const char quote = text_[at_];
        step();
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
            step();
        }
        if (at_ < text_.size()) step();
        begins_line_ = false;
    }
    void skip_what_is_no_code() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool digit_before = at_ > 0 && is_word(text_[at_ - 1]);  // 1'000
            if (starts("//")) {
                skip_to("\n");
            } else if (starts("/*")) {
                skip_to("*/");
                at_ = std::min(at_ + 2, text_.size());
            } else if (c == '#' && begins_line_) {
                skip_preprocessor();
            } else if (c == '"' || (c == '\'' && !digit_before)) {
                skip_literal();
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\'') {
                step();
            } else {
                return;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    bool begins_line_ = true;
};

// Reads the body of a function, from behind its `{` to its `}`.
class BodyReader {
  public:
    BodyReader(Tokens& tokens, std::uint32_t line, KernelShape& shape)
        : tokens_(tokens), shape_(shape) {
        shape_.first_line = line;
        note(line);
    }

    // Whether the body ends.
    bool read() {
        for (Token token = tokens_.next(); !token.text.empty(); token = tokens_.next()) {
            if (token.text == "}" && parentheses_ == 0 && scopes_.empty()) {
                note(token.line);
                shape_.last_line = token.line;
                return true;
            }
            add(token);
        }
        return false;
    }

  private:
    // What a statement stands in: a block, or a branch or loop with braces or without.
    struct Scope {
        bool control = false, branch = false, braces = false;
    };

    void note(std::uint32_t line, bool head = false, bool branch = false) {
        const std::size_t index = line - shape_.first_line;
        if (index >= shape_.depth.size()) {
            shape_.depth.resize(index + 1);
            shape_.branches.resize(index + 1);
        }
        const std::size_t depth = controls_ + (head ? 1 : 0);
        constexpr std::size_t kMost = std::numeric_limits<std::uint8_t>::max();
        shape_.depth[index] =
            std::max(shape_.depth[index], static_cast<std::uint8_t>(std::min(depth, kMost)));
        if (branch || branches_ > 0) shape_.branches[index] = true;
    }

    void push(const Scope& scope) {
        scopes_.push_back(scope);
        controls_ += scope.control;
        branches_ += scope.branch;
    }
    void pop() {
        controls_ -= scopes_.back().control;
        branches_ -= scopes_.back().branch;
        scopes_.pop_back();
    }
    void end_statement() {
        while (!scopes_.empty() && !scopes_.back().braces) pop();
    }

    void add(const Token& token) {
        const std::string_view text = token.text;
        if (text == "(") ++parentheses_;
        if (text == ")" && parentheses_ > 0) {
            if (--parentheses_ == 0 && head_) {
                note(token.line, true);
                push({.control = true, .branch = head_branches_});
                head_ = false;
                fresh_ = true;
                return;
            }
        }
        if (parentheses_ > 0 || text == ")")
            return note(token.line, head_, text == "?" || text == "&&" || text == "||");
        if (text == "{") return open();
        if (text == "}") return close();
        if (text == ";") {
            note(token.line);
            end_statement();
        } else if (text == "if" || text == "switch" || text == "for" || text == "while") {
            head_ = true;
            head_branches_ = text == "if" || text == "switch";
            note(token.line, true);
        } else if (text == "else" || text == "do") {
            push({.control = true, .branch = text == "else"});
            note(token.line);
            fresh_ = true;
            return;
        } else {
            if (text == "return") shape_.returns.push_back(token.line);
            note(token.line, head_, text == "?" || text == "&&" || text == "||");
        }
        fresh_ = false;
    }
    // `fresh_`: the last scope has just begun, so the brace is its own.
    void open() {
        if (fresh_ && !scopes_.empty())
            scopes_.back().braces = true;
        else
            push({.braces = true});
        fresh_ = false;
    }
    void close() {
        end_statement();
        if (!scopes_.empty()) {
            const bool control = scopes_.back().control;
            pop();
            if (control) end_statement();
        }
        fresh_ = false;
    }

    Tokens& tokens_;
    KernelShape& shape_;
    std::vector<Scope> scopes_;
    std::size_t controls_ = 0, branches_ = 0;  // in scopes_
    std::size_t parentheses_ = 0;
    bool head_ = false, head_branches_ = false;  // between `if` and its `)`
    bool fresh_ = false;
};

// Whether the tokens behind a function's name are its parameters and the `{` of its body. Reads up
// to that brace, or to what cannot stand there. `budget`: the number of tokens that may be read.
bool read_to_body(Tokens& tokens, Token& token, std::size_t& budget) {
    std::size_t depth = 0;
    bool closed = false;
    for (token = tokens.next(); !token.text.empty() && budget > 0; token = tokens.next()) {
        --budget;
        if (token.text == "(" && !closed) {
            ++depth;
        } else if (token.text == ")" && depth > 0) {
            closed = --depth == 0;
        } else if (depth == 0) {
            return closed && token.text == "{";
        }
    }
    return false;
}

}  // namespace

bool KernelShape::returns_between(std::uint32_t first, std::uint32_t last) const {
    const auto found = std::ranges::lower_bound(returns, first);
    return found != returns.end() && *found < last;
}

KernelShape kernel_shape(std::string_view source, std::string_view kernel) {
    kernel = kernel.substr(0, kernel.find('<'));
    if (const std::size_t scope = kernel.rfind("::"); scope != std::string_view::npos)
        kernel.remove_prefix(scope + 2);
    KernelShape only;                // of the last function behind a `__global__`
    std::uint32_t kernels = 0;       // such functions
    bool global = false;             // since the last body there was a `__global__`
    std::size_t budget = 1'000'000;  // a text can name the kernel any number of times
    Tokens tokens(source);
    for (Token token = tokens.next(); !token.text.empty(); token = tokens.next()) {
        global |= token.text == "__global__";
        const bool named = token.text == kernel;
        if (!named && (!global || !is_word(token.text.front()))) continue;
        Tokens behind = tokens;
        Token brace;
        if (!read_to_body(behind, brace, budget)) continue;
        KernelShape shape;
        if (!BodyReader(behind, brace.line, shape).read()) return {};
        if (named) return shape;
        only = std::move(shape);
        ++kernels;
        global = false;
        tokens = behind;
    }
    return kernels == 1 ? only : KernelShape{};
}

}  // namespace tilereel
