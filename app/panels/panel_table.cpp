#include "app/panels/panel_table.h"

#include <algorithm>
#include <cmath>

#include "app/ui/fonts/utf8.h"
#include "app/ui/widgets/scroll_bar.h"

namespace tilereel {
namespace {

constexpr float kHeadLine = 1.25f;                // line height of a heading / font size
constexpr float kGap = 1.25f, kLeastGap = 0.75f;  // between columns / font size
constexpr float kLeastFit = 0.8f;  // smaller factors of the font size: rows take two lines

// Draws a text between the left and the right edge of `area`.
void draw_in(const Rect& area, std::string_view text, const TextStyle& style) {
    const float middle = area.center().y;
    if (style.align == Align::kLeft)
        draw_text_fit({area.x, middle}, area.w + 1, text, style);
    else
        draw_text({style.align == Align::kRight ? area.right() : area.center().x, middle}, text,
                  style);
}

}  // namespace

void TableRows::add(std::vector<TableCell> cells) {
    for (std::size_t i = 0; i < std::min(cells.size(), texts_.size()); ++i)
        texts_[i] = std::max(texts_[i], text_width(cells[i].text, cells[i].face, px_));
    rows_.push_back(std::move(cells));
}

ScrollTable::ScrollTable(const Look& look, const TableSize& size, std::vector<TableColumn> columns)
    : TableRows(look, size.px, columns.size()),
      size_(size),
      columns_(std::move(columns)),
      gap_(kGap * px_) {}

void ScrollTable::add_column(TableColumn column) {
    columns_.push_back(std::move(column));
    texts_.push_back(0);
}

float ScrollTable::width_of(std::size_t column) const {
    const float head = widest(split(columns_[column].head, "\n"), Face::kRegular, px_);
    return std::ceil(std::max(head, texts_[column] + columns_[column].picture) + gap_);
}

float ScrollTable::head_height() const {
    const bool two = std::ranges::any_of(
        columns_, [](const TableColumn& column) { return split(column.head, "\n").size() > 1; });
    const bool none = std::ranges::all_of(columns_, &std::string::empty, &TableColumn::head);
    if (none) return 0;
    return std::round(
        std::max((two ? 2 * kHeadLine : 0) * px_ + look_.hair(), size_.least_row * px_));
}

float ScrollTable::width() const {
    float width = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) width += width_of(i);
    return width;
}

float ScrollTable::least_width() const {
    // A pixel for each column is for rounding.
    return width() - (gap_ - kLeastGap * px_ - 1) * static_cast<float>(columns_.size());
}

float ScrollTable::height_with(float row) const {
    return head_height() + static_cast<float>(rows_.size()) * row * px_;
}

void ScrollTable::place_columns(float room) {
    lefts_.clear();
    widths_.clear();
    float left = 0, stretch = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        widths_.push_back(width_of(i));
        left += widths_[i];
        stretch += columns_[i].stretch ? 1.0f : 0.0f;
    }
    const float spare = std::max(0.0f, room - left);
    left = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i].stretch) widths_[i] += std::floor(spare / stretch);
        lefts_.push_back(left);
        left += widths_[i];
    }
}

void ScrollTable::draw_heads(const Rect& room, float x, std::size_t from, std::size_t to,
                             const TableParts& parts) const {
    const float height = head_height();
    for (std::size_t i = from; i < to; ++i) {
        const Rect area{x + lefts_[i], room.y, widths_[i], height};
        if (area.right() <= room.x || area.x >= room.right()) continue;
        const ImU32 color = parts.heading ? parts.heading(i, area) : 0;
        const float leading = kHeadLine * px_;
        const std::vector<std::string_view> lines = split(columns_[i].head, "\n");
        float y = area.center().y - leading * static_cast<float>(lines.size()) / 2;
        for (const std::string_view line : lines) {
            draw_in(
                {area.x + gap_ / 2, y, area.w - gap_, leading}, line,
                {Face::kRegular, px_, color != 0 ? color : look_.colors().ink3, columns_[i].align});
            y += leading;
        }
    }
}

void ScrollTable::draw_cell(const TableCell& cell, std::size_t column, const Rect& area) const {
    const TableColumn& place = columns_[column];
    const float bar = area.w - texts_[column] - 1.5f * gap_;
    if (cell.share >= 0 && bar > 0)
        draw_share({area.x + gap_ / 2, area.center().y - 0.3f * px_, bar, 0.6f * px_},
                   static_cast<float>(std::min(cell.share, 1.0)), look_.colors().cell, cell.bar,
                   look_.px(3));
    const float left = gap_ / 2 + (place.align == Align::kLeft ? place.picture : 0);
    draw_in({area.x + left, area.y, area.w - left - gap_ / 2, area.h}, cell.text,
            {cell.face, px_, cell.color, place.align});
}

void ScrollTable::draw_cells(const Rect& body, float x, float y, std::size_t from, std::size_t to,
                             const TableParts& parts) const {
    for (std::size_t r = 0; r < rows_.size(); ++r, y += row_) {
        if (y + row_ <= body.y || y >= body.bottom()) continue;
        for (std::size_t i = from; i < std::min(to, rows_[r].size()); ++i) {
            const Rect area{x + lefts_[i], y, widths_[i], row_};
            if (area.right() <= body.x || area.x >= body.right()) continue;
            if (parts.cell) parts.cell(r, i, area);
            draw_cell(rows_[r][i], i, area);
        }
    }
}

void ScrollTable::draw(const Rect& place, TableScroll& scroll, const TableParts& parts) {
    const float head = head_height(), least = size_.least_row * px_;
    Rect room = place;
    if (least_height() > room.h) room.w -= look_.wide();  // beside the scroll bar
    // Narrows the gaps if the columns then fit. One pixel for each column is for rounding.
    const float closer = (room.w - width()) / static_cast<float>(columns_.size()) - 1;
    if (closer < -1 && closer > (kLeastGap - kGap) * px_) gap_ += closer;
    place_columns(room.w);
    const float length = lefts_.back() + widths_.back();
    const bool sideways = length > room.w + 1;
    Rect body{room.x, room.y + head, room.w, room.h - head - (sideways ? look_.gap() : 0)};
    const auto count = static_cast<float>(std::max<std::size_t>(rows_.size(), 1));
    row_ = std::clamp(std::floor(body.h / count), least, size_.most_row * px_);
    // If the rows scroll, only whole rows are visible: a whole number of them fills the body.
    // A room that was measured for all rows can be lower by what rounding takes.
    constexpr float kRounding = 0.02f;  // rows
    const float whole = std::floor(body.h / least + kRounding);
    if (whole >= count) row_ = std::min(row_, body.h / count);
    if (whole >= 1 && whole < count) {
        row_ = std::floor(body.h / whole);
        body.h = row_ * whole;
    }
    const Rect beside{room.x + widths_[0], room.y, room.w - widths_[0],
                      room.h};  // scrolls sideways
    if (sideways) {
        const ImGuiIO& io = ImGui::GetIO();
        const float wheel = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
        if (ImGui::IsWindowHovered() && room.contains(io.MousePos))
            scroll.x -= wheel * look_.px(60);
        scroll_bar(look_, beside, length - widths_[0], scroll.x, true);
    }
    scroll.x = std::clamp(scroll.x, 0.0f, std::max(0.0f, length - room.w));
    const float x = room.x - std::round(scroll.x);
    draw_heads(room, room.x, 0, 1, parts);
    {
        const Clip clip(beside);
        draw_heads(beside, x, 1, columns_.size(), parts);
    }
    const ScrollArea area(look_, {body.x, body.y, place.w, body.h},
                          row_ * static_cast<float>(rows_.size()), scroll.y);
    for (std::size_t r = 0; r < rows_.size(); ++r)
        if (const float y = area.top() + row_ * static_cast<float>(r); area.shows(y, row_))
            if (parts.row) parts.row(r, {room.x, y, room.w, row_});
    draw_cells(body, room.x, area.top(), 0, 1, parts);
    const Rect rest{beside.x, body.y, beside.w, body.h};
    const Clip clip(rest);
    draw_cells(rest, x, area.top(), 1, columns_.size(), parts);
}

float WrapTable::needed_width(std::size_t first, std::size_t last) const {
    float width = -gap_;
    for (std::size_t i = first; i < last; ++i) width += widths_[i] + gap_;
    return width;
}

void WrapTable::place(float width) {
    width_ = width;
    widths_ = texts_;
    const float fit = std::min(1.0f, width / needed_width(0, widths_.size()));
    two_lines_ = fit < kLeastFit;
    if (two_lines_) return;
    px_ *= fit;
    gap_ *= fit;
    for (float& each : widths_) each *= fit;
}

float WrapTable::column_gap(std::size_t first, std::size_t last) const {
    const auto gaps = static_cast<float>(std::max<std::size_t>(last - first, 2) - 1);
    return gap_ + std::max(width_ - needed_width(first, last), 0.0f) / gaps;
}

Rect WrapTable::column(std::size_t index, const Rect& row) const {
    float x = row.x;
    for (std::size_t i = 0; i < index; ++i) x += widths_[i] + column_gap(0, widths_.size());
    return {x, row.y, widths_[index], row.h};
}

void WrapTable::draw_line(std::size_t index, std::size_t first, std::size_t last, ImVec2 at) const {
    const std::vector<TableCell>& cells = rows_[index];
    float x = at.x;
    for (std::size_t i = first; i < std::min(last, cells.size()); ++i) {
        const float missing = std::min(width_ - needed_width(first, last), 0.0f);
        const float width = widths_[i] + (i == first ? missing : 0);
        // The last column ends at the right edge, so one that is alone in its line has all of it.
        const float right = i + 1 == last ? at.x + width_ : x + width;
        draw_in({x, at.y, right - x, line()}, cells[i].text,
                {cells[i].face, px_, cells[i].color, aligns_[i]});
        x += width + column_gap(first, last);
    }
}

void WrapTable::draw_row(std::size_t index, ImVec2 at) const {
    const std::size_t all = widths_.size();
    draw_line(index, 0, two_lines_ ? second_ : all, at);
    if (two_lines_) draw_line(index, second_, all, {at.x, at.y + line()});
}

float WrapTable::draw(ImVec2 at) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
        draw_row(i, {at.x, at.y + static_cast<float>(i) * row_height()});
    return static_cast<float>(rows_.size()) * row_height();
}

}  // namespace tilereel
