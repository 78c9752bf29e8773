#include "app/panels/edit/editor_picture.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/array_role.h"
#include "app/panels/changed_lines.h"
#include "app/panels/source/source_place.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

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

}  // namespace

RanText ran_text(const Workbench& workbench, const std::filesystem::path& file) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr || program->request.file.filename() != file.filename()) return {};
    RanText ran{program->text, {}};
    for (const program::CompileError& error : program->compile_errors)
        if (std::filesystem::path(error.file).filename() == file.filename() && error.line > 0)
            ran.errors.push_back(error);
    return ran;
}

void draw_editor_picture(const Look& look, const EditorMeasures& measures, SourceEdit& edit,
                         const Workbench& workbench, const RanText& ran) {
    EditorPicture(look, measures, edit, workbench, ran).draw();
}

}  // namespace tilereel
