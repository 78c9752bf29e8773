#include "instrumentation/analysis/source/index_expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>

namespace tilereel {
namespace {

constexpr std::string_view kAllowedNames =
    "tx, ty, tz, lane, warp, threadIdx.x and blockDim.x (and .y, .z)";
constexpr int kDeepest = 200;               // nested operands
constexpr std::size_t kMostLetters = 1000;  // of an expression

// A name, and the function that reads its value from a ThreadPlace.
struct Name {
    std::string_view word;
    std::int64_t (*value)(const ThreadPlace&);
};
constexpr std::array kNames = {
    Name{"tx", [](const ThreadPlace& at) { return at.thread[0]; }},
    Name{"ty", [](const ThreadPlace& at) { return at.thread[1]; }},
    Name{"tz", [](const ThreadPlace& at) { return at.thread[2]; }},
    Name{"threadIdx.x", [](const ThreadPlace& at) { return at.thread[0]; }},
    Name{"threadIdx.y", [](const ThreadPlace& at) { return at.thread[1]; }},
    Name{"threadIdx.z", [](const ThreadPlace& at) { return at.thread[2]; }},
    Name{"blockDim.x", [](const ThreadPlace& at) { return at.block[0]; }},
    Name{"blockDim.y", [](const ThreadPlace& at) { return at.block[1]; }},
    Name{"blockDim.z", [](const ThreadPlace& at) { return at.block[2]; }},
    Name{"lane", [](const ThreadPlace& at) { return at.lane; }},
    Name{"warp", [](const ThreadPlace& at) { return at.warp; }},
};

bool starts_name(char letter) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool continues_name(char letter) {
    return starts_name(letter) || letter == '.' ||
           std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

}  // namespace

// Precedence climbing, one level of C++'s operators after another.
class IndexParser {
  public:
    using Operator = IndexExpression::Operator;
    explicit IndexParser(std::string_view text) : text_(text) {}

    Result<IndexExpression> parse() {
        if (text_.size() > kMostLetters)
            return wrong_call("the expression is longer than 1,000 letters; use a shorter one");
        const std::uint32_t root = choice();
        skip_spaces();
        if (!error_ && at_ < text_.size()) complain("an operator or the end");
        if (error_) return *error_;
        expression_.root_ = root;
        return std::move(expression_);
    }

    // After parse(): the byte that it stopped at.
    [[nodiscard]] std::size_t at() const { return at_; }

  private:
    struct Binary {
        std::string_view sign;
        Operator op;
    };
    // From the lowest precedence to the highest. In a level, longer operators come first.
    static constexpr std::array<std::array<Binary, 4>, 10> kLevels = {{
        {{{"||", Operator::kLogicalOr}}},
        {{{"&&", Operator::kLogicalAnd}}},
        {{{"|", Operator::kBitOr}}},
        {{{"^", Operator::kBitXor}}},
        {{{"&", Operator::kBitAnd}}},
        {{{"==", Operator::kEqual}, {"!=", Operator::kUnequal}}},
        {{{"<=", Operator::kLessOrEqual},
          {">=", Operator::kGreaterOrEqual},
          {"<", Operator::kLess},
          {">", Operator::kGreater}}},
        {{{"<<", Operator::kShiftLeft}, {">>", Operator::kShiftRight}}},
        {{{"+", Operator::kAdd}, {"-", Operator::kSubtract}}},
        {{{"*", Operator::kMultiply}, {"/", Operator::kDivide}, {"%", Operator::kRemainder}}},
    }};

    std::uint32_t add(Operator op, std::int64_t number,
                      std::array<std::uint32_t, 3> operands = {}) {
        expression_.nodes_.push_back({op, number, operands});
        return static_cast<std::uint32_t>(expression_.nodes_.size() - 1);
    }

    void skip_spaces() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }

    void complain(const std::string& wanted) {
        if (error_) return;
        skip_spaces();
        const std::string found =
            at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "' stands there" : "it ends";
        error_ = wrong_call("letter " + std::to_string(at_ + 1) + " of the expression: " + wanted +
                            " is missing, " + found);
    }

    // Takes the operator if it is next in the text and not the beginning of a longer one.
    bool take(std::string_view sign) {
        if (error_) return false;
        skip_spaces();
        if (!text_.substr(at_).starts_with(sign)) return false;
        const char next = at_ + sign.size() < text_.size() ? text_[at_ + sign.size()] : '\0';
        const char last = sign.back();
        if (sign.size() == 1 && (last == '<' || last == '>' || last == '&' || last == '|') &&
            next == last)
            return false;
        if (sign == "!" && next == '=') return false;
        at_ += sign.size();
        return true;
    }

    std::uint32_t choice() {
        if (++depth_ > kDeepest && !error_)
            error_ = wrong_call("the expression is nested too deeply; use fewer parentheses");
        if (error_) return 0;
        const std::uint32_t condition = level(0);
        std::uint32_t result = condition;
        if (take("?")) {
            const std::uint32_t yes = choice();
            if (!take(":")) complain("':'");
            const std::uint32_t no = error_ ? 0 : choice();
            result = add(Operator::kConditional, 0, {condition, yes, no});
        }
        --depth_;
        return result;
    }

    std::uint32_t level(std::size_t strength) {
        if (strength == kLevels.size()) return unary();
        std::uint32_t left = level(strength + 1);
        for (bool more = true; more && !error_;) {
            more = false;
            for (const Binary& binary : kLevels[strength]) {
                if (binary.sign.empty() || !take(binary.sign)) continue;
                const std::uint32_t right = level(strength + 1);
                left = add(binary.op, 0, {left, right, 0});
                more = true;
                break;
            }
        }
        return left;
    }

    std::uint32_t unary() {
        if (++depth_ > kDeepest && !error_)
            error_ = wrong_call("the expression is nested too deeply; use fewer signs");
        std::uint32_t result = 0;
        if (error_) return result;
        if (take("-"))
            result = add(Operator::kNegate, 0, {unary(), 0, 0});
        else if (take("~"))
            result = add(Operator::kComplement, 0, {unary(), 0, 0});
        else if (take("!"))
            result = add(Operator::kNot, 0, {unary(), 0, 0});
        else if (take("+"))
            result = unary();
        else
            result = operand();
        --depth_;
        return result;
    }

    std::uint32_t operand() {
        skip_spaces();
        if (take("(")) {
            const std::uint32_t inner = choice();
            if (!error_ && !take(")")) complain("')'");
            return inner;
        }
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)
            return number();
        if (at_ < text_.size() && starts_name(text_[at_])) return name();
        complain("a number, a name or '('");
        return 0;
    }

    std::uint32_t number() {
        const bool hexadecimal = text_.substr(at_).starts_with("0x");
        const char* const begin = text_.data() + at_ + (hexadecimal ? 2 : 0);
        const char* const end = text_.data() + text_.size();
        std::int64_t value = 0;
        const auto [stop, problem] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
        if (problem != std::errc()) {
            complain("a whole number of at most 63 bits");
            return 0;
        }
        at_ = static_cast<std::size_t>(stop - text_.data());
        while (at_ < text_.size() &&
               (text_[at_] == 'u' || text_[at_] == 'U' || text_[at_] == 'l' || text_[at_] == 'L'))
            ++at_;  // 32u
        if (at_ < text_.size() && continues_name(text_[at_])) complain("an operator");
        return add(Operator::kNumber, value);
    }

    std::uint32_t name() {
        std::size_t end = at_;
        while (end < text_.size() && continues_name(text_[end])) ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        const auto found = std::ranges::find(kNames, word, &Name::word);
        if (found == kNames.end()) {
            if (!error_)
                error_ =
                    wrong_call("letter " + std::to_string(at_ + 1) + " of the expression: '" +
                               std::string(word) + "' is no name that the expression knows; use " +
                               std::string(kAllowedNames) + ", and write constants as numbers");
            return 0;
        }
        at_ = end;
        return add(Operator::kName, found - kNames.begin());
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    IndexExpression expression_;
    std::optional<Error> error_;
};

Result<IndexExpression> IndexExpression::parse(std::string_view text, std::size_t* wrong_at) {
    IndexParser parser(text);
    Result<IndexExpression> parsed = parser.parse();
    if (!parsed && wrong_at != nullptr) *wrong_at = parser.at();
    return parsed;
}

Result<std::int64_t> IndexExpression::value(const ThreadPlace& place) const {
    return value_of(root_, place);
}

namespace {

Error leaves_64_bits() { return wrong_call("a value of the expression does not fit 64 bits"); }

}  // namespace

Result<std::int64_t> IndexExpression::value_of(std::uint32_t number,
                                               const ThreadPlace& place) const {
    const Node& node = nodes_[number];
    if (node.op == Operator::kNumber) return node.number;
    if (node.op == Operator::kName)
        return kNames[static_cast<std::size_t>(node.number)].value(place);
    const Result<std::int64_t> first = value_of(node.operands[0], place);
    if (!first) return first;
    switch (node.op) {  // operators that need not evaluate operand 1
        case Operator::kNegate:
            return apply(Operator::kSubtract, 0, *first);
        case Operator::kNot:
            return std::int64_t{*first == 0};
        case Operator::kComplement:
            return ~*first;
        case Operator::kConditional:
            return value_of(node.operands[*first != 0 ? 1 : 2], place);
        case Operator::kLogicalAnd:
            if (*first == 0) return std::int64_t{0};
            break;
        case Operator::kLogicalOr:
            if (*first != 0) return std::int64_t{1};
            break;
        default:
            break;
    }
    const Result<std::int64_t> second = value_of(node.operands[1], place);
    if (!second) return second;
    return apply(node.op, *first, *second);
}

Result<std::int64_t> IndexExpression::apply(Operator op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
        case Operator::kAdd:
            return __builtin_add_overflow(a, b, &result) ? leaves_64_bits() : Result(result);
        case Operator::kSubtract:
            return __builtin_sub_overflow(a, b, &result) ? leaves_64_bits() : Result(result);
        case Operator::kMultiply:
            return __builtin_mul_overflow(a, b, &result) ? leaves_64_bits() : Result(result);
        case Operator::kDivide:
            if (b == 0) return wrong_call("the expression divides by 0");
            return b == -1 ? apply(Operator::kSubtract, 0, a) : Result(a / b);
        case Operator::kRemainder:
            if (b == 0) return wrong_call("the expression divides by 0");
            return b == -1 ? 0 : a % b;
        case Operator::kShiftLeft:
        case Operator::kShiftRight:
            if (b < 0 || b > 62)
                return wrong_call("the expression shifts by " + std::to_string(b) +
                                  " bits; use 0 to 62");
            return op == Operator::kShiftRight
                       ? Result(a >> b)
                       : apply(Operator::kMultiply, a, std::int64_t{1} << b);
        case Operator::kLess:
            return std::int64_t{a < b};
        case Operator::kLessOrEqual:
            return std::int64_t{a <= b};
        case Operator::kGreater:
            return std::int64_t{a > b};
        case Operator::kGreaterOrEqual:
            return std::int64_t{a >= b};
        case Operator::kEqual:
            return std::int64_t{a == b};
        case Operator::kUnequal:
            return std::int64_t{a != b};
        case Operator::kBitAnd:
            return a & b;
        case Operator::kBitXor:
            return a ^ b;
        case Operator::kBitOr:
            return a | b;
        default:  // kLogicalAnd, kLogicalOr: operand 0 has not decided
            return std::int64_t{b != 0};
    }
}

}  // namespace tilereel
