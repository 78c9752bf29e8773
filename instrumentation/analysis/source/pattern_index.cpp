#include "instrumentation/analysis/source/pattern_index.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "instrumentation/analysis/source/text_cursor.h"

namespace tilereel {
namespace {

constexpr int kMostSwizzleBits = 16, kMostSwizzleBase = 24;

// The part of a text before the layout: "Swizzle<3,3,3> o ", "Sw<3,3,3> o _0 o ".
struct SwizzlePrefix {
    CuteSwizzle swizzle;
    std::int64_t added = 0;
    std::size_t end = 0;  // byte of the text
};

class PrefixParser : public TextCursor {
  public:
    using TextCursor::TextCursor;

    std::optional<SwizzlePrefix> parse() {
        SwizzlePrefix prefix;
        if (!take("Swizzle<") && !take("Sw<")) return prefix;
        std::array<std::int64_t, 3> numbers{};
        const std::size_t first = at();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (i > 0 && !take(",")) return complain("','");
            if (!take_number(numbers[i])) return complain("a number of Swizzle<B,M,S>");
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
        const std::size_t before = at();
        if (!take_number(prefix.added) || prefix.added < 0 || !take("o")) {
            go_to(before);
            prefix.added = 0;
        }
        skip_spaces();
        prefix.end = at();
        return prefix;
    }

  private:
    bool take_number(std::int64_t& value) {
        const Number found = number();
        value = found.value;
        return found.error == std::errc();
    }
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
