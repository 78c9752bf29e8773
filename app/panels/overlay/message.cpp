// The window's messages: errors, notices, and the progress of a slow recording.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/paragraph.h"

namespace tilereel {
namespace {

constexpr double kShowProgressAfterSeconds = 0.15;
constexpr double kNoticeSeconds = 8;

// A rectangle over the sentence, extended upwards as needed, so that it does not cover the picture.
Rect card_of(const Rect& foot, float height) {
    const float tall = std::round(std::max(height, foot.h));
    return {foot.x, std::max(0.0f, foot.bottom() - tall), foot.w, tall};
}

// Begins the card of a message. Returns its rectangle.
Rect begin_message(const Look& look, const Rect& foot, float height) {
    const Rect card = card_of(foot, height);
    begin_card(look, "message", foot, card, false);
    fill_rect({card.x, card.y, look.snug(), card.h}, look.colors().accent, look.px(3));
    return card;
}

float dismiss_size(const Look& look) { return look.px(32) + extra_px(look); }
bool dismissed(const Look& look, const Rect& card, std::string_view tip) {
    const float size = dismiss_size(look);
    return icon_button(
        look, "message.dismiss",
        {card.right() - look.px(10) - size, std::round(card.center().y - size / 2), size, size},
        Icon::kClose, false, tip);
}

// Returns true when it was dismissed.
bool draw_text_card(const Look& look, const Rect& foot, std::string_view text) {
    const float px = type_px(look, 16), pad = look.px(20), button = dismiss_size(look);
    const float room = foot.w - 3 * pad - button;
    const TextStyle style{Face::kRegular, px, look.colors().ink};
    const float words = paragraph_height(text, room, style);
    const Rect card = begin_message(look, foot, std::max(words, button) + 0.4f * pad);
    draw_paragraph({card.x + pad, card.center().y - words / 2}, room, text, style);
    const bool closed = dismissed(look, card, "Close (Esc)");
    end_card();
    return closed;
}

constexpr std::string_view kTakesIt = "  (Enter)";  // shown after the suggestion that Enter applies

// The suggestions side by side, or stacked if they are too wide.
struct SuggestionButtons {
    float px = 0, height = 0, gap = 0;
    bool stacked = false;
    std::vector<float> widths;
    float width = 0, total_height = 0;
};
SuggestionButtons plan_suggestions(const Look& look, const SizeSuggestions& suggestions,
                                   float room) {
    SuggestionButtons plan;
    plan.gap = look.gap();
    for (plan.px = look.font_px(15); plan.px > look.px(10); plan.px -= 1) {
        plan.widths.clear();
        float all = -plan.gap, widest = 0;
        for (const SizeSuggestion& suggestion : suggestions.choices) {
            const float width =
                text_width(suggestion.label + std::string(kTakesIt), Face::kSemiBold, plan.px) +
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
    const auto rows = static_cast<float>(plan.stacked ? suggestions.choices.size() : 1);
    plan.total_height = rows * plan.height + (rows - 1) * plan.gap;
    return plan;
}

std::optional<std::size_t> draw_suggestions(const Look& look, ImVec2 at,
                                            const SuggestionButtons& plan,
                                            const SizeSuggestions& suggestions,
                                            std::size_t chosen) {
    const Palette& colors = look.colors();
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < suggestions.choices.size(); ++i) {
        const Rect rect{std::round(at.x), std::round(at.y),
                        std::round(plan.stacked ? plan.width : plan.widths[i]), plan.height};
        const std::string name = i == 0 ? "message.fix" : "message.fix." + std::to_string(i + 1);
        const Touch touch = touch_area(
            look, name, rect,
            i == chosen ? "Enter takes it, Tab chooses another" : "Tab chooses it, Enter takes it");
        const ImU32 fill = i == chosen ? colors.accent : colors.panel;
        fill_rect(rect, touch.hovered ? mix(fill, colors.ink, 0.12f) : fill, look.corner());
        if (i != chosen) stroke_rect(rect, colors.line, look.frame(), look.corner());
        const std::string label =
            suggestions.choices[i].label + std::string(i == chosen ? kTakesIt : std::string_view());
        draw_text(rect.center(), label,
                  {Face::kSemiBold, plan.px, i == chosen ? colors.on : colors.ink, Align::kCenter});
        if (touch.clicked) clicked = i;
        (plan.stacked ? at.y : at.x) += (plan.stacked ? plan.height : plan.widths[i]) + plan.gap;
    }
    return clicked;
}

Commands draw_suggestions_card(const Look& look, const Rect& foot,
                               const SizeSuggestions& suggestions, PanelMemory& memory) {
    const float px = type_px(look, 16), pad = look.px(20);
    const float room = foot.w - 3 * pad - dismiss_size(look);
    const float words = text_width(suggestions.problem, Face::kRegular, px);
    // Problem and suggestions are on one row if they fit.
    SuggestionButtons buttons = plan_suggestions(look, suggestions, room - words - pad);
    const bool one_row = !buttons.stacked && words + pad + buttons.width <= room;
    if (!one_row) buttons = plan_suggestions(look, suggestions, room);
    const TextStyle style{Face::kRegular, px, look.colors().ink};
    const float text_height = paragraph_height(suggestions.problem, room, style);
    const float below = text_height + 0.4f * pad + buttons.total_height;
    const float inner = one_row ? std::max(text_height, buttons.height) : below;
    const Rect card = begin_message(look, foot, inner + 0.6f * pad);
    const float top = card.center().y - inner / 2, middle = card.center().y;
    draw_paragraph({card.x + pad, one_row ? middle - text_height / 2 : top}, room,
                   suggestions.problem, style);
    const ImVec2 at = one_row ? ImVec2{card.x + 2 * pad + words, middle - buttons.height / 2}
                              : ImVec2{card.x + pad, top + text_height + 0.4f * pad};
    const auto taken =
        draw_suggestions(look, at, buttons, suggestions, memory.chosen_suggestion(suggestions));
    const bool closed = dismissed(look, card, "Keep what is shown (Esc)");
    end_card();
    if (taken) return {TakeSuggestion{*taken}};
    if (closed) return {DismissMessage{}};
    return {};
}

std::string progress_words(const RecordProgress& progress) {
    if (progress.compiling.load()) return "Compiling the kernel: its TILE or PAD is not built in";
    const std::uint32_t blocks = progress.blocks.load();
    if (blocks == 0) return "Recording";
    return "Recording: block " + with_commas(std::min(progress.blocks_done.load(), blocks)) +
           " of " + with_commas(blocks);
}

bool draw_progress_card(const Look& look, const Rect& foot, const RecordProgress& progress) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 16), pad = look.px(20);
    const float button_height = std::round(px * 2.1f);
    const std::uint32_t blocks = progress.blocks.load();
    const std::string words = progress_words(progress);
    const std::string widest = progress.compiling.load()
                                   ? words
                                   : "Recording: block " + with_commas(blocks) + " of " +
                                         with_commas(std::max(blocks, 100u));
    const float bar = text_width(widest, Face::kRegular, px);
    const Rect card = card_of(foot, std::max(2.2f * px, button_height) + 0.4f * pad);
    begin_card(look, "message", foot, card, false);
    draw_text({card.x + pad, card.center().y - 0.35f * px}, words,
              {Face::kRegular, px, colors.ink});
    const Rect track{card.x + pad, card.center().y + 0.6f * px, bar, look.tight()};
    const float share = blocks == 0
                            ? 0
                            : std::min(1.0f, static_cast<float>(progress.blocks_done.load()) /
                                                 static_cast<float>(blocks));
    if (progress.compiling.load()) {
        // The progress is unknown, so a part of the bar moves to and fro.
        fill_rect(track, colors.line, look.px(2));
        constexpr float kPart = 0.25f;
        const auto moved = static_cast<float>(0.5 - 0.5 * std::cos(2.5 * look.now_seconds));
        fill_rect({track.x + (1 - kPart) * moved * track.w, track.y, kPart * track.w, track.h},
                  colors.accent, look.px(2));
    } else {
        draw_share(track, share, colors.line, colors.accent, look.px(2));
    }
    ButtonRow row(look, {card.x, std::round(card.center().y - button_height / 2), card.w - pad,
                         button_height});
    const bool cancelled =
        row.from_right("message.cancel", "Cancel", false, "Stop recording and keep what is shown");
    end_card();
    return cancelled;
}

}  // namespace

Commands draw_message(const Look& look, const Rect& foot, const Workbench& workbench,
                      PanelMemory& memory) {
    Commands commands;
    MessageMemory& state = memory.parts().message;
    if (workbench.size_suggestions() != nullptr)
        return draw_suggestions_card(look, foot, *workbench.size_suggestions(), memory);
    const RecordProgress* progress = workbench.recording_progress();
    if (progress == nullptr)
        state.recording_since = -1;
    else if (state.recording_since < 0)
        state.recording_since = look.now_seconds;
    if (progress != nullptr &&
        look.now_seconds - state.recording_since >= kShowProgressAfterSeconds) {
        if (draw_progress_card(look, foot, *progress)) commands.push_back(CancelRecording{});
        return commands;
    }
    if (!workbench.message().empty()) {
        if (draw_text_card(look, foot, workbench.message())) commands.push_back(DismissMessage{});
        return commands;
    }
    if (state.notice.empty()) return commands;
    if (state.notice_since < 0) state.notice_since = look.now_seconds;
    const bool over = look.now_seconds - state.notice_since > kNoticeSeconds;
    if (draw_text_card(look, foot, state.notice))
        memory.dismiss_notice();
    else if (over)
        state.notice.clear();
    return commands;
}

}  // namespace tilereel
