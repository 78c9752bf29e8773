// The editor of the program's own file, in the place of the source.
#include <algorithm>
#include <cmath>

#include "app/panels/edit/editor_keys.h"
#include "app/panels/edit/editor_picture.h"
#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr const char* kEditor = "source.edit";

// Scrolls so that the caret is seen, and by wheel and bars.
void scroll_to_caret(const Look& look, const EditorMeasures& m, SourceEdit& edit) {
    const float rows = std::max(1.0f, std::floor(m.body.h / m.row));
    const float columns = std::max(8.0f, (m.body.right() - m.left) / m.advance - 2);
    edit.rows = static_cast<std::size_t>(rows);
    const auto lines = static_cast<float>(edit.buffer.lines());
    if (std::exchange(edit.reveals, false)) {
        const TextPlace caret = edit.buffer.place_of(edit.buffer.caret());
        const auto line = static_cast<float>(caret.line), column = static_cast<float>(caret.column);
        const float margin = std::min(3.0f, (rows - 1) / 2);
        edit.scroll = std::clamp(edit.scroll, line + margin + 1 - rows, line - margin);
        edit.aside = std::clamp(edit.aside, column - columns + 4, std::max(0.0f, column - 4));
        if (column < columns) edit.aside = 0;
    }
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsWindowHovered() && m.body.contains(io.MousePos)) {
        edit.scroll -= 3 * io.MouseWheel;
        edit.aside -= 4 * io.MouseWheelH;
    }
    float pixels = edit.scroll * m.row;
    if (lines > rows) scroll_bar(look, m.body, lines * m.row, pixels, false);
    edit.scroll = std::round(std::clamp(pixels / m.row, 0.0f, std::max(0.0f, lines - rows)));
    edit.aside = std::max(0.0f, std::round(edit.aside));
}

// A click sets the caret, a drag selects, a second click selects a word.
void follow_mouse(const Look& look, const EditorMeasures& m, SourceEdit& edit) {
    const Interaction mouse = interact(look, "source.edit.text", m.body, {});
    if (!mouse.hovered && !mouse.held) return;
    const ImVec2 at = ImGui::GetIO().MousePos;
    const float row = std::max(0.0f, (at.y - m.body.y) / m.row + edit.scroll);
    const float column = std::max(0.0f, (at.x - m.left) / m.advance + edit.aside);
    const TextPlace place{static_cast<std::size_t>(row), static_cast<std::size_t>(column + 0.5f)};
    if (ImGui::IsMouseDoubleClicked(0) && mouse.hovered) {
        edit.buffer.set_caret(edit.buffer.offset_of(place), false);
        return edit.buffer.select_word();
    }
    if (ImGui::IsMouseClicked(0) && mouse.hovered)
        edit.buffer.set_caret(edit.buffer.offset_of(place), ImGui::GetIO().KeyShift);
    else if (mouse.held && ImGui::IsMouseDragging(0))
        edit.buffer.set_caret(edit.buffer.offset_of(place), true);
}

// Another program has saved the file, and it ran again: its text is shown, unless there is an edit.
void take_new_text(SourceEdit& edit, const RanText& ran) {
    if (ran.text == edit.program_ran) return;
    edit.program_ran = ran.text;
    if (ran.text.empty() || ran.text == edit.on_disk || edit.buffer.changed()) return;
    edit.on_disk = ran.text;
    edit.buffer.replace_all(std::string(ran.text));
    edit.buffer.mark_saved();
}

std::string question_words(const SourceEdit& edit) {
    if (!edit.problem.empty()) return "Not saved: " + edit.problem;
    if (edit.question == EditQuestion::kLeave)
        return "Your changes are not saved. Ctrl+S saves them, Esc again drops them.";
    if (edit.question == EditQuestion::kReplace)
        return "Not saved: another program has changed the file. Ctrl+S again replaces it, Ctrl+R "
               "reads it.";
    return {};
}

// The compiler's words about the line of the caret; empty: it says nothing.
std::string error_at_caret(const SourceEdit& edit, const RanText& ran) {
    const std::size_t line = edit.buffer.place_of(edit.buffer.caret()).line + 1;
    if (line >= edit.former.size() || edit.former[line] == 0) return {};
    const auto found =
        std::ranges::find(ran.errors, edit.former[line], &program::CompileError::line);
    return found == ran.errors.end() ? std::string() : found->message;
}

// Draws the field of Ctrl+F. Enter and Down find the next occurrence, Up the one before.
void draw_find(const Look& look, const Rect& row, SourceEdit& edit) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 14);
    const float label =
        draw_text({row.x, row.center().y}, "find", {Face::kRegular, px, colors.ink2});
    const Rect field{row.x + label + look.gap(), row.y, row.w - label - look.gap(), row.h};
    fill_rect(field, colors.raised, look.px(4));
    register_widget("source.find", field);
    const Rect inner{field.x + look.gap(), field.y, field.w - 2 * look.gap(), field.h};
    const auto end = edit.find->draw(
        "source.find.text", inner, {Face::kMono, px, edit.not_found ? colors.conflict : colors.ink},
        ArrowsAtEnds::kLeave);
    if (!end) return;
    edit.searched = edit.find->text();
    if (*end == EditEnd::kEscape || *end == EditEnd::kTab || *end == EditEnd::kBackTab) {
        edit.find.reset();
        edit.not_found = false;
        claim_keys(kEditor);
        return;
    }
    edit.not_found = !edit.buffer.find(edit.searched, *end == EditEnd::kUp);
    edit.reveals = true;
    edit.find->begin(edit.searched);
    claim_keys("source.find.text", KeysOf::kWaiting);
}

}  // namespace

float editor_width(const Look& look) {
    constexpr float kColumns = 92;
    const float px = std::floor(type_px(look, look.narrow ? 12 : 13));
    return kColumns * text_width("0", Face::kMono, px);
}

Commands draw_source_editor(const Look& look, const Rect& rect, const Workbench& workbench,
                            PanelMemory& memory) {
    SourceEdit& edit = *memory.parts().edit.open;
    const Palette& colors = look.colors();
    Commands commands;
    const RanText ran = ran_text(workbench, edit.file);
    take_new_text(edit, ran);
    EditorKeys keys(edit, commands);
    bool stays = true;
    for (const KeyPress& press : claimed_keys(kEditor)) {
        if (edit.find) break;
        stays = stays && keys.press(press);
    }
    draw_card(look, rect);
    register_widget("source.edit", rect);
    const float small = type_px(look, 14);
    const Rect inner{rect.x + look.pad(), rect.y, rect.w - 2 * look.pad(), rect.h};
    const Rect head{inner.x, rect.y + look.gap() / 2, inner.w, row_px(look, 38)};
    ButtonRow buttons(look, head);
    if (buttons.from_right("source.edit.close", "close", false, "Back to the replay (Esc)"))
        stays = !keys.leaves(edit.question);
    if (buttons.from_right("source.edit.save", "save", false,
                           "Save the file; it runs again (Ctrl+S)"))
        keys.save(edit.question);
    const Rect& room = buttons.room();
    const std::string state = edit.buffer.changed() ? "not saved" : "saved";
    const float width =
        draw_text({room.right() - look.gap(), room.center().y}, state,
                  {Face::kSemiBold, small, edit.buffer.changed() ? colors.accent : colors.ink3,
                   Align::kRight});
    draw_text_fit({room.x, room.center().y}, room.w - width - 2 * look.gap(),
                  edit.file.filename().string(), {Face::kMono, small, colors.ink});
    float top = head.bottom();
    if (edit.find) {
        draw_find(look, {inner.x, top, inner.w, row_px(look, 30)}, edit);
        top += row_px(look, 30) + look.gap();
    }
    std::string words = question_words(edit);
    // Beside a wide editor the errors stand above it.
    if (words.empty() && look.narrow) words = error_at_caret(edit, ran);
    if (!words.empty()) {
        top += draw_paragraph({inner.x, top}, inner.w, words,
                              {Face::kSemiBold, small, colors.conflict});
        register_widget("source.edit.question",
                        {inner.x, head.bottom(), inner.w, top - head.bottom()});
    }
    EditorMeasures m;
    m.px = std::floor(type_px(look, look.narrow ? 12 : 13));
    m.advance = text_width("0", Face::kMono, m.px);
    m.row = std::round((look.narrow ? 1.4f : 1.5f) * m.px);
    m.body = {rect.x, top + look.gap() / 2, rect.w,
              rect.bottom() - look.gap() - top - look.gap() / 2};
    const std::size_t digits = std::max<std::size_t>(2, std::to_string(edit.buffer.lines()).size());
    m.left = m.body.x + look.gap() + (static_cast<float>(digits) + 2) * m.advance;
    m.body.h = std::max(m.row, std::floor(m.body.h / m.row) * m.row);  // whole rows
    scroll_to_caret(look, m, edit);
    follow_mouse(look, m, edit);
    draw_editor_picture(look, m, edit, workbench, ran);
    if (!stays)
        memory.parts().edit.open.reset();
    else if (!edit.find && !keys_claimed())
        claim_keys(kEditor);
    return commands;
}

}  // namespace tilereel
