// The Pattern lab: an index expression, and the access that a warp makes with it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/patterns/pattern_views.h"
#include "app/panels/tab_row.h"
#include "app/ui/widgets/menu.h"

namespace tilereel {
namespace {

using View = PatternsMemory::View;
constexpr std::array<TabWord, 4> kViewsOfShared = {{{"Banks"}, {"Lanes"}, {"Patterns"}, {"Rows"}}};
constexpr std::array<TabWord, 4> kViewsOfGlobal = {{{"Lines"}, {"Lanes"}, {"Patterns"}, {"Rows"}}};
// In multiples of the body font size. A smaller room shows one view at a time.
constexpr float kLeastPatternColumns = 88, kLeastPatternRows = 46;
constexpr float kLeastViewRows = 12;  // of one view; with less the controls are compact

// All views at once: the picture of the access, below it the table of the current and the classical
// patterns, and at the right the lanes.
void draw_pattern_page(const PatternContext& lab, const Rect& room) {
    const float gap = lab.look.gap();
    const float side = std::round(std::clamp(0.3f * room.w, lab.look.px(380), lab.look.px(900)));
    const Rect lanes{room.right() - side, room.y, side, room.h};
    const float left = room.w - side - gap;
    const auto rows = static_cast<float>(lab.lab.neighbours().size());
    const float wanted = lab.look.px(84) + 2 * extra_px(lab.look) + rows * row_px(lab.look, 30);
    const float below = std::round(std::min(wanted, 0.5f * room.h));
    const Rect picture{room.x, room.y, left, room.h - below - gap};
    const Rect neighbours{room.x, picture.bottom() + gap, left, below};
    for (const Rect& card : {picture, neighbours, lanes}) draw_card(lab.look, card);
    draw_pattern_picture(lab, picture);
    draw_pattern_neighbours(lab, neighbours);
    draw_pattern_lanes(lab, lanes);
}

// One view at a time, with tabs. `rows`: there is a tab for the layout of the array's rows.
void draw_pattern_view(const PatternContext& lab, const Rect& room, bool rows) {
    if (!rows && lab.memory.view == View::kLayout) lab.memory.view = View::kPicture;
    const Rect card = draw_tabbed_card(
        lab.look, "patterns.views", room,
        std::span(lab.shared() ? kViewsOfShared : kViewsOfGlobal).first(rows ? 4 : 3),
        static_cast<std::size_t>(lab.memory.view),
        [&](int chosen) { lab.memory.view = static_cast<View>(chosen); });
    switch (lab.memory.view) {
        case View::kPicture:
            return draw_pattern_picture(lab, card);
        case View::kLanes:
            return draw_pattern_lanes(lab, card);
        case View::kPatterns:
            return draw_pattern_neighbours(lab, card);
        case View::kLayout:
            PatternRow row(lab, inside_card(lab.look, card));
            return add_pattern_layout(lab, row);
    }
}

// The cost of the access or, if the expression is wrong, its error.
Sentence sentence_of_lab(const PatternLab& lab) {
    if (!lab.problem().empty())
        return {{Tone::kConflict, lab.problem()},
                {Tone::kPlain, ". The picture shows "},
                {Tone::kStrong, lab.answered().expression},
                {Tone::kPlain, "."}};
    const PatternAnswer& answer = lab.answer();
    const std::string& text = answer.sentence;
    const std::size_t cost = text.find("it takes ");
    if (answer.pattern.space != Space::kShared || cost == std::string::npos)
        return {{Tone::kPlain, text}};
    const std::size_t end = std::min(text.find(" where ", cost), text.size());
    const Tone tone = answer.cost.bank_conflicts > 0 ? Tone::kConflict : Tone::kStrong;
    return {{Tone::kPlain, text.substr(0, cost)},
            {tone, text.substr(cost, end - cost)},
            {Tone::kPlain, text.substr(end)}};
}

}  // namespace

Rect PatternRow::next(const char* caption, float width) {
    const float px = lab_.type(13), words = text_width(caption, Face::kRegular, px);
    width = std::round(std::min(width, width_));
    const Rect place = row_.next(std::min(std::max(width, words), width_));
    draw_text({place.x, place.y + 0.4f * caption_}, caption,
              {Face::kRegular, std::min(px, px * width_ / words), lab_.colors().ink3});
    return {std::round(place.x), std::round(place.y + caption_), width, std::round(control_)};
}

std::optional<std::size_t> PatternRow::menu(const char* caption, const char* name,
                                            const std::vector<std::string>& choices,
                                            std::size_t current, const char* tip) {
    const float width = widest(choices, Face::kSemiBold, lab_.look.font_px(15));
    const int chosen = choice_chip(lab_.look, name, next(caption, width + lab_.look.px(40)), "",
                                   choices, static_cast<int>(current), tip);
    return chosen < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(chosen));
}

bool PatternRow::slider(const char* caption, const char* name, const std::string& figure,
                        int& value, int most, const char* tip) {
    const Rect place = next(caption, lab_.look.px(200) + 4 * extra_px(lab_.look));
    const TextStyle style{Face::kMonoBold, lab_.look.font_px(15), lab_.colors().ink};
    const float figures = text_width("off ", style);
    draw_text({place.x, place.center().y}, figure, style);
    return whole_slider(lab_.look, name, {place.x + figures, place.y, place.w - figures, place.h},
                        value, 0, most, tip);
}

Commands draw_pattern_lab(const Look& look, const Rect& room, const Rect& sentence,
                          const Workbench& workbench, PanelMemory& memory) {
    Commands commands;
    PatternContext lab{look, workbench.lab(), memory.parts().patterns, commands,
                       workbench.view().motion};
    const float gap = look.gap(), pad = look.pad();
    const float em = type_px(look, 14), inner = room.w - 2 * pad;
    const bool whole = room.w >= kLeastPatternColumns * em && room.h >= kLeastPatternRows * em;
    const auto height_of = [&](bool rows) {
        return measured([&] { return draw_pattern_controls(lab, {0, 0, inner, 0}, rows); });
    };
    lab.compact = !whole && room.h - height_of(false) < kLeastViewRows * em;
    // The controls of the row layout are beside the others if all views are shown, or if they need
    // no additional line. Otherwise they have a tab.
    const float all = height_of(true), height = whole ? all : height_of(false);
    const bool with_rows = all <= height;
    const Rect controls{room.x, room.y, room.w, std::round(height + 1.25f * pad)};
    draw_card(lab.look, controls);
    draw_pattern_controls(lab, {controls.x + pad, controls.y + pad / 2, inner, height}, with_rows);
    const Rect body{room.x, controls.bottom() + gap, room.w,
                    room.bottom() - controls.bottom() - gap};
    if (whole)
        draw_pattern_page(lab, body);
    else
        draw_pattern_view(lab, body, !with_rows);
    draw_sentence_text(look, sentence, sentence_of_lab(workbench.lab()));
    return commands;
}

}  // namespace tilereel
