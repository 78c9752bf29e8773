#include "app/panels/data_table.h"

#include <algorithm>
#include <cmath>

#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

constexpr float kHeadLine = 1.25f;  // line height of a heading / font size

std::vector<std::string_view> head_lines(std::string_view head) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos) return {head};
    return {head.substr(0, end), head.substr(end + 1)};
}

float left_of_text(const Rect& area, Align align, float gap) {
    return align == Align::kRight    ? area.right() - gap / 2
           : align == Align::kCenter ? area.center().x
                                     : area.x + gap / 2;
}

}  // namespace

DataTable::DataTable(const Look& look, const TableSize& size, std::vector<TableColumn> columns)
    : look_(look), size_(size), columns_(std::move(columns)) {}

float DataTable::text_width_of(std::size_t column) const {
    float width = 0;
    for (const std::vector<TableCell>& row : rows_)
        if (column < row.size())
            width = std::max(width, text_width(row[column].text, row[column].face, size_.px));
    return width;
}

float DataTable::width_of(std::size_t column, float text) const {
    const float head = widest(head_lines(columns_[column].head), Face::kRegular, size_.px);
    return std::ceil(std::max(head, text + columns_[column].picture) + gap());
}

float DataTable::head_height() const {
    const bool two = std::ranges::any_of(
        columns_, [](const TableColumn& column) { return head_lines(column.head).size() > 1; });
    const bool none = std::ranges::all_of(columns_, &std::string::empty, &TableColumn::head);
    if (none) return 0;
    return std::round(
        std::max((two ? 2 * kHeadLine : 0) * size_.px + look_.hair(), size_.least_row * size_.px));
}

float DataTable::width() const {
    float width = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) width += width_of(i, text_width_of(i));
    return width;
}

float DataTable::least_height() const {
    return head_height() + static_cast<float>(rows_.size()) * size_.least_row * size_.px;
}

float DataTable::most_height() const {
    return head_height() + static_cast<float>(rows_.size()) * size_.most_row * size_.px;
}

void DataTable::place_columns(float room) {
    lefts_.clear();
    widths_.clear();
    texts_.clear();
    float left = 0, stretch = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        texts_.push_back(text_width_of(i));
        widths_.push_back(width_of(i, texts_[i]));
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

void DataTable::draw_heads(const Rect& room, float x, std::size_t from, std::size_t to,
                           const TableParts& parts) const {
    const float height = head_height();
    for (std::size_t i = from; i < to; ++i) {
        const Rect area{x + lefts_[i], room.y, widths_[i], height};
        if (area.right() <= room.x || area.x >= room.right()) continue;
        const ImU32 color = parts.heading ? parts.heading(i, area) : 0;
        const std::vector<std::string_view> lines = head_lines(columns_[i].head);
        const float leading = kHeadLine * size_.px;
        const auto above = static_cast<float>(lines.size() - 1) / 2;
        draw_lines(
            {left_of_text(area, columns_[i].align, gap()), area.center().y - above * leading},
            lines,
            {Face::kRegular, size_.px, color != 0 ? color : look_.colors().ink3, columns_[i].align},
            leading);
    }
}

void DataTable::draw_cell(const TableCell& cell, std::size_t column, const Rect& area) const {
    const TableColumn& place = columns_[column];
    const float bar = area.w - texts_[column] - 1.5f * gap();
    if (cell.share >= 0 && bar > 0)
        draw_share({area.x + gap() / 2, area.center().y - 0.3f * size_.px, bar, 0.6f * size_.px},
                   static_cast<float>(std::min(cell.share, 1.0)), look_.colors().cell, cell.bar,
                   look_.px(3));
    draw_text(
        {left_of_text(area, place.align, gap()) + (place.align == Align::kLeft ? place.picture : 0),
         area.center().y},
        cell.text, {cell.face, size_.px, cell.color, place.align});
}

void DataTable::draw_cells(const Rect& body, float x, float y, std::size_t from, std::size_t to,
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

void DataTable::draw(const Rect& place, TableScroll& scroll, const TableParts& parts) {
    const float head = head_height(), least = size_.least_row * size_.px;
    Rect room = place;
    if (least_height() > room.h) room.w -= look_.wide();  // beside the scroll bar
    place_columns(room.w);
    const float length = lefts_.back() + widths_.back();
    const bool sideways = length > room.w + 1;
    Rect body{room.x, room.y + head, room.w, room.h - head - (sideways ? look_.gap() : 0)};
    const auto count = static_cast<float>(std::max<std::size_t>(rows_.size(), 1));
    row_ = std::clamp(std::floor(body.h / count), least, size_.most_row * size_.px);
    const Rect beside{room.x + widths_[0], room.y, room.w - widths_[0],
                      room.h};  // scrolls sideways
    if (sideways) {
        const ImGuiIO& io = ImGui::GetIO();
        const float wheel = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
        if (ImGui::IsWindowHovered() && room.contains(io.MousePos))
            scroll.x -= wheel * look_.px(60);
        scroll_bar(look_, beside, length - widths_[0], scroll.x, true, "scrolls.sideways");
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

}  // namespace tilereel
