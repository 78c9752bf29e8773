// The editor of the program's own file, in the place of the source.
#include <algorithm>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/edit/source_edit.h"
#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/source/source_place.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr const char* kEditor = "source.edit";
constexpr std::size_t kEnoughColumns = 1U << 20;  // no line is wrapped

// The errors of the last run of this file, and its text.
struct RanText {
    std::string_view text;
    std::vector<program::CompileError> errors;
};

RanText ran_text(const Workbench& workbench, const std::filesystem::path& file) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || program->request.file.filename() != file.filename()) return {};
    RanText ran{program->text, {}};
    for (const program::CompileError& error : program->compile_errors)
        if (std::filesystem::path(error.file).filename() == file.filename() && error.line > 0)
            ran.errors.push_back(error);
    return ran;
}

ImU32 color_of_code(const Palette& colors, CodeColor color) {
    switch (color) {
        case CodeColor::kPlain:
            return colors.ink;
        case CodeColor::kComment:
        case CodeColor::kKeyword:
            return colors.ink2;
        case CodeColor::kBarrier:
            return colors.wait_text;
        case CodeColor::kA:
            return colors.a;
        case CodeColor::kB:
            return colors.b;
        case CodeColor::kC:
        case CodeColor::kSum:
            return colors.c;
    }
    return colors.ink;
}

std::size_t characters_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string utf8_of(char32_t c) {
    std::string out;
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0U | c >> 6U);
        out += static_cast<char>(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0U | c >> 12U);
        out += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
        out += static_cast<char>(0x80U | (c & 0x3FU));
    } else {
        out += static_cast<char>(0xF0U | c >> 18U);
        out += static_cast<char>(0x80U | (c >> 12U & 0x3FU));
        out += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
        out += static_cast<char>(0x80U | (c & 0x3FU));
    }
    return out;
}

// Reads the keys that the editor has claimed.
class EditorKeys {
  public:
    EditorKeys(SourceEdit& edit, Commands& commands) : edit_(edit), commands_(commands) {}

    // False: the editor is left.
    bool press(const KeyPress& press) {
        const EditQuestion asked = std::exchange(edit_.question, EditQuestion::kNone);
        if (press.key == Key::kEscape || press.key == Key::kF2) return !leaves(asked);
        if (press.key == Key::kSavePicture) return save(asked), true;
        if (press.key == Key::kRunAgain && asked == EditQuestion::kReplace)
            return take_disk(), true;
        edit_.problem.clear();
        if (!of_window(press) && !of_text(press)) move(press);
        return true;
    }

    void save(EditQuestion asked) {
        commands_.push_back(SaveSource{.file = edit_.file,
                                       .text = edit_.buffer.text(),
                                       .was = edit_.on_disk,
                                       .replaces = asked == EditQuestion::kReplace});
    }
    // Whether it is left at once.
    bool leaves(EditQuestion asked) {
        if (!edit_.buffer.changed() || asked == EditQuestion::kLeave) return true;
        edit_.question = EditQuestion::kLeave;
        return false;
    }
    void take_disk() {
        const Result<std::string> text = read_to_edit(edit_.file);
        if (!text) {
            edit_.problem = text.error().message;
            return;
        }
        edit_.buffer.replace_all(*text);
        edit_.buffer.mark_saved();
        edit_.on_disk = *text;
    }

  private:
    // Keys that act as everywhere.
    bool of_window(const KeyPress& press) {
        switch (press.key) {
            case Key::kF1:
                commands_.push_back(ToggleHelp{});
                return true;
            case Key::kF11:
                commands_.push_back(ToggleFullScreen{});
                return true;
            case Key::kRunAgain:
                commands_.push_back(RunProgramAgain{});
                return true;
            case Key::kEditor:
                commands_.push_back(OpenInEditor{
                    edit_.file, static_cast<std::uint32_t>(
                                    edit_.buffer.place_of(edit_.buffer.caret()).line + 1)});
                return true;
            default:
                return false;
        }
    }

    bool of_text(const KeyPress& press) {
        TextBuffer& buffer = edit_.buffer;
        const auto [first, last] = buffer.selection();
        edit_.reveals = true;
        switch (press.key) {
            case Key::kCharacter: {
                const char32_t c = press.character;
                const bool letter = c >= U'a' && c <= U'z';
                buffer.type(utf8_of(letter && press.shift ? c - (U'a' - U'A') : c));
                return true;
            }
            case Key::kEnter:
                return buffer.new_line(), true;
            case Key::kTab:
                return buffer.indent(press.shift), true;
            case Key::kBackspace:
                return buffer.erase_before(press.control), true;
            case Key::kDelete:
                return buffer.erase_after(press.control), true;
            case Key::kPaste:
                if (const char* const text = ImGui::GetClipboardText()) buffer.paste(text);
                return true;
            case Key::kCopy:
            case Key::kCut:
                if (first != last) ImGui::SetClipboardText(buffer.selected().c_str());
                if (press.key == Key::kCut && first != last) buffer.erase_after(false);
                return true;
            case Key::kSelectAll:
                return buffer.select_all(), true;
            case Key::kUndo:
                return buffer.undo(), true;
            case Key::kRedo:
                return buffer.redo(), true;
            case Key::kFind:
                edit_.find.emplace();
                edit_.find->begin(first != last && buffer.selected().find('\n') == std::string::npos
                                      ? buffer.selected()
                                      : edit_.searched);
                return true;
            case Key::kF3:
                edit_.not_found = !buffer.find(edit_.searched, press.shift);
                return true;
            default:
                return false;
        }
    }

    void move(const KeyPress& press) {
        TextBuffer& buffer = edit_.buffer;
        const bool shift = press.shift, control = press.control;
        switch (press.key) {
            case Key::kLeft:
                return buffer.move(control ? CaretMove::kWordLeft : CaretMove::kLeft, shift);
            case Key::kRight:
                return buffer.move(control ? CaretMove::kWordRight : CaretMove::kRight, shift);
            case Key::kUp:
                return buffer.move(CaretMove::kUp, shift);
            case Key::kDown:
                return buffer.move(CaretMove::kDown, shift);
            case Key::kPageUp:
                return buffer.move(CaretMove::kUp, shift, std::max<std::size_t>(edit_.rows, 2) - 1);
            case Key::kPageDown:
                return buffer.move(CaretMove::kDown, shift,
                                   std::max<std::size_t>(edit_.rows, 2) - 1);
            case Key::kHome:
                return buffer.move(control ? CaretMove::kTextBegin : CaretMove::kLineBegin, shift);
            case Key::kEnd:
                return buffer.move(control ? CaretMove::kTextEnd : CaretMove::kLineEnd, shift);
            default:
                return;
        }
    }

    SourceEdit& edit_;
    Commands& commands_;
};

// The text's place on the screen.
struct EditorMeasures {
    float px = 0, advance = 0, row = 0, left = 0;  // left: of the first column
    Rect body;
    [[nodiscard]] float x(float column) const { return left + column * advance; }
};

class EditorPicture {
  public:
    EditorPicture(const Look& look, const EditorMeasures& m, SourceEdit& edit,
                  const Workbench& workbench, const RanText& ran)
        : look_(look), m_(m), edit_(edit), ran_(ran), running_(line_of_replay(workbench)) {
        prepare(workbench);
    }

    void draw() {
        const Palette& colors = look_.colors();
        const auto first = static_cast<std::size_t>(std::max(0.0f, edit_.scroll));
        for (std::size_t line = first; line < edit_.buffer.lines(); ++line) {
            const float top = top_of(line);
            if (top > m_.body.bottom()) break;
            draw_gutter(line, top);
        }
        const Clip clip({m_.left - m_.advance / 2, m_.body.y,
                         m_.body.right() - m_.left + m_.advance / 2, m_.body.h});
        draw_selection(colors);
        for (std::size_t line = first; line < edit_.buffer.lines(); ++line) {
            const float top = top_of(line);
            if (top > m_.body.bottom()) break;
            draw_line(line, top);
        }
        draw_brackets(colors);
        const TextPlace caret = edit_.buffer.place_of(edit_.buffer.caret());
        const Rect at{column_x(caret.column) - look_.hair(), top_of(caret.line) + 0.1f * m_.row,
                      std::max(2.0f, look_.px(2)), 0.8f * m_.row};
        fill_rect(at, colors.accent);
        register_widget("source.edit.caret", at);
    }

    // The error of the compiler at this line of the edited text; nullptr: none.
    [[nodiscard]] const program::CompileError* error_at(std::size_t line) const {
        const std::uint32_t former = former_of(line);
        const auto found = std::ranges::find(ran_.errors, former, &program::CompileError::line);
        return former == 0 || found == ran_.errors.end() ? nullptr : &*found;
    }

  private:
    static std::uint32_t line_of_replay(const Workbench& workbench) {
        const auto place = source_place(workbench);
        return place && workbench.replay() != nullptr ? place->line : 0;
    }

    void prepare(const Workbench& workbench) {
        if (edit_.prepared != edit_.buffer.revision()) {
            CodeNames names;
            if (const Replay* const replay = workbench.replay()) {
                const Trace& trace = replay->trace();
                for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
                    const ColorRole role = role_of_array(*replay, id);
                    if (role == ColorRole::kA || role == ColorRole::kB || role == ColorRole::kC)
                        names.emplace_back(trace.arrays[id].name,
                                           role == ColorRole::kA   ? CodeColor::kA
                                           : role == ColorRole::kB ? CodeColor::kB
                                                                   : CodeColor::kC);
                }
            }
            edit_.text = prepare_source(edit_.buffer.text(), {.columns = kEnoughColumns}, names);
        }
        if (edit_.prepared != edit_.buffer.revision() || edit_.former_of != ran_.text) {
            edit_.former_of = ran_.text;
            edit_.former = former_lines(ran_.text, edit_.buffer.text());
        }
        edit_.prepared = edit_.buffer.revision();
    }

    [[nodiscard]] std::uint32_t former_of(std::size_t line) const {
        return line + 1 < edit_.former.size() ? edit_.former[line + 1] : 0;
    }
    [[nodiscard]] float top_of(std::size_t line) const {
        return std::round(m_.body.y + (static_cast<float>(line) - edit_.scroll) * m_.row);
    }
    [[nodiscard]] float column_x(std::size_t column) const {
        return m_.x(static_cast<float>(column) - edit_.aside);
    }

    void draw_gutter(std::size_t line, float top) {
        const Palette& colors = look_.colors();
        const bool wrong = error_at(line) != nullptr;
        const bool caret = edit_.buffer.place_of(edit_.buffer.caret()).line == line;
        const bool runs = running_ != 0 && former_of(line) == running_ && ran_.errors.empty();
        const Clip clip(m_.body);
        if (wrong || runs)
            fill_rect({m_.body.x, top, m_.body.w, m_.row},
                      wrong ? colors.conflict_tint : colors.accent_tint, look_.px(3));
        if (wrong || runs)
            fill_rect({m_.body.x, top, look_.tight(), m_.row},
                      wrong ? colors.conflict : colors.accent, look_.px(2));
        draw_text(
            {m_.left - m_.advance, top + m_.row / 2}, std::to_string(line + 1),
            {Face::kMono, m_.px - look_.px(1), caret ? colors.ink : colors.ink3, Align::kRight});
    }

    void draw_line(std::size_t line, float top) {
        const Palette& colors = look_.colors();
        std::size_t column = 0;
        if (line + 1 < edit_.text.first_row.size()) {
            const CodeRow& row = edit_.text.rows[edit_.text.first_row[line + 1]];
            for (const CodeRun& run : row.runs) {
                const std::string_view words = edit_.text.text_of(run);
                const bool name = run.color == CodeColor::kA || run.color == CodeColor::kB ||
                                  run.color == CodeColor::kC;
                draw_text({column_x(column), top + m_.row / 2}, words,
                          {name ? Face::kMonoBold : Face::kMono, m_.px,
                           color_of_code(colors, run.color)});
                column += characters_in(words);
            }
        }
        const program::CompileError* const error = error_at(line);
        if (error == nullptr) return;
        register_widget("source.edit.error." + std::to_string(line + 1),
                        {m_.left, top, m_.body.right() - m_.left, m_.row});
        const float left = column_x(column + 2), room = m_.body.right() - look_.gap() - left;
        if (room > 12 * m_.advance)
            draw_text_fit({left, top + m_.row / 2}, room, error->message,
                          {Face::kSemiBold, m_.px, colors.conflict});
    }

    void draw_selection(const Palette& colors) {
        const auto [first, last] = edit_.buffer.selection();
        if (first == last) return;
        const TextPlace from = edit_.buffer.place_of(first), to = edit_.buffer.place_of(last);
        for (std::size_t line = from.line; line <= to.line; ++line) {
            const float top = top_of(line);
            if (top + m_.row < m_.body.y || top > m_.body.bottom()) continue;
            const float left = column_x(line == from.line ? from.column : 0);
            const std::size_t end =
                edit_.buffer.place_of(edit_.buffer.offset_of({line, kEnoughColumns})).column;
            const float right = column_x(line == to.line ? to.column : end + 1);
            fill_rect({left, top, std::max(right - left, 1.0f), m_.row},
                      mix(colors.panel, colors.accent, 0.35f));
        }
    }

    void draw_brackets(const Palette& colors) {
        const auto pair = edit_.buffer.brackets();
        if (!pair) return;
        const bool alone = pair->second == std::string::npos;
        for (const std::size_t at : {pair->first, alone ? pair->first : pair->second}) {
            const TextPlace place = edit_.buffer.place_of(at);
            const float top = top_of(place.line);
            if (top < m_.body.y - m_.row || top > m_.body.bottom()) continue;
            stroke_rect(
                {column_x(place.column), top + look_.hair(), m_.advance, m_.row - 2 * look_.hair()},
                alone ? colors.conflict : colors.accent, std::max(1.0f, look_.line()), look_.px(2));
        }
    }

    const Look& look_;
    const EditorMeasures& m_;
    SourceEdit& edit_;
    const RanText& ran_;
    std::uint32_t running_;
};

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
    EditorPicture(look, m, edit, workbench, ran).draw();
    if (!stays)
        memory.parts().edit.open.reset();
    else if (!edit.find && !keys_claimed())
        claim_keys(kEditor);
    return commands;
}

}  // namespace tilereel
