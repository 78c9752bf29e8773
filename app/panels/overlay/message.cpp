// The window's messages: errors, notices, and the progress of a slow recording.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/panels/measure.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/wrap_row.h"

namespace tilereel {
namespace {

constexpr double kShowProgressAfterSeconds = 0.15;
constexpr double kNoticeSeconds = 8;
constexpr std::string_view kDismiss = "message.dismiss";

// Begins the card of a message. It covers the sentence (`foot`), not the picture. A card that needs
// more height extends upwards. Returns its rectangle.
Rect begin_message(const Look& look, const Rect& foot, float height, bool is_error) {
    const float tall = std::round(std::max(height, foot.h));
    const Rect card{foot.x, std::max(0.0f, foot.bottom() - tall), foot.w, tall};
    begin_card(look, "message", foot, card, false, WindowFocus::kLeave);
    const Palette& colors = look.colors();
    if (is_error) {
        register_widget("message.error", card);
        draw_box(card, colors.conflict_tint, colors.conflict, look.frame(), look.card_corner());
    }
    fill_rect({card.x, card.y, is_error ? look.wide() : look.snug(), card.h},
              is_error ? colors.conflict : colors.accent, look.px(3));
    return card;
}

// Draws a card with a close button. write(room) draws the contents from the top left corner of
// `room` and returns their height. Returns true when the card was dismissed.
template <class Write>
bool draw_words_card(const Look& look, const Rect& foot, std::string_view close,
                     std::string_view tip, bool is_error, Write&& write) {
    const float pad = look.px(20), button = look.px(32) + extra_px(look);
    Rect room{foot.x + pad, 0, foot.w - 3 * pad - button, 0};
    const float height = measured([&] { return write(room); });
    const Rect card = begin_message(look, foot, std::max(height, button) + 0.4f * pad, is_error);
    room.y = card.center().y - height / 2;
    write(room);
    const bool closed = icon_button(
        look, close,
        {card.right() - look.gap() - button, card.center().y - button / 2, button, button},
        Icon::kClose, false, tip);
    ImGui::End();
    return closed;
}

// Returns true when it was dismissed.
bool draw_text_card(const Look& look, const Rect& foot, std::string_view text, bool is_error) {
    const TextStyle style{Face::kRegular, type_px(look, 16), look.colors().ink};
    return draw_words_card(look, foot, kDismiss, "Close (Esc)", is_error, [&](const Rect& room) {
        return draw_paragraph(room.min(), room.w, text, style);
    });
}

Commands draw_suggestions_card(const Look& look, const Rect& foot,
                               const SizeSuggestions& suggestions, PanelMemory& memory) {
    const std::size_t chosen = memory.chosen_suggestion(suggestions);
    std::optional<std::size_t> taken;
    const auto write = [&](const Rect& room) {
        const TextStyle style{Face::kRegular, type_px(look, 16), look.colors().ink};
        // A short problem is on the line of the suggestions.
        const std::string& problem = suggestions.problem;
        const float width = text_width(problem, style);
        const float above = width > room.w ? draw_paragraph(room.min(), room.w, problem, style) : 0;
        WrapRow row({room.x, room.y + above, room.w, 0}, row_px(look, 32), look.snug(), look.gap());
        if (width <= room.w) {
            const Rect place = row.next(width + look.gap());
            draw_text({place.x, place.center().y}, problem, style);
        }
        for (std::size_t i = 0; i < suggestions.choices.size(); ++i) {
            const std::string name = "message.fix" + (i == 0 ? "" : "." + std::to_string(i + 1));
            const std::string label =
                suggestions.choices[i].label + (i == chosen ? "  (Enter)" : "");
            if (text_button(look, name, row.next(button_width(look, label)), label, i == chosen,
                            i == chosen ? "Enter takes it, Tab chooses another"
                                        : "Tab chooses it, Enter takes it"))
                taken = i;
        }
        return row.bottom() - room.y;
    };
    const bool closed =
        draw_words_card(look, foot, kDismiss, "Keep what is shown (Esc)", false, write);
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

Commands draw_progress_card(const Look& look, const Rect& foot, const RecordProgress& progress) {
    const Palette& colors = look.colors();
    const TextStyle style{Face::kRegular, type_px(look, 16), colors.ink};
    const float done = static_cast<float>(progress.blocks_done.load()) /
                       static_cast<float>(std::max(progress.blocks.load(), 1u));
    const auto write = [&](const Rect& room) {
        const float words = draw_paragraph(room.min(), room.w, progress_words(progress), style);
        draw_share({room.x, room.y + words, 16 * style.px, look.tight()}, std::min(done, 1.0f),
                   colors.cell, colors.accent, look.hair());
        return words + look.tight();
    };
    if (draw_words_card(look, foot, "message.cancel", "Stop recording and keep what is shown",
                        false, write))
        return {CancelRecording{}};
    return {};
}

// "No finding after this moment" may be wrong of the next replay, and would cover what an edit has
// changed.
void end_notice_of_former_replay(const Workbench& workbench, MessageMemory& state) {
    const std::uint64_t shown = workbench.replay() == nullptr ? 0 : workbench.replay()->id();
    const std::uint64_t former = std::exchange(state.replay, shown);
    if (former != 0 && former != shown && !state.notice_is_error) state.notice.clear();
}

}  // namespace

Commands draw_message(const Look& look, const Rect& foot, const Workbench& workbench,
                      PanelMemory& memory) {
    MessageMemory& state = memory.parts().message;
    end_notice_of_former_replay(workbench, state);
    if (workbench.size_suggestions() != nullptr)
        return draw_suggestions_card(look, foot, *workbench.size_suggestions(), memory);
    const RecordProgress* progress = workbench.recording_progress();
    if (progress == nullptr)
        state.recording_since = -1;
    else if (state.recording_since < 0)
        state.recording_since = look.now_seconds;
    if (progress != nullptr &&
        look.now_seconds - state.recording_since >= kShowProgressAfterSeconds)
        return draw_progress_card(look, foot, *progress);
    if (!workbench.message().empty())
        return draw_text_card(look, foot, workbench.message(), workbench.message_is_error())
                   ? Commands{DismissMessage{}}
                   : Commands{};
    if (state.notice.empty()) return {};
    if (state.notice_since < 0) state.notice_since = look.now_seconds;
    const bool over = look.now_seconds - state.notice_since > kNoticeSeconds;
    if (draw_text_card(look, foot, state.notice, state.notice_is_error))
        memory.dismiss_notice();
    else if (over)
        state.notice.clear();
    return {};
}

}  // namespace tilereel
