#include "app/panels/source/source_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "instrumentation/base/wait_functions.h"

namespace tilereel {
namespace {

constexpr std::array<std::string_view, 34> kKeywords = {
    "alignas", "auto",       "bool",       "char",       "const",        "constexpr", "double",
    "else",    "float",      "float2",     "float4",     "for",          "if",        "inline",
    "int",     "long",       "namespace",  "return",     "short",        "signed",    "sizeof",
    "static",  "struct",     "template",   "typename",   "unsigned",     "using",     "void",
    "while",   "__global__", "__device__", "__shared__", "__restrict__", "size_t"};

struct Piece {
    std::string_view text;
    CodeColor color;
};

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

CodeColor color_of_name(std::string_view name, const CodeNames& names) {
    for (const auto& [own, color] : names)
        if (own == name) return color;
    if (name == "A" || name == "As") return CodeColor::kA;
    if (name == "B" || name == "Bs") return CodeColor::kB;
    if (name == "C" || name == "Cs") return CodeColor::kC;
    if (std::ranges::find(kWaitFunctions, name, &WaitFunction::name) != kWaitFunctions.end())
        return CodeColor::kBarrier;
    if (std::ranges::count(kKeywords, name) > 0 || name.starts_with('#'))
        return CodeColor::kKeyword;
    return CodeColor::kPlain;
}

bool declares(std::string_view text, const std::string& name) {
    return std::ranges::any_of(std::array{"float ", "double ", "half "}, [&](const char* type) {
        return text.find(type + name) != std::string_view::npos;
    });
}

// The variables to which products are added: `sum` in "sum[r][c] += a[r] * b[c];".
std::vector<std::string> names_of_sums(std::string_view text) {
    std::vector<std::string> names;
    for (std::size_t at = text.find(" += "); at != std::string_view::npos;
         at = text.find(" += ", at + 1)) {
        const std::string_view after = text.substr(at, text.find_first_of(";)", at) - at);
        if (after.find(" * ") == std::string_view::npos) continue;
        std::size_t begin = text.rfind('\n', at);
        begin = text.find_first_not_of(' ', begin == std::string_view::npos ? 0 : begin + 1);
        std::size_t end = begin;
        while (end < at && is_name_character(text[end])) ++end;
        // Only a name with optional subscripts may precede the sign.
        const bool subscripted = text[end] == '[' && text[at - 1] == ']';
        std::string name(text.substr(begin, end - begin));
        if ((end == at || subscripted) && !name.empty() && declares(text, name))
            names.push_back(std::move(name));
    }
    return names;
}

// Splits a line into pieces, in order. A row may break between two pieces.
std::vector<Piece> pieces_of_line(std::string_view line, bool& in_comment, const CodeNames& names) {
    std::vector<Piece> pieces;
    std::size_t at = 0;
    bool to_end = false;  // after "//"
    while (at < line.size()) {
        std::size_t end = at + 1;
        CodeColor color = CodeColor::kPlain;
        if (!in_comment && line.substr(at, 2) == "//") to_end = true;
        if (!to_end && !in_comment && line.substr(at, 2) == "/*") in_comment = true;
        if (to_end || in_comment) {  // word by word, because comments wrap between words
            while (end < line.size() && line[end] != ' ') ++end;
            const std::size_t close = line.substr(at, end - at).find("*/");
            color = CodeColor::kComment;
            if (in_comment && close != std::string_view::npos) {
                end = at + close + 2;
                in_comment = false;
            }
        } else if (is_name_character(line[at]) || line[at] == '#') {
            while (end < line.size() && is_name_character(line[end])) ++end;
            color = color_of_name(line.substr(at, end - at), names);
        } else if (line[at] == '"') {
            while (end < line.size() && line[end] != '"') ++end;
            end = std::min(end + 1, line.size());
        }
        pieces.push_back({line.substr(at, end - at), color});
        at = end;
    }
    return pieces;
}

class RowWriter {
  public:
    RowWriter(SourceText& out, std::uint32_t line, std::uint32_t indent, std::uint32_t columns)
        : out_(out), line_(line), indent_(std::min(indent, columns / 3)), columns_(columns) {
        begin_row(true);
    }
    void write(const std::vector<Piece>& pieces) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            Piece piece = pieces[i];
            if (starts_word(pieces, i) && column_ > start_ && word_size(pieces, i) > room())
                begin_row(false);
            // A row does not begin with the space at which it was broken.
            if (column_ == start_ && !out_.rows.back().first)
                piece.text.remove_prefix(
                    std::min(piece.text.find_first_not_of(' '), piece.text.size()));
            put(piece);
        }
    }

  private:
    [[nodiscard]] std::uint32_t room() const { return columns_ - column_; }
    static bool starts_word(const std::vector<Piece>& pieces, std::size_t i) {
        return i == 0 || pieces[i].text.front() == ' ' || pieces[i - 1].text == " ";
    }
    // The number of characters up to the next word; 0 for the space between two words. A comment
    // after code that fits a row of its own is one word.
    [[nodiscard]] std::size_t word_size(const std::vector<Piece>& pieces, std::size_t first) const {
        if (pieces[first].text == " ") return 0;
        std::size_t word = 0, rest = 0;
        for (std::size_t i = first; i < pieces.size(); ++i) {
            if (word == 0 && i > first && starts_word(pieces, i)) word = rest;
            rest += pieces[i].text.size();
        }
        const bool comment = first > 0 && pieces[first].text.starts_with("//");
        return word == 0 || (comment && rest <= columns_ - indent_) ? rest : word;
    }
    void put(Piece piece) {
        while (!piece.text.empty()) {
            if (room() == 0) begin_row(false);
            const std::size_t taken = std::min<std::size_t>(piece.text.size(), room());
            append({piece.text.substr(0, taken), piece.color});
            piece.text.remove_prefix(taken);
        }
    }
    void begin_row(bool first) {
        out_.rows.push_back({line_, first, {}});
        column_ = start_ = first ? 0 : indent_;
    }
    void append(Piece piece) {
        std::vector<CodeRun>& runs = out_.rows.back().runs;
        const auto begin = static_cast<std::uint32_t>(piece.text.data() - out_.text.data());
        const auto size = static_cast<std::uint32_t>(piece.text.size());
        if (!runs.empty() && runs.back().color == piece.color &&
            runs.back().begin + runs.back().size == begin)
            runs.back().size += size;
        else
            runs.push_back({column_, begin, size, piece.color});
        column_ += size;
    }

    SourceText& out_;
    std::uint32_t line_, indent_, columns_, column_ = 0, start_ = 0;
};

std::string expand_tabs(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (const char c : source) {
        if (c == '\t')
            text += "    ";
        else if (c != '\r')
            text += c;
    }
    return text;
}

}  // namespace

SourceText prepare_source(std::string_view source, const SourceWidth& width,
                          const CodeNames& names) {
    constexpr std::uint32_t kLeastColumns = 8;
    SourceText out;
    out.text = expand_tabs(source);
    out.first_row.push_back(0);
    const std::string_view text = out.text;
    CodeNames all = names;
    for (std::string& sum : names_of_sums(text)) all.emplace_back(std::move(sum), CodeColor::kSum);
    bool in_comment = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        out.first_row.push_back(static_cast<std::uint32_t>(out.rows.size()));
        ++out.lines;
        const std::uint32_t cost =
            out.lines < width.cost_characters.size() ? width.cost_characters[out.lines] : 0;
        const std::uint32_t taken = cost == 0 ? 0 : cost + 1;
        const bool comment = line.substr(indent, 2) == "//";
        RowWriter row(out, out.lines, static_cast<std::uint32_t>(indent) + (comment ? 3 : 2),
                      std::max(kLeastColumns, width.columns - std::min(width.columns, taken)));
        row.write(pieces_of_line(line, in_comment, all));
        at = end + 1;
    }
    return out;
}

}  // namespace tilereel
