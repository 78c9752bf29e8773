#include "instrumentation/cuda/text/brackets.h"

#include <limits>

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
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

namespace {

// What has been seen since the last bracket that is open.
struct Level {
    std::size_t else_ifs = 0;      // in a chain
    std::size_t heads = 0;         // `if`, `for`, `while` and `switch` of one statement
    std::size_t conditionals = 0;  // `?` of one expression
};

bool begins_statement(std::string_view word) {
    return word == "if" || word == "for" || word == "while" || word == "switch";
}

class NestingReader {
  public:
    explicit NestingReader(std::string_view masked) : text_(masked) {}

    std::optional<DeepNesting> run() {
        for (at_ = 0; at_ < text_.size() && !found_;) {
            const std::string_view word = word_at(text_, at_);
            if (word.empty())
                see(text_[at_]);
            else
                see(word);
            at_ += std::max(word.size(), std::size_t{1});
        }
        return found_;
    }

  private:
    void refuse_beyond(std::size_t count, std::size_t most, DeepNesting::Of of) {
        if (count > most && !found_) found_ = DeepNesting{at_, of};
    }
    void see(std::string_view word) {
        Level& level = levels_.back();
        if (word == "if" && !in_directive_) {
            level.else_ifs = behind_else_ ? level.else_ifs + 1 : 0;
            refuse_beyond(level.else_ifs, kMostElseIfs, DeepNesting::Of::kElseIfs);
        }
        if (begins_statement(word) && !in_directive_ && !behind_else_)
            refuse_beyond(++level.heads, kMostHeads, DeepNesting::Of::kHeads);
        behind_else_ = word == "else" && !in_directive_;
    }
    void see(char c) {
        if (c == '#') in_directive_ = true;
        if (c == '\n' && text_[at_ - (at_ > 0 ? 1 : 0)] != '\\') in_directive_ = false;
        if (c == '?' && !in_directive_)
            refuse_beyond(++levels_.back().conditionals, kMostConditionals,
                          DeepNesting::Of::kConditionals);
        if (c == ',' || c == ';') levels_.back().conditionals = 0;
        if (c == ';') levels_.back().heads = 0;
        if (opens(c)) {
            refuse_beyond(levels_.size(), kMostBrackets, DeepNesting::Of::kBrackets);
            levels_.emplace_back();
        } else if (closes(c) && levels_.size() > 1) {
            levels_.pop_back();
            if (c == '}') levels_.back().heads = levels_.back().conditionals = 0;
        }
        if (!is_space(c)) behind_else_ = false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<Level> levels_{1};  // of each open bracket
    bool behind_else_ = false, in_directive_ = false;
    std::optional<DeepNesting> found_;
};

}  // namespace

std::optional<DeepNesting> find_deep_nesting(std::string_view masked) {
    return NestingReader(masked).run();
}

std::string deep_nesting_sentence(const DeepNesting& nesting) {
    constexpr const char* kTooLong = ": g++ needs too long for them; write ";
    switch (nesting.of) {
        case DeepNesting::Of::kElseIfs:
            return std::string("more than 2,000 `else if` follow each other") + kTooLong +
                   "a switch or a table";
        case DeepNesting::Of::kHeads:
            return std::string("more than 250 `if`, `for`, `while` or `switch` are nested") +
                   kTooLong + "functions";
        case DeepNesting::Of::kConditionals:
            return std::string("more than 1,000 `?` are in one expression") + kTooLong +
                   "a switch or a table";
        case DeepNesting::Of::kBrackets:
            break;
    }
    return std::string("more than 1,000 brackets are open") + kTooLong +
           "shorter expressions and blocks";
}

}  // namespace tilereel::program
