#include "instrumentation/analysis/source/kernel_shape.h"

#include <algorithm>
#include <limits>

#include "instrumentation/analysis/source/code_tokens.h"

namespace tilereel {
namespace {

// Reads the body of a function, from behind its `{` to its `}`.
class BodyReader {
  public:
    BodyReader(CodeTokens& tokens, std::uint32_t line, KernelShape& shape)
        : tokens_(tokens), shape_(shape) {
        shape_.first_line = line;
        note(line);
    }

    // Whether the body ends.
    bool read() {
        for (CodeToken token = tokens_.next(); !token.text.empty(); token = tokens_.next()) {
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

    void add(const CodeToken& token) {
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

    CodeTokens& tokens_;
    KernelShape& shape_;
    std::vector<Scope> scopes_;
    std::size_t controls_ = 0, branches_ = 0;  // in scopes_
    std::size_t parentheses_ = 0;
    bool head_ = false, head_branches_ = false;  // between `if` and its `)`
    bool fresh_ = false;
};

// Whether the tokens behind a function's name are its parameters and the `{` of its body. Reads up
// to that brace, or to what cannot stand there. `budget`: the number of tokens that may be read.
bool read_to_body(CodeTokens& tokens, CodeToken& token, std::size_t& budget) {
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
    CodeTokens tokens(source);
    for (CodeToken token = tokens.next(); !token.text.empty(); token = tokens.next()) {
        global |= token.text == "__global__";
        const bool named = token.text == kernel;
        if (!named && (!global || !CodeTokens::is_word(token.text.front()))) continue;
        CodeTokens behind = tokens;
        CodeToken brace;
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
