#pragma once
// A kernel's source made ready for the panel: coloured runs, wrapped to a number of columns.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class CodeColor : std::uint8_t { kPlain, kComment, kKeyword, kA, kB, kC, kSum, kBarrier };

struct CodeRun {
    std::uint32_t column = 0;           // where it starts in its row
    std::uint32_t begin = 0, size = 0;  // in SourceText::text
    CodeColor color = CodeColor::kPlain;
};
struct CodeRow {
    std::uint32_t line = 0;  // 1-based
    bool first = true;       // of its line: carries the number and the cost
    bool cut = false;        // the end of a comment was left out
    std::vector<CodeRun> runs;
};
struct SourceText {
    std::string text;
    std::uint32_t lines = 0;
    std::vector<CodeRow> rows;
    std::vector<std::uint32_t> first_row;  // of each line; index = line, [0] unused
    [[nodiscard]] std::string_view text_of(const CodeRun& run) const {
        return std::string_view(text).substr(run.begin, run.size);
    }
    [[nodiscard]] std::string_view line_text(std::uint32_t line) const;  // without its indent
};

struct SourceWidth {
    std::uint32_t columns = 0;                        // characters a row
    std::vector<std::uint32_t> cost_characters = {};  // by line: of the cost at the row's right end
    bool operator==(const SourceWidth&) const = default;
};
// Names that have a colour of their own in this program, e.g. its arrays.
using CodeNames = std::vector<std::pair<std::string, CodeColor>>;

// A line longer than its width goes on in the next row, indented two deeper than it began; only a
// comment after code is cut instead. Tabs become four spaces. Names are coloured by the arrays they
// are: those of `names` as it says, else A, As blue, B, Bs orange, C and sums of products (kSum)
// green; barriers yellow.
[[nodiscard]] SourceText prepare_source(std::string_view source, const SourceWidth& width,
                                        const CodeNames& names = {});
// Columns at which no code (comments aside) has to wrap.
[[nodiscard]] std::uint32_t columns_needed(std::string_view source,
                                           const std::vector<std::uint32_t>& cost_characters);

}  // namespace tilereel
