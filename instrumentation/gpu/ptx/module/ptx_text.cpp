#include "instrumentation/gpu/ptx/module/ptx_text.h"

#include <algorithm>
#include <cctype>

namespace tilereel::gpu {
namespace {

bool is_word_sign(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
           c == '.';
}

class PtxReader {
  public:
    explicit PtxReader(std::string_view text) : text_(text) {}

    std::vector<PtxStatement> statements() {
        for (std::string_view token = next(); !token.empty(); token = next()) read(token);
        return std::move(statements_);
    }

  private:
    // The next token; empty at the end.
    std::string_view next() {
        skip_blanks();
        if (at_ >= text_.size()) return {};
        const std::size_t begin = at_;
        if (text_[at_] == '"') {
            const std::size_t end = text_.find('"', at_ + 1);
            at_ = end == std::string_view::npos ? text_.size() : end + 1;
        } else if (is_word_sign(text_[at_])) {
            while (at_ < text_.size() && (is_word_sign(text_[at_]) || is_double_colon())) ++at_;
        } else {
            ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }
    // ".shared::cta" is one word, "$L__BB0_2:" are two tokens.
    [[nodiscard]] bool is_double_colon() const {
        return text_[at_] == ':' && (text_.substr(at_).starts_with("::") || text_[at_ - 1] == ':');
    }
    void skip_blanks() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (std::isspace(static_cast<unsigned char>(rest[0])) != 0)
                ++at_;
            else if (rest.starts_with("//"))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (rest.starts_with("/*"))
                at_ = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
            else
                return;
        }
    }
    [[nodiscard]] std::string_view peek() {
        const std::size_t at = at_;
        const std::string_view token = next();
        at_ = at;
        return token;
    }

    void read(std::string_view first) {
        PtxStatement statement;
        statement.begin = begin_of(first);
        statement.tokens.push_back(first);
        if (first == "{" || first == "}") {
            statement.kind = first == "{" ? PtxKind::kOpen : PtxKind::kClose;
        } else if (first == ".loc" || first == ".file" || first == ".version" ||
                   first == ".target" || first == ".address_size") {
            statement.kind = first == ".loc"    ? PtxKind::kLocation
                             : first == ".file" ? PtxKind::kFile
                                                : PtxKind::kDirective;
            read_line(statement);
        } else if (first == ".section") {
            skip_section();
            return;
        } else if (first.front() != '.' && first.front() != '@' && peek() == ":") {
            statement.kind = PtxKind::kLabel;
            next();
        } else {
            read_to_semicolon(statement);
            statement.kind = kind_of(statement);
        }
        statement.end = at_;
        statements_.push_back(std::move(statement));
    }
    void read_line(PtxStatement& statement) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        for (;;) {
            const std::size_t before = at_;
            const std::string_view token = next();
            if (token.empty() || begin_of(token) >= end) {
                at_ = before;
                return;
            }
            statement.tokens.push_back(token);
        }
    }
    // Reads up to and with the semicolon, or up to the brace that opens a function's body.
    void read_to_semicolon(PtxStatement& statement) {
        unsigned depth = 0;
        for (;;) {
            const std::size_t before = at_;
            const std::string_view token = next();
            if (token.empty() || (token == ";" && depth == 0)) return;
            if (token == "{") {
                if (depth == 0 && is_function(statement)) {
                    at_ = before;
                    return;
                }
                ++depth;
            } else if (token == "}") {
                if (depth == 0) {  // a semicolon is missing
                    at_ = before;
                    return;
                }
                --depth;
            }
            statement.tokens.push_back(token);
        }
    }
    void skip_section() {
        std::string_view token = next();
        while (!token.empty() && token != "{") token = next();
        while (!token.empty() && token != "}") token = next();
    }

    static bool has(const PtxStatement& statement, std::string_view word) {
        return std::ranges::find(statement.tokens, word) != statement.tokens.end();
    }
    static bool is_function(const PtxStatement& statement) {
        return has(statement, ".entry") || has(statement, ".func");
    }
    [[nodiscard]] PtxKind kind_of(const PtxStatement& statement) const {
        if (statement.tokens.front().front() != '.') return PtxKind::kInstruction;
        if (is_function(statement))
            return at_ > 0 && text_[at_ - 1] == ';' ? PtxKind::kPrototype : PtxKind::kFunction;
        for (const std::string_view space : {".shared", ".global", ".const"})
            if (has(statement, space)) return PtxKind::kVariable;
        return PtxKind::kDirective;
    }
    [[nodiscard]] std::size_t begin_of(std::string_view token) const {
        return static_cast<std::size_t>(token.data() - text_.data());
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<PtxStatement> statements_;
};

}  // namespace

std::vector<PtxStatement> ptx_statements(std::string_view text) {
    return PtxReader(text).statements();
}

}  // namespace tilereel::gpu
