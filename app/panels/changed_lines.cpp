#include "app/panels/changed_lines.h"

#include <algorithm>
#include <vector>

namespace tilereel {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kMostCompared = std::size_t{1} << 21;  // pairs of lines

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return lines;
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

// The words of `before` that are different in `now`: "tile[16][16]", "in[i]".
std::string changed_part(std::string_view before, std::string_view now) {
    std::size_t first = 0, last = 0;
    const std::size_t most = std::min(before.size(), now.size());
    while (first < most && before[first] == now[first]) ++first;
    while (last < most - first && before[before.size() - 1 - last] == now[now.size() - 1 - last])
        ++last;
    while (first > 0 && !is_space(before[first - 1])) --first;
    while (last > 0 && !is_space(before[before.size() - last])) --last;
    std::string_view part = before.substr(first, before.size() - last - first);
    while (!part.empty() && is_space(part.front())) part.remove_prefix(1);
    while (!part.empty() && (is_space(part.back()) || part.back() == ';')) part.remove_suffix(1);
    return std::string(part);
}

// Between two lines that both texts have, old and new lines are paired from the top.
void tell_gap(const Lines& before, std::size_t from, std::size_t to, const Lines& now,
              std::size_t begin, std::size_t end, std::map<std::uint32_t, ChangedLine>& changed) {
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t former = from + (i - begin);
        const auto line = static_cast<std::uint32_t>(i + 1);
        if (former < to)
            changed[line] = {changed_part(before[former], now[i]), false};
        else if (now[i].find_first_not_of(" \t") != std::string_view::npos)
            changed[line] = {{}, true};
    }
}

}  // namespace

std::map<std::uint32_t, ChangedLine> changed_lines(std::string_view before, std::string_view now) {
    const Lines old_lines = lines_of(before), new_lines = lines_of(now);
    std::size_t head = 0;
    while (head < std::min(old_lines.size(), new_lines.size()) &&
           old_lines[head] == new_lines[head])
        ++head;
    std::size_t tail = 0;
    while (tail < std::min(old_lines.size(), new_lines.size()) - head &&
           old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
        ++tail;
    const std::size_t rows = old_lines.size() - head - tail;
    const std::size_t columns = new_lines.size() - head - tail;
    if (rows * columns > kMostCompared) return {};
    // Longest common subsequence of what lies between: its length from each pair of lines on.
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
        return length[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;)
        for (std::size_t column = columns; column-- > 0;)
            at(row, column) = old_lines[head + row] == new_lines[head + column]
                                  ? at(row + 1, column + 1) + 1
                                  : std::max(at(row + 1, column), at(row, column + 1));
    if (head + tail == 0 && at(0, 0) == 0) return {};
    std::map<std::uint32_t, ChangedLine> changed;
    std::size_t row = 0, column = 0, gap_row = 0, gap_column = 0;
    while (row < rows && column < columns) {
        if (old_lines[head + row] == new_lines[head + column]) {
            tell_gap(old_lines, head + gap_row, head + row, new_lines, head + gap_column,
                     head + column, changed);
            gap_row = ++row;
            gap_column = ++column;
        } else if (at(row + 1, column) >= at(row, column + 1)) {
            ++row;
        } else {
            ++column;
        }
    }
    tell_gap(old_lines, head + gap_row, head + rows, new_lines, head + gap_column, head + columns,
             changed);
    return changed;
}

}  // namespace tilereel
