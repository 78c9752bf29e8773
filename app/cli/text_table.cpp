#include "app/cli/text_table.h"

#include <algorithm>

#include "app/cli/output.h"
#include "instrumentation/base/check.h"

namespace tilereel {

void Table::add(std::vector<std::string> row) {
    check(row.size() <= alignment_.size());
    for (std::string& cell : row) cell = printable(cell, true);
    rows_.push_back(std::move(row));
}

std::string Table::text() const {
    std::vector<std::size_t> widths(alignment_.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - row[i].size(), ' ');
            line += i == 0 ? "" : "  ";
            line += alignment_[i] == 'r' ? space + row[i] : row[i] + space;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace tilereel
