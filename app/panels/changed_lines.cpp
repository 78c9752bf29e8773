#include "app/panels/changed_lines.h"

#include <algorithm>
#include <optional>

#include "app/ui/fonts/utf8.h"

namespace tilereel {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kMostCompared = std::size_t{1} << 21;  // pairs of lines

bool is_space(char c) { return c == ' ' || c == '\t'; }

// The numbers of equal lines, or equal characters, at the beginning and at the end of both texts.
struct CommonEnds {
    std::size_t head = 0, tail = 0;
};
template <class Text>
CommonEnds common_ends(const Text& before, const Text& now) {
    CommonEnds ends;
    const std::size_t most = std::min(before.size(), now.size());
    while (ends.head < most && before[ends.head] == now[ends.head]) ++ends.head;
    while (ends.tail < most - ends.head &&
           before[before.size() - 1 - ends.tail] == now[now.size() - 1 - ends.tail])
        ++ends.tail;
    return ends;
}

// The words of `before` that `now` changes: "tile[16][16]", "in[i]".
std::string changed_part(std::string_view before, std::string_view now) {
    auto [first, last] = common_ends(before, now);
    while (first > 0 && !is_space(before[first - 1])) --first;
    while (last > 0 && !is_space(before[before.size() - last])) --last;
    std::string_view part = before.substr(first, before.size() - last - first);
    while (!part.empty() && is_space(part.front())) part.remove_prefix(1);
    while (!part.empty() && (is_space(part.back()) || part.back() == ';')) part.remove_suffix(1);
    return std::string(part);
}

// For each line of `now` (index from 0): its counterpart in `before`, counted from 1; 0 if it is
// new. Lines of the longest common subsequence are paired. Between two such lines, old and new
// lines are paired from the top. All are 0 if the texts have no line in common. nullopt if the
// texts are too long.
std::optional<std::vector<std::uint32_t>> pair_lines(const Lines& before, const Lines& now) {
    const auto [head, tail] = common_ends(before, now);
    const std::size_t rows = before.size() - head - tail, columns = now.size() - head - tail;
    if (rows * columns > kMostCompared) return std::nullopt;
    // Length of the longest common subsequence from each pair of lines to the ends of the texts.
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
        return length[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;)
        for (std::size_t column = columns; column-- > 0;)
            at(row, column) = before[head + row] == now[head + column]
                                  ? at(row + 1, column + 1) + 1
                                  : std::max(at(row + 1, column), at(row, column + 1));
    std::vector<std::uint32_t> former(now.size(), 0);
    if (head + tail == 0 && at(0, 0) == 0) return former;
    const auto pair = [&](std::size_t row, std::size_t column) {
        former[head + column] = static_cast<std::uint32_t>(head + row + 1);
    };
    std::size_t row = 0, column = 0, gap_row = 0, gap_column = 0;
    const auto end_gap = [&](std::size_t to_row, std::size_t to_column) {
        for (; gap_row < to_row && gap_column < to_column; ++gap_row, ++gap_column)
            pair(gap_row, gap_column);
    };
    while (row < rows && column < columns) {
        if (before[head + row] == now[head + column]) {
            end_gap(row, column);
            pair(row, column);
            gap_row = ++row;
            gap_column = ++column;
        } else if (at(row + 1, column) >= at(row, column + 1)) {
            ++row;
        } else {
            ++column;
        }
    }
    end_gap(rows, columns);
    for (std::size_t i = 0; i < head; ++i) former[i] = static_cast<std::uint32_t>(i + 1);
    for (std::size_t i = 0; i < tail; ++i)
        former[now.size() - 1 - i] = static_cast<std::uint32_t>(before.size() - i);
    return former;
}

}  // namespace

std::map<std::uint32_t, ChangedLine> changed_lines(std::string_view before, std::string_view now) {
    const Lines old_lines = split(before, "\n"), new_lines = split(now, "\n");
    const auto former = pair_lines(old_lines, new_lines);
    if (!former || std::ranges::all_of(*former, [](std::uint32_t line) { return line == 0; }))
        return {};
    std::map<std::uint32_t, ChangedLine> changed;
    for (std::size_t i = 0; i < new_lines.size(); ++i) {
        const std::uint32_t was = (*former)[i];
        const auto line = static_cast<std::uint32_t>(i + 1);
        if (was == 0) {
            if (new_lines[i].find_first_not_of(" \t") != std::string_view::npos)
                changed[line] = {{}, true};
        } else if (old_lines[was - 1] != new_lines[i]) {
            changed[line] = {changed_part(old_lines[was - 1], new_lines[i]), false};
        }
    }
    return changed;
}

std::vector<std::uint32_t> former_lines(std::string_view before, std::string_view now) {
    const Lines new_lines = split(now, "\n");
    std::vector<std::uint32_t> lines(new_lines.size() + 1, 0);
    const auto former = pair_lines(split(before, "\n"), new_lines);
    for (std::size_t line = 1; line < lines.size(); ++line)
        lines[line] = former ? (*former)[line - 1] : static_cast<std::uint32_t>(line);
    return lines;
}

}  // namespace tilereel
