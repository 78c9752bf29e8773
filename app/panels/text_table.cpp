#include "app/panels/text_table.h"

#include <algorithm>
#include <numeric>

namespace tilereel {
namespace {

constexpr float kLeastFit = 0.8f;  // the least share of the font size in one line

}  // namespace

float TextTable::needed(std::size_t first, std::size_t last) const {
    float width = -gap_;
    for (std::size_t i = first; i < last; ++i) width += widths_[i] + gap_;
    return width;
}

void TextTable::add(std::vector<TextCell> row) {
    row.resize(aligns_.size());
    rows_.push_back(std::move(row));
}

void TextTable::place(float width) {
    width_ = width;
    widths_.assign(aligns_.size(), 0);
    for (const std::vector<TextCell>& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths_[i] = std::max(widths_[i], text_width(row[i].text, row[i].face, px_));
    const float fit = std::min(1.0f, width / needed(0, widths_.size()));
    two_lines_ = fit < kLeastFit;
    if (two_lines_) return;
    px_ *= fit;
    gap_ *= fit;
    for (float& each : widths_) each *= fit;
}

float TextTable::between(std::size_t first, std::size_t last) const {
    const auto gaps = static_cast<float>(std::max<std::size_t>(last - first, 2) - 1);
    return gap_ + std::max(width_ - needed(first, last), 0.0f) / gaps;
}

Rect TextTable::column(std::size_t index, const Rect& row) const {
    float x = row.x;
    for (std::size_t i = 0; i < index; ++i) x += widths_[i] + between(0, widths_.size());
    return {x, row.y, widths_[index], row.h};
}

void TextTable::draw_line(std::size_t index, std::size_t first, std::size_t last, ImVec2 at) const {
    float x = at.x;
    for (std::size_t i = first; i < last; ++i) {
        const TextCell& cell = rows_[index][i];
        const float missing = std::min(width_ - needed(first, last), 0.0f);
        const float width = widths_[i] + (i == first ? missing : 0);
        const TextStyle style{cell.face, px_, cell.color, aligns_[i]};
        // A column that stands alone in its line has the whole line.
        const float right = i + 1 == last ? at.x + width_ : x + width;
        if (style.align == Align::kRight)
            draw_text({right, at.y}, cell.text, style);
        else
            draw_text_fit({x, at.y}, right - x + 1, cell.text, style);
        x += width + between(first, last);
    }
}

void TextTable::draw_row(std::size_t index, ImVec2 at) const {
    const std::size_t all = widths_.size();
    draw_line(index, 0, two_lines_ ? second_ : all, {at.x, at.y + line() / 2});
    if (two_lines_) draw_line(index, second_, all, {at.x, at.y + 1.5f * line()});
}

float TextTable::draw(ImVec2 at) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
        draw_row(i, {at.x, at.y + static_cast<float>(i) * row_height()});
    return static_cast<float>(rows_.size()) * row_height();
}

}  // namespace tilereel
