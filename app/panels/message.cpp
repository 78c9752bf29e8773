// What the window has to say: errors, notices, and a recording that takes a while.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay.h"
#include "app/panels/paragraph.h"

namespace tilereel {
namespace {

constexpr double kShowProgressAfterSeconds = 0.15;
constexpr double kNoticeSeconds = 8;

// A card at the bottom of the screen's middle, above timeline and sentence.
Rect card_of(const Look& look, const Rect& screen, float width, float height) {
    const float bottom = screen.bottom() - 0.26f * screen.h;
    return {std::round(screen.center().x - width / 2),
            std::round(std::max(look.px(8), bottom - height)), std::round(width),
            std::round(height)};
}

// True when it was dismissed.
bool draw_text_card(const Look& look, const Rect& screen, std::string_view text) {
    const float px = type_px(look, 16), pad = look.px(20), button = look.px(32) + extra_px(look);
    const float most = std::min(screen.w - look.px(32), look.px(900));
    const float text_room = most - 3 * pad - button;
    const auto lines = wrap_text(text, text_room, Face::kRegular, px);
    float widest = 0;
    for (const std::string_view line : lines)
        widest = std::max(widest, text_width(line, Face::kRegular, px));
    const float height = std::max(paragraph_height(lines.size(), px), button) + 1.4f * pad;
    const Rect card = card_of(look, screen, widest + 3 * pad + button, height);
    begin_card(look, "message", screen, card, false);
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_rect(list, {card.x, card.y, look.px(6), card.h}, look.colors().accent, look.px(3));
    draw_paragraph(list, {card.x + pad, card.center().y - paragraph_height(lines.size(), px) / 2},
                   widest + 2, text, {Face::kRegular, px, look.colors().ink});
    const bool closed = icon_button(
        look, "message.dismiss",
        {card.right() - pad / 2 - button, std::round(card.center().y - button / 2), button, button},
        Icon::kClose, false, "Close (Esc)");
    end_card();
    return closed;
}

constexpr std::string_view kTakesIt = "  (Enter)";  // after the way that Enter takes

// The ways out, side by side, or one below the other where that is too wide.
struct WayButtons {
    float px = 0, height = 0, gap = 0;
    bool stacked = false;
    std::vector<float> widths;
    float width = 0, total_height = 0;
};
WayButtons plan_ways(const Look& look, const Offer& offer, float room) {
    WayButtons plan;
    plan.gap = look.px(8);
    for (plan.px = look.font_px(15); plan.px > look.px(10); plan.px -= 1) {
        plan.widths.clear();
        float all = -plan.gap, widest = 0;
        for (const WayOut& way : offer.ways) {
            const float width =
                text_width(way.label + std::string(kTakesIt), Face::kSemiBold, plan.px) +
                look.px(28);
            plan.widths.push_back(width);
            all += width + plan.gap;
            widest = std::max(widest, width);
        }
        plan.stacked = all > room;
        plan.width = plan.stacked ? widest : all;
        if (plan.width <= room) break;
    }
    plan.height = std::round(2.1f * plan.px);
    const auto rows = static_cast<float>(plan.stacked ? offer.ways.size() : 1);
    plan.total_height = rows * plan.height + (rows - 1) * plan.gap;
    return plan;
}

std::optional<std::size_t> draw_ways(const Look& look, ImVec2 at, const WayButtons& plan,
                                     const Offer& offer, std::size_t chosen) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < offer.ways.size(); ++i) {
        const Rect rect{std::round(at.x), std::round(at.y),
                        std::round(plan.stacked ? plan.width : plan.widths[i]), plan.height};
        const std::string name = i == 0 ? "message.fix" : "message.fix." + std::to_string(i + 1);
        const Touch touch = touch_area(
            look, name, rect,
            i == chosen ? "Enter takes it, Tab chooses another" : "Tab chooses it, Enter takes it");
        const ImU32 fill = i == chosen ? colors.accent : colors.panel;
        fill_rect(list, rect, touch.hovered ? mix(fill, colors.ink, 0.12f) : fill, look.px(6));
        if (i != chosen) stroke_rect(list, rect, colors.line, look.px(1.5f), look.px(6));
        const std::string label =
            offer.ways[i].label + std::string(i == chosen ? kTakesIt : std::string_view());
        draw_text(list, rect.center(), label,
                  {Face::kSemiBold, plan.px, i == chosen ? colors.on : colors.ink, Align::kCenter});
        if (touch.clicked) clicked = i;
        (plan.stacked ? at.y : at.x) += (plan.stacked ? plan.height : plan.widths[i]) + plan.gap;
    }
    return clicked;
}

Commands draw_offer_card(const Look& look, const Rect& screen, const Offer& offer,
                         PanelMemory& memory) {
    const float px = type_px(look, 16), pad = look.px(20), close = look.px(32) + extra_px(look);
    const float room = std::min(screen.w - look.px(32), look.px(900)) - 3 * pad - close;
    const auto lines = wrap_text(offer.problem, room, Face::kRegular, px);
    const float text_height = paragraph_height(lines.size(), px);
    const WayButtons ways = plan_ways(look, offer, room);
    float widest = ways.width;
    for (const std::string_view line : lines)
        widest = std::max(widest, text_width(line, Face::kRegular, px));
    const float height = text_height + 0.7f * pad + ways.total_height + 1.6f * pad;
    const Rect card = card_of(look, screen, widest + 3 * pad + close, height);
    begin_card(look, "message", screen, card, false);
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_rect(list, {card.x, card.y, look.px(6), card.h}, look.colors().accent, look.px(3));
    const float top = card.y + 0.8f * pad;
    draw_paragraph(list, {card.x + pad, top}, widest + 2, offer.problem,
                   {Face::kRegular, px, look.colors().ink});
    const auto taken = draw_ways(look, {card.x + pad, top + text_height + 0.7f * pad}, ways, offer,
                                 memory.chosen_way(offer));
    const bool closed =
        icon_button(look, "message.dismiss",
                    {card.right() - pad / 2 - close, std::round(card.y + pad / 2), close, close},
                    Icon::kClose, false, "Keep what is shown (Esc)");
    end_card();
    if (taken) return {TakeWayOut{*taken}};
    if (closed) return {DismissMessage{}};
    return {};
}

std::string progress_words(const RecordProgress& progress) {
    const std::uint32_t blocks = progress.blocks.load();
    if (blocks == 0) return "Recording";
    return "Recording: block " + with_commas(std::min(progress.blocks_done.load(), blocks)) +
           " of " + with_commas(blocks);
}

bool draw_progress_card(const Look& look, const Rect& screen, const RecordProgress& progress) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 16), pad = look.px(20);
    const float button_height = std::round(px * 2.1f);
    const float button = text_width("Cancel", Face::kSemiBold, look.font_px(15)) + look.px(32);
    const std::uint32_t blocks = progress.blocks.load();
    const std::string words = progress_words(progress);
    const std::string widest =
        "Recording: block " + with_commas(blocks) + " of " + with_commas(std::max(blocks, 100u));
    const float bar = text_width(widest, Face::kRegular, px);
    const Rect card =
        card_of(look, screen, bar + button + 3 * pad, std::max(2.6f * px, button_height) + pad);
    begin_card(look, "progress", screen, card, false);
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_text(list, {card.x + pad, card.center().y - 0.45f * px}, words,
              {Face::kRegular, px, colors.ink});
    const Rect track{card.x + pad, card.center().y + 0.7f * px, bar, look.px(4)};
    fill_rect(list, track, colors.line, look.px(2));
    const float share = blocks == 0
                            ? 0
                            : std::min(1.0f, static_cast<float>(progress.blocks_done.load()) /
                                                 static_cast<float>(blocks));
    fill_rect(list, {track.x, track.y, track.w * share, track.h}, colors.accent, look.px(2));
    const bool cancelled =
        text_button(look, "message.cancel",
                    {card.right() - pad - button, std::round(card.center().y - button_height / 2),
                     button, button_height},
                    "Cancel", false, "Stop recording and keep what is shown");
    end_card();
    return cancelled;
}

}  // namespace

Commands draw_message(const Look& look, const Rect& screen, const Workbench& workbench,
                      PanelMemory& memory) {
    Commands commands;
    PanelMemory::State& state = memory.state();
    if (workbench.offer() != nullptr)
        return draw_offer_card(look, screen, *workbench.offer(), memory);
    const RecordProgress* progress = workbench.recording_progress();
    if (progress == nullptr)
        state.recording_since = -1;
    else if (state.recording_since < 0)
        state.recording_since = look.now_seconds;
    if (progress != nullptr &&
        look.now_seconds - state.recording_since >= kShowProgressAfterSeconds) {
        if (draw_progress_card(look, screen, *progress)) commands.push_back(CancelRecording{});
        return commands;
    }
    if (!workbench.message().empty()) {
        if (draw_text_card(look, screen, workbench.message())) commands.push_back(DismissMessage{});
        return commands;
    }
    if (state.notice.empty()) return commands;
    if (state.notice_since < 0) state.notice_since = look.now_seconds;
    const bool over = look.now_seconds - state.notice_since > kNoticeSeconds;
    if (draw_text_card(look, screen, state.notice) || over) state.notice.clear();
    return commands;
}

}  // namespace tilereel
