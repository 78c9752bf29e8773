#include "instrumentation/analysis/source/pattern_index.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

namespace tilereel {
namespace {

constexpr int kMostSwizzleBits = 16, kMostSwizzleBase = 24;

// The part of a text before the layout: "Swizzle<3,3,3> o ", "Sw<3,3,3> o _0 o ".
struct SwizzlePrefix {
    CuteSwizzle swizzle;
    std::int64_t added = 0;
    std::size_t end = 0;  // byte of the text
};

class PrefixParser {
  public:
    explicit PrefixParser(std::string_view text) : text_(text) {}

    std::optional<SwizzlePrefix> parse() {
        SwizzlePrefix prefix;
        if (!take("Swizzle<") && !take("Sw<")) return prefix;
        std::array<std::int64_t, 3> numbers{};
        const std::size_t first = at_;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (i > 0 && !take(",")) return complain("','");
            if (!number(numbers[i])) return complain("a number of Swizzle<B,M,S>");
        }
        if (!take(">")) return complain("'>'");
        const auto [bits, base, shift] = numbers;
        if (bits < 0 || bits > kMostSwizzleBits || base < 0 || base > kMostSwizzleBase ||
            std::abs(shift) > kMostSwizzleBase)
            return fail(first, "Swizzle<B,M,S> takes B from 0 to 16, M and S up to 24");
        if (std::abs(shift) < bits)
            return fail(first,
                        "in Swizzle<B,M,S> S is at least B, or -S is; else a bit would be "
                        "XORed with itself");
        prefix.swizzle = {static_cast<int>(bits), static_cast<int>(base), static_cast<int>(shift)};
        if (!take("o")) return complain("'o' and a layout or an index");
        const std::size_t before = at_;
        if (!number(prefix.added) || prefix.added < 0 || !take("o")) {
            at_ = before;
            prefix.added = 0;
        }
        skip_spaces();
        prefix.end = at_;
        return prefix;
    }
    [[nodiscard]] Error error() const { return wrong_call(error_); }
    [[nodiscard]] std::size_t at() const { return at_; }

  private:
    void skip_spaces() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    bool take(std::string_view sign) {
        skip_spaces();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    bool number(std::int64_t& value) {
        skip_spaces();
        std::size_t at = at_;
        if (at < text_.size() && text_[at] == '_') ++at;
        const char* const begin = text_.data() + at;
        const auto [stop, problem] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (problem != std::errc()) return false;
        at_ = static_cast<std::size_t>(stop - text_.data());
        return true;
    }
    std::nullopt_t complain(const std::string& wanted) {
        skip_spaces();
        const std::string found =
            at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "' stands there" : "it ends";
        return fail(at_, wanted + " is missing, " + found);
    }
    std::nullopt_t fail(std::size_t at, const std::string& words) {
        at_ = at;
        error_ = "letter " + std::to_string(at + 1) + " of the expression: " + words;
        return std::nullopt;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string error_;
};

}  // namespace

class PatternIndexParser {
  public:
    static Result<PatternIndex> parse(std::string_view text, std::size_t* wrong_at) {
        PrefixParser start(text);
        const auto prefix = start.parse();
        if (!prefix) {
            if (wrong_at != nullptr) *wrong_at = start.at();
            return start.error();
        }
        PatternIndex index;
        index.swizzle_ = prefix->swizzle;
        index.added_ = prefix->added;
        // Spaces in place of the prefix: the letters of an error count from the text's first one.
        const std::string rest =
            std::string(prefix->end, ' ') + std::string(text.substr(prefix->end));
        if (looks_like_layout(rest)) {
            CuteLayout layout = TRY(CuteLayout::parse(rest, wrong_at));
            index.mapping_ = std::move(layout);
        } else {
            IndexExpression expression = TRY(IndexExpression::parse(rest, wrong_at));
            index.mapping_ = std::move(expression);
        }
        return index;
    }
};

Result<PatternIndex> PatternIndex::parse(std::string_view text, std::size_t* wrong_at) {
    return PatternIndexParser::parse(text, wrong_at);
}

PatternIndex PatternIndex::without_swizzle() const {
    PatternIndex plain = *this;
    plain.swizzle_ = {};
    return plain;
}

std::string with_swizzle(std::string_view text, const CuteSwizzle& swizzle) {
    PrefixParser start(text);
    const auto prefix = start.parse();
    const std::string mapping(text.substr(prefix ? prefix->end : 0));
    if (swizzle.bits == 0) return mapping;
    const std::string added =
        prefix && prefix->added > 0 ? std::to_string(prefix->added) + " o " : "";
    return swizzle_text(swizzle) + " o " + added + mapping;
}

}  // namespace tilereel
