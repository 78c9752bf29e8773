// A card with all keyboard shortcuts, in groups, and a field that filters them.
#include "app/panels/overlay/help.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_memory.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/fonts/utf8.h"
#include "app/ui/widgets/scroll_bar.h"

namespace tilereel {
namespace {

constexpr float kKeyRow = 2.05f;      // height of a row of one line, as a multiple of the font size
constexpr float kRowLeading = 1.35f;  // of the further lines of a row

// Draws each key as a cap. Two spaces separate the keys. Returns the width in pixels.
float draw_caps(const Look& look, ImVec2 at, float px, std::string_view keys) {
    const Palette& colors = look.colors();
    const float left = at.x;
    for (const std::string_view cap : split(keys, "  ")) {
        const float width = text_width(cap, Face::kSemiBold, px) + 0.9f * px;
        const Rect box{at.x, at.y - 0.82f * px, width, 1.64f * px};
        draw_box(box, colors.raised, colors.line, look.line(), look.corner());
        draw_text(box.center(), cap, {Face::kSemiBold, px, colors.ink, Align::kCenter});
        at.x += width + 0.4f * px;
    }
    return at.x - left;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower;
}

// Whether each word of the filter is in the row or in the title of its group.
bool matches(const HelpGroup& group, const KeyHelp& key, std::string_view filter) {
    const std::string words = lower_case(filter);
    const std::string text = lower_case(std::string(group.title) + " " + key.keys + " " + key.does);
    return std::ranges::all_of(split(words, " "), [&](std::string_view word) {
        return text.find(word) != std::string::npos;
    });
}

class HelpCard {
  public:
    HelpCard(const Look& look, const Rect& screen, HelpMemory& memory)
        : look_(look), screen_(screen), memory_(memory), px_(type_px(look, 15)) {
        const float margin = look.margin();
        for (const HelpGroup& group : help_groups())
            for (const KeyHelp& key : group.keys)
                caps_ = std::max(
                    caps_, measured([&] { return draw_caps(look, {}, px_, key.keys); }) + px_);
        float text = 0;
        for (const HelpGroup& group : help_groups())
            text = std::max(text, widest(group.keys, Face::kRegular, px_, &KeyHelp::does));
        const float wide = caps_ + text + margin;
        const float room = screen.w - 2 * margin;
        // Two columns if they fit the screen; text that is wider than its column is wrapped.
        columns_ = 2 * wide + margin < room ? 2 : 1;
        column_ = std::min(wide, (room - margin) / static_cast<float>(columns_));
    }

    // Returns true when the help must be closed.
    bool draw() {
        const float margin = look_.margin(), head = 3 * px_;
        list_rows();
        const float length = *std::ranges::max_element(lengths_);
        // The height is that of all rows, so that the card keeps its place while the user types.
        full_ = std::max(full_of_all(), length);
        const Rect card = centered_card(screen_, static_cast<float>(columns_) * column_ + margin,
                                        std::min(screen_.h - margin, head + full_ + 2 * margin));
        begin_card(look_, "help", screen_, card, true);
        draw_text({card.x + margin, card.y + margin + px_}, "Keys",
                  {Face::kBold, 1.35f * px_, look_.colors().ink});
        const bool ends = draw_filter(card);
        const float top = card.y + margin + head;
        {
            const ScrollArea area(look_, {card.x, top, card.w, card.bottom() - margin - top},
                                  length, memory_.scroll);
            for (const Row& row : rows_) draw_row(row, card.x + margin, area.top());
            if (rows_.empty())
                draw_text({card.x + margin, area.top() + px_},
                          "No key has \"" + memory_.filter->text() + "\" in its description",
                          {Face::kRegular, px_, look_.colors().ink2});
        }
        return end_card(look_, "help.close", card) || ends;
    }

  private:
    struct Row {
        const char* title = nullptr;   // of a group; nullptr: a key
        const KeyHelp* key = nullptr;  // nullptr: the title
        std::size_t column = 0;
        float y = 0, height = 0;
        std::vector<std::string_view> lines{};
    };

    [[nodiscard]] std::vector<Row> rows_that_match(std::string_view filter) const {
        std::vector<Row> rows;
        for (const HelpGroup& group : help_groups()) {
            bool titled = false;
            for (const KeyHelp& key : group.keys) {
                if (!matches(group, key, filter)) continue;
                if (!titled) rows.push_back({.title = group.title, .height = kKeyRow * px_});
                titled = true;
                Row row{.key = &key};
                row.lines =
                    wrap_text(key.does, column_ - caps_ - look_.margin(), Face::kRegular, px_);
                row.height =
                    (kKeyRow + kRowLeading * static_cast<float>(row.lines.size() - 1)) * px_;
                rows.push_back(std::move(row));
            }
        }
        return rows;
    }

    // Gives each row its place. A column ends before a title where about half of all rows are.
    void place(std::vector<Row>& rows, std::array<float, 2>& lengths) const {
        float all = 0;
        for (const Row& row : rows) all += row.height;
        lengths = {};
        std::size_t column = 0;
        for (Row& row : rows) {
            const bool next =
                column + 1 < columns_ && row.title != nullptr && lengths[column] >= 0.45f * all;
            if (next) ++column;
            row.column = column;
            row.y = lengths[column];
            lengths[column] += row.height;
        }
    }

    void list_rows() {
        rows_ = rows_that_match(memory_.filter->text());
        place(rows_, lengths_);
    }
    [[nodiscard]] float full_of_all() const {
        std::vector<Row> all = rows_that_match({});
        std::array<float, 2> lengths{};
        place(all, lengths);
        return *std::ranges::max_element(lengths);
    }

    // Returns true if a key closes the help.
    bool draw_filter(const Rect& card) {
        const float margin = look_.margin(), button = look_.px(32) + extra_px(look_);
        const float left = card.x + margin + 5 * px_;
        const Rect field{left, std::round(card.y + margin), card.right() - margin - button - left,
                         std::round(2 * px_)};
        register_widget(kHelpFilter, field);
        draw_box(field, look_.colors().raised, look_.colors().accent, look_.frame(),
                 look_.corner());
        const Rect inner = field.inset(look_.gap());
        if (memory_.filter->text().empty())
            draw_text_fit({inner.x + look_.snug(), field.center().y}, inner.w - look_.snug(),
                          "Type to find a key", {Face::kRegular, px_, look_.colors().ink3});
        for (const KeyPress& press : claimed_keys(kHelpFilter)) {
            if (press.key == Key::kF1 || press.character == U'?') return true;
            scroll(press.key);
        }
        const auto end =
            memory_.filter->draw(kHelpFilter, inner, {Face::kRegular, px_, look_.colors().ink});
        return end == EditEnd::kEnter || end == EditEnd::kEscape;
    }

    void scroll(Key key) {
        if (key == Key::kUp) memory_.scroll -= 2 * px_;
        if (key == Key::kDown) memory_.scroll += 2 * px_;
        if (key == Key::kPageUp) memory_.scroll -= 0.6f * screen_.h;
        if (key == Key::kPageDown) memory_.scroll += 0.6f * screen_.h;
    }

    void draw_row(const Row& row, float left, float top) const {
        const float x = left + static_cast<float>(row.column) * column_;
        const float y = top + row.y + 0.5f * kKeyRow * px_;
        if (row.title != nullptr)
            return static_cast<void>(draw_text({x, y + 0.2f * px_}, row.title,
                                               {Face::kBold, px_, look_.colors().accent}));
        register_seen(std::string("help.key.") + row.key->keys,
                      {x, y - 0.82f * px_, column_ - look_.margin(), row.height});
        draw_caps(look_, {x, y}, px_, row.key->keys);
        draw_lines({x + caps_, y}, row.lines, {Face::kRegular, px_, look_.colors().ink2},
                   kRowLeading * px_);
    }

    const Look& look_;
    Rect screen_;
    HelpMemory& memory_;
    float px_, caps_ = 0, column_ = 0, full_ = 0;
    std::size_t columns_ = 1;
    std::vector<Row> rows_;
    std::array<float, 2> lengths_{};
};

}  // namespace

Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench,
                   PanelMemory& memory) {
    HelpMemory& help = memory.parts().help;
    if (!workbench.view().help) {
        help.filter.reset();
        return {};
    }
    if (!help.filter) {
        help.filter.emplace();
        help.filter->begin({});
        help.scroll = 0;
    }
    return HelpCard(look, screen, help).draw() ? Commands{ToggleHelp{}} : Commands{};
}

}  // namespace tilereel
