#include "instrumentation/analysis/source/loop_steps.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "instrumentation/analysis/source/code_tokens.h"

namespace tilereel {
namespace {

class LoopReader {
  public:
    explicit LoopReader(std::string_view source) : tokens_(source) { advance(); }

    std::vector<Loop> read() {
        while (!token_.text.empty()) {
            if (at("}"))
                advance();  // of no block
            else
                statement();
        }
        return std::move(loops_);
    }

  private:
    using Words = std::vector<std::string_view>;

    void advance() {
        before_ = token_;
        token_ = tokens_.next();
    }
    [[nodiscard]] bool at(std::string_view text) const { return token_.text == text; }

    // One inside the other, each takes stack: of foreign text, a token is enough then.
    void statement() {
        if (nested_ >= kMostNested) return advance();
        ++nested_;
        begin_statement();
        --nested_;
    }
    void begin_statement() {
        if (at("for") || at("while")) return loop(at("for"));
        if (at("do")) return do_loop();
        if (at("{")) return block();
        if (at("if")) {
            advance();
            if (at("constexpr")) advance();
            parentheses();
            return statement();
        }
        if (at("else")) {
            advance();
            return statement();
        }
        other();
    }

    void block() {
        advance();
        while (!token_.text.empty() && !at("}")) statement();
        advance();
    }

    // To its semicolon, or to the end of the block that it begins: of a function, a struct.
    void other() {
        bool is_constant = false;
        for (int depth = 0; !token_.text.empty(); advance()) {
            if (at("(") || at("[")) ++depth;
            if (at(")") || at("]")) --depth;
            is_constant |= at("constexpr");
            if (is_constant && at("=")) constants_.insert(std::string(before_.text));
            if (depth > 0) continue;
            if (at("{")) return block();
            if (at("}")) return;
            if (at(";")) return advance();
        }
    }

    // The words and signs between parentheses, split at semicolons.
    std::vector<Words> parentheses() {
        std::vector<Words> clauses(1);
        if (!at("(")) return clauses;
        int depth = 0;
        for (; !token_.text.empty(); advance()) {
            if (at("(") && depth++ == 0) continue;
            if (at(")") && --depth == 0) break;
            if (at(";") && depth == 1)
                clauses.emplace_back();
            else
                clauses.back().push_back(token_.text);
        }
        advance();
        return clauses;
    }

    void loop(bool is_for) {
        const std::size_t number = loops_.size();
        loops_.push_back({.first_line = token_.line});
        advance();
        const std::vector<Words> clauses = parentheses();
        if (is_for && clauses.size() == 3) loops_[number].step = step_of(clauses);
        statement();
        loops_[number].last_line = before_.line;
    }
    void do_loop() {
        const std::size_t number = loops_.size();
        loops_.push_back({.first_line = token_.line});
        advance();
        statement();
        loops_[number].last_line = before_.line;
        other();
    }

    [[nodiscard]] LoopStep step_of(const std::vector<Words>& clauses) const {
        const auto counter =
            std::ranges::find_if(clauses[2], [](std::string_view word) { return is_name(word); });
        if (counter == clauses[2].end()) return LoopStep::kVariableStep;
        if (!is_known(clauses[2], *counter)) return LoopStep::kVariableStep;
        return is_known(clauses[0], *counter) && is_known(clauses[1], *counter)
                   ? LoopStep::kConstantTrips
                   : LoopStep::kConstantStep;
    }
    // Whether the compiler knows every value there but the loop's own counter.
    [[nodiscard]] bool is_known(const Words& words, std::string_view counter) const {
        return std::ranges::all_of(words, [&](std::string_view word) {
            return !is_name(word) || word == counter || is_type(word) || is_constant(word);
        });
    }
    static bool is_name(std::string_view word) {
        return CodeTokens::is_word(word[0]) &&
               std::isdigit(static_cast<unsigned char>(word[0])) == 0;
    }
    static bool is_type(std::string_view word) {
        for (const std::string_view type : {"int", "unsigned", "long", "short", "char", "size_t",
                                            "auto", "const", "std", "uint32_t", "int32_t"})
            if (word == type) return true;
        return false;
    }
    // By the text, or by how constants, macros and arguments of templates are written.
    [[nodiscard]] bool is_constant(std::string_view word) const {
        if (constants_.contains(std::string(word))) return true;
        const auto is_upper = [](char c) {
            return std::isupper(static_cast<unsigned char>(c)) != 0;
        };
        if (word.size() > 1 && word[0] == 'k' && is_upper(word[1])) return true;
        return word.size() > 1 && is_upper(word[0]) && std::ranges::none_of(word, [](char c) {
                   return std::islower(static_cast<unsigned char>(c)) != 0;
               });
    }

    static constexpr int kMostNested = 256;
    CodeTokens tokens_;
    CodeToken token_, before_;
    int nested_ = 0;
    std::vector<Loop> loops_;
    std::set<std::string> constants_;
};

}  // namespace

std::vector<Loop> loops_of(std::string_view source) { return LoopReader(source).read(); }

const Loop* loop_around(const std::vector<Loop>& loops, std::uint32_t line) {
    const Loop* innermost = nullptr;
    for (const Loop& loop : loops)
        if (loop.first_line <= line && line <= loop.last_line) innermost = &loop;
    return innermost;
}

}  // namespace tilereel
