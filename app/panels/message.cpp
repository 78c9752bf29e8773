// What the window has to say: errors, notices, and a recording that takes a while.
#include <algorithm>
#include <cmath>

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
