#include "instrumentation/cuda/runtime/inline_ptx/inline_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace tilereel::runtime {
namespace {

struct TypeFacts {
    std::string_view word;
    PtxType type;
    std::uint32_t bytes;
};
constexpr std::array kTypes = std::to_array<TypeFacts>({
    {"pred", PtxType::kPredicate, 0}, {"b8", PtxType::kB8, 1},
    {"b16", PtxType::kB16, 2},        {"b32", PtxType::kB32, 4},
    {"b64", PtxType::kB64, 8},        {"b128", PtxType::kB128, 16},
    {"u8", PtxType::kU8, 1},          {"u16", PtxType::kU16, 2},
    {"u32", PtxType::kU32, 4},        {"u64", PtxType::kU64, 8},
    {"s8", PtxType::kS8, 1},          {"s16", PtxType::kS16, 2},
    {"s32", PtxType::kS32, 4},        {"s64", PtxType::kS64, 8},
    {"f16", PtxType::kF16, 2},        {"f16x2", PtxType::kF16x2, 4},
    {"bf16", PtxType::kBf16, 2},      {"bf16x2", PtxType::kBf16x2, 4},
    {"tf32", PtxType::kTf32, 4},      {"f32", PtxType::kF32, 4},
    {"f64", PtxType::kF64, 8},        {"f32x2", PtxType::kF32x2, 8},
    {"e4m3x2", PtxType::kE4m3x2, 2},  {"e5m2x2", PtxType::kE5m2x2, 2},
    {"u16x2", PtxType::kU16x2, 4},    {"s16x2", PtxType::kS16x2, 4},
});

enum class TokenKind : std::uint8_t { kWord, kNumber, kSign, kEnd };
struct Token {
    TokenKind kind = TokenKind::kEnd;
    std::string_view text;
    std::size_t at = 0;
};

bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
           c == '.';
}

// Splits the text. A word holds its dots and double colons: "ld.shared::cta.b32", "%tid.x".
Result<std::vector<Token>> split(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
        } else if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.substr(at, 2) == "/*") {
            const std::size_t end = text.find("*/", at + 2);
            if (end == std::string_view::npos) return failed("has a comment that does not end");
            at = end + 2;
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            const std::size_t begin = at;
            while (at < text.size() &&
                   (is_word_char(text[at]) ||
                    ((text[at] == '-' || text[at] == '+') &&
                     (text[at - 1] == 'e' || text[at - 1] == 'E') &&
                     text.substr(begin, at - begin).find_first_of(".") != std::string_view::npos)))
                ++at;
            tokens.push_back({TokenKind::kNumber, text.substr(begin, at - begin), begin});
        } else if (is_word_char(c)) {
            const std::size_t begin = at;
            while (at < text.size() && (is_word_char(text[at]) || text.substr(at, 2) == "::")) {
                // "%0" ends before anything that is no digit.
                if (text[begin] == '%' && at == begin + 1 &&
                    std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
                    while (at < text.size() &&
                           std::isdigit(static_cast<unsigned char>(text[at])) != 0)
                        ++at;
                    break;
                }
                at += text[at] == ':' ? 2 : 1;
            }
            tokens.push_back({TokenKind::kWord, text.substr(begin, at - begin), begin});
        } else {
            tokens.push_back({TokenKind::kSign, text.substr(at, 1), at});
            ++at;
        }
    }
    tokens.push_back({TokenKind::kEnd, {}, text.size()});
    return tokens;
}

// "mma.sync::x.f32" -> "mma", "sync::x", "f32"
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t dot = std::min(name.find('.', at), name.size());
        words.emplace_back(name.substr(at, dot - at));
        at = dot + 1;
    }
    return words;
}

class Reader {
  public:
    Reader(std::string_view text, std::string_view constraints)
        : text_(text), constraints_(constraints) {
        result_.slots = static_cast<std::uint32_t>(constraints.size());
        scopes_.emplace_back();
    }
    Result<PtxText> read() {
        tokens_ = TRY(split(text_));
        while (peek().kind != TokenKind::kEnd) TRY(statement());
        if (scopes_.size() != 1) return failed("has a { without its }");
        for (PtxInstruction& instruction : result_.instructions)
            for (PtxOperand& operand : instruction.operands) TRY(resolve_label(operand));
        return std::move(result_);
    }

  private:
    struct Register {
        std::uint32_t slot = 0;
        PtxType type = PtxType::kNone;
    };
    using Scope = std::map<std::string, Register, std::less<>>;

    const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
    }
    bool take(std::string_view sign) {
        if (peek().kind == TokenKind::kEnd || peek().text != sign) return false;
        ++next_;
        return true;
    }
    Status expect(std::string_view sign) {
        if (take(sign)) return Done{};
        const std::string found =
            peek().kind == TokenKind::kEnd ? "its end" : "\"" + std::string(peek().text) + "\"";
        return failed("has " + found + " where \"" + std::string(sign) + "\" should stand");
    }
    [[nodiscard]] const Register* find(std::string_view name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end()) return &found->second;
        return nullptr;
    }

    Status statement() {
        if (take(";")) return Done{};
        if (take("{")) {
            scopes_.emplace_back();
            return Done{};
        }
        if (take("}")) {
            if (scopes_.size() == 1) return failed("has a } without its {");
            scopes_.pop_back();
            return Done{};
        }
        if (peek().text == ".reg") return registers();
        if (peek().kind == TokenKind::kWord && peek(1).text == ":") {
            result_.labels[std::string(peek().text)] =
                static_cast<std::uint32_t>(result_.instructions.size());
            next_ += 2;
            return Done{};
        }
        if (peek().text.starts_with("."))
            return failed("declares a variable (" + std::string(peek().text) +
                          "), which Tilereel does not take in inline PTX: declare it in CUDA C++");
        return instruction();
    }

    // .reg .b32 a, b;  .reg .f32 r<4>;
    Status registers() {
        ++next_;
        PtxType type = PtxType::kNone;
        while (peek().text.starts_with(".")) {
            for (const std::string& word : words_of(peek().text.substr(1)))
                if (const PtxType found = ptx_type(word); found != PtxType::kNone) type = found;
            ++next_;
        }
        if (type == PtxType::kNone) return failed("declares a register without a type");
        do {
            if (peek().kind != TokenKind::kWord) return expect("a name");
            const std::string name(peek().text);
            ++next_;
            std::uint32_t count = 1;
            const bool is_range = take("<");
            if (is_range) {
                count = static_cast<std::uint32_t>(
                    std::strtoul(std::string(peek().text).c_str(), nullptr, 10));
                constexpr std::uint32_t kMost = 4096;
                if (peek().kind != TokenKind::kNumber || count == 0 || count > kMost)
                    return failed("declares registers " + name + "<...> in a number that is none");
                ++next_;
                TRY(expect(">"));
            }
            for (std::uint32_t i = 0; i < count; ++i)
                scopes_.back()[is_range ? name + std::to_string(i) : name] = {result_.slots++,
                                                                              type};
        } while (take(","));
        return expect(";");
    }

    Status instruction() {
        PtxInstruction made;
        const std::size_t begin = peek().at;
        if (take("@")) {
            made.guard_is_negated = take("!");
            const PtxOperand guard = TRY(primary());
            if (guard.kind != PtxOperandKind::kRegister)
                return failed("has a guard @ that is no register");
            made.guard = static_cast<std::int32_t>(guard.slot);
        }
        if (peek().kind != TokenKind::kWord || peek().text.starts_with("%"))
            return failed("has \"" + std::string(peek().text) +
                          "\" where an instruction should stand");
        made.words = words_of(peek().text);
        ++next_;
        while (peek().kind != TokenKind::kEnd && peek().text != ";" && peek().text != "}") {
            made.operands.push_back(TRY(operand()));
            if (!take(",") && peek().text != ";") break;
        }
        const std::size_t end = peek().at;
        std::string_view text = text_.substr(begin, end - begin);
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
            text.remove_suffix(1);
        // In one line, for messages.
        for (const char c : text)
            if (std::isspace(static_cast<unsigned char>(c)) == 0)
                made.text += c;
            else if (!made.text.empty() && made.text.back() != ' ')
                made.text += ' ';
        TRY(expect(";"));
        result_.instructions.push_back(std::move(made));
        return Done{};
    }

    Result<PtxOperand> operand() {
        if (peek().text == "{") return vector();
        if (peek().text == "[") return address();
        PtxOperand first = TRY(primary());
        if (!take("|")) return first;
        PtxOperand pair;
        pair.kind = PtxOperandKind::kPair;
        pair.parts.push_back(std::move(first));
        pair.parts.push_back(TRY(primary()));
        return pair;
    }
    Result<PtxOperand> vector() {
        PtxOperand made;
        made.kind = PtxOperandKind::kVector;
        TRY(expect("{"));
        while (peek().text != "}") {
            made.parts.push_back(TRY(operand()));
            if (!take(",")) break;
        }
        TRY(expect("}"));
        return made;
    }
    // [a], [a + 4], [map, {x, y}], [map, {x, y}, ...]
    Result<PtxOperand> address() {
        PtxOperand made;
        made.kind = PtxOperandKind::kAddress;
        TRY(expect("["));
        bool negative = false;
        do {
            PtxOperand term = TRY(primary());
            while (take("*")) {
                const PtxOperand factor = TRY(primary());
                if (term.kind != PtxOperandKind::kImmediate ||
                    factor.kind != PtxOperandKind::kImmediate)
                    return failed("multiplies in an address, which PTX cannot");
                term.bits *= factor.bits;
            }
            if (negative) term.is_negated = !term.is_negated;
            made.parts.push_back(std::move(term));
            negative = peek().text == "-";
        } while (take("+") || take("-"));
        made.terms = static_cast<std::uint32_t>(made.parts.size());
        while (take(",")) made.parts.push_back(TRY(operand()));
        TRY(expect("]"));
        return made;
    }
    Result<PtxOperand> primary() {
        PtxOperand made;
        if (take("!")) {
            made = TRY(primary());
            made.is_negated = !made.is_negated;
            return made;
        }
        if (take("-")) {
            made = TRY(primary());
            if (made.kind != PtxOperandKind::kImmediate)
                return failed("negates a register within an operand");
            if (made.is_float)
                made.bits ^= std::uint64_t{1} << 31;
            else if (made.is_double)
                made.bits ^= std::uint64_t{1} << 63;
            else
                made.bits = ~made.bits + 1;
            return made;
        }
        if (take("(")) {
            made = TRY(primary());
            TRY(expect(")"));
            return made;
        }
        const Token token = peek();
        if (token.kind == TokenKind::kEnd) return failed("ends within an instruction");
        ++next_;
        if (token.kind == TokenKind::kNumber) return number(token.text);
        if (token.kind == TokenKind::kSign)
            return failed("has \"" + std::string(token.text) + "\" where an operand should stand");
        if (token.text == "_") return made;
        if (token.text[0] == '%' && token.text.size() > 1 &&
            std::isdigit(static_cast<unsigned char>(token.text[1])) != 0) {
            made.kind = PtxOperandKind::kRegister;
            made.slot = static_cast<std::uint32_t>(
                std::strtoul(std::string(token.text.substr(1)).c_str(), nullptr, 10));
            if (made.slot >= constraints_.size())
                return failed("names the operand " + std::string(token.text) + ", but has " +
                              std::to_string(constraints_.size()));
            return made;
        }
        if (const Register* const known = find(token.text)) {
            made.kind = PtxOperandKind::kRegister;
            made.slot = known->slot;
            made.type = known->type;
            return made;
        }
        made.name = std::string(token.text);
        made.kind = token.text[0] == '%' ? PtxOperandKind::kSpecial : PtxOperandKind::kLabel;
        return made;
    }
    // PTX ISA, "Constants".
    static Result<PtxOperand> number(std::string_view text) {
        PtxOperand made;
        made.kind = PtxOperandKind::kImmediate;
        const std::string all(text);
        char* end = nullptr;
        if (all.size() == 10 && all[0] == '0' && (all[1] == 'f' || all[1] == 'F')) {
            made.is_float = true;
            made.bits = std::strtoull(all.c_str() + 2, &end, 16);
        } else if (all.size() == 18 && all[0] == '0' && (all[1] == 'd' || all[1] == 'D')) {
            made.is_double = true;
            made.bits = std::strtoull(all.c_str() + 2, &end, 16);
        } else if (all.starts_with("0b") || all.starts_with("0B")) {
            made.bits = std::strtoull(all.c_str() + 2, &end, 2);
        } else if (all.find('.') != std::string::npos) {
            made.is_double = true;
            made.bits = std::bit_cast<std::uint64_t>(std::strtod(all.c_str(), &end));
        } else {
            made.bits = std::strtoull(all.c_str(), &end, 0);
        }
        if (*end == 'U' || *end == 'u') ++end;
        if (*end != 0) return failed("has the number " + all + ", which PTX does not have");
        return made;
    }
    // What is neither a register nor a label is a mistake.
    Status resolve_label(const PtxOperand& operand) const {
        for (const PtxOperand& part : operand.parts) TRY(resolve_label(part));
        if (operand.kind != PtxOperandKind::kLabel || result_.labels.contains(operand.name))
            return Done{};
        return failed("uses " + operand.name +
                      ", which is neither a register nor a label of the "
                      "statement");
    }

    std::string_view text_, constraints_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    std::vector<Scope> scopes_;
    PtxText result_;
};

}  // namespace

PtxType ptx_type(std::string_view word) {
    const auto found = std::ranges::find(kTypes, word, &TypeFacts::word);
    return found == kTypes.end() ? PtxType::kNone : found->type;
}

std::uint32_t bytes_of(PtxType type) {
    const auto found = std::ranges::find(kTypes, type, &TypeFacts::type);
    return found == kTypes.end() ? 0 : found->bytes;
}

bool is_signed(PtxType type) {
    return type == PtxType::kS8 || type == PtxType::kS16 || type == PtxType::kS32 ||
           type == PtxType::kS64;
}

bool is_floating(PtxType type) { return type >= PtxType::kF16 && type <= PtxType::kF32x2; }

bool PtxInstruction::has(std::string_view word) const {
    return std::ranges::find(words, word) != words.end();
}

std::vector<PtxType> PtxInstruction::types() const {
    std::vector<PtxType> found;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (const PtxType type = ptx_type(words[i]); type != PtxType::kNone) found.push_back(type);
    return found;
}

Result<PtxText> read_ptx(std::string_view text, std::string_view constraints, bool has_operands) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        plain += text[i];
        if (has_operands && text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') {
            // "%%r0" names the register %r0 and not an operand.
            ++i;
            if (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0)
                return failed("names a register that begins with a digit");
        }
    }
    return Reader(plain, constraints).read();
}

}  // namespace tilereel::runtime
