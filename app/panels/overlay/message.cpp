// The window's messages: errors, notices, and the progress of a slow recording.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/paragraph.h"
#include "app/panels/wrap_row.h"

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

// Draws a card with what write(room) writes, and returns true when it was dismissed. write()
// returns its height; `room` begins where it writes.
template <class Write>
bool draw_words_card(const Look& look, const Rect& foot, std::string_view tip, Write&& write) {
    const float pad = look.px(20), button = dismiss_size(look);
    Rect room{foot.x + pad, 0, foot.w - 3 * pad - button, 0};
    const float height = measured([&] { return write(room); });
    const Rect card = begin_message(look, foot, std::max(height, button) + 0.4f * pad);
    room.y = card.center().y - height / 2;
    write(room);
    const bool closed = dismissed(look, card, tip);
    end_card();
    return closed;
}

// Returns true when it was dismissed.
bool draw_text_card(const Look& look, const Rect& foot, std::string_view text) {
    const TextStyle style{Face::kRegular, type_px(look, 16), look.colors().ink};
    return draw_words_card(look, foot, "Close (Esc)", [&](const Rect& room) {
        return draw_paragraph(room.min(), room.w, text, style);
    });
}

// Returns true when it was clicked.
bool draw_suggestion(const Look& look, const Rect& rect, std::size_t index, bool chosen,
                     std::string_view label) {
    const Palette& colors = look.colors();
    const std::string name =
        index == 0 ? "message.fix" : "message.fix." + std::to_string(index + 1);
    const Touch touch = touch_area(
        look, name, rect,
        chosen ? "Enter takes it, Tab chooses another" : "Tab chooses it, Enter takes it");
    const ImU32 fill = chosen ? colors.accent : colors.panel;
    fill_rect(rect, touch.hovered ? mix(fill, colors.ink, 0.12f) : fill, look.corner());
    if (!chosen) stroke_rect(rect, colors.line, look.frame(), look.corner());
    draw_text(
        rect.center(), label,
        {Face::kSemiBold, type_px(look, 15), chosen ? colors.on : colors.ink, Align::kCenter});
    return touch.clicked;
}

Commands draw_suggestions_card(const Look& look, const Rect& foot,
                               const SizeSuggestions& suggestions, PanelMemory& memory) {
    const float px = type_px(look, 15);
    const std::size_t chosen = memory.chosen_suggestion(suggestions);
    std::optional<std::size_t> taken;
    const auto write = [&](const Rect& room) {
        const TextStyle style{Face::kRegular, type_px(look, 16), look.colors().ink};
        const float words = draw_paragraph(room.min(), room.w, suggestions.problem, style);
        WrapRow row({room.x, room.y + words + look.tight(), room.w, 0}, std::round(2 * px),
                    look.snug(), look.gap());
        for (std::size_t i = 0; i < suggestions.choices.size(); ++i) {
            const std::string label =
                suggestions.choices[i].label + (i == chosen ? "  (Enter)" : "");
            const float width = text_width(label, Face::kSemiBold, px) + look.margin();
            if (draw_suggestion(look, row.next(width), i, i == chosen, label)) taken = i;
        }
        return row.bottom() - room.y;
    };
    const bool closed = draw_words_card(look, foot, "Keep what is shown (Esc)", write);
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
