#pragma once
// A kernel's source prepared for the panel: coloured runs of text, wrapped to a number of columns.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilereel {

enum class CodeColor : std::uint8_t { kPlain, kComment, kKeyword, kA, kB, kC, kSum, kBarrier };

struct CodeRun {
    std::uint32_t column = 0;           // where it starts in its row
    std::uint32_t begin = 0, size = 0;  // in SourceText::text
    CodeColor color = CodeColor::kPlain;
};
struct CodeRow {
    std::uint32_t line = 0;  // 1-based
    bool first = true;       // first row of its line: it has the line number and the cost
    std::vector<CodeRun> runs;
};
struct SourceText {
    std::string text;
    std::uint32_t lines = 0;
    std::vector<CodeRow> rows;
    std::vector<std::uint32_t> first_row;  // first row of each line; index = line, [0] is unused
    [[nodiscard]] std::string_view text_of(const CodeRun& run) const {
        return std::string_view(text).substr(run.begin, run.size);
    }
};

struct SourceWidth {
    std::uint32_t columns = 0;                        // characters in a row
    std::vector<std::uint32_t> cost_characters = {};  // by line: length of the cost
    bool operator==(const SourceWidth&) const = default;
};
// Names with a special colour in this program, such as its arrays.
using CodeNames = std::vector<std::pair<std::string, CodeColor>>;

// Wraps a long line between words to further rows, with two more columns of indentation, or three
// for a line that is a comment. Tabs become four spaces. Names of arrays have the array's colour:
// `names`, or else A and As blue, B and Bs orange, C, Cs and sums of products (kSum) green.
// Barriers are yellow.
[[nodiscard]] SourceText prepare_source(std::string_view source, const SourceWidth& width,
                                        const CodeNames& names = {});

}  // namespace tilereel
