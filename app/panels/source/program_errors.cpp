#include "app/panels/source/program_errors.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/lesson/read_lesson.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/source/compiler_error_text.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/program/compile_error_line.h"

namespace tilereel {
namespace {

std::size_t indent_of(const std::string& text, std::uint32_t line) {
    const std::string_view whole = line_of_text(text, static_cast<int>(line));
    return std::min(whole.find_first_not_of(" \t"), whole.size());
}
std::string_view line_of(const std::string& text, std::uint32_t line) {
    return line_of_text(text, static_cast<int>(line)).substr(indent_of(text, line));
}

// The position of an error, and its plain description.
struct ErrorPlace {
    std::uint32_t line = 0;  // 0: not in the program's file
    std::uint32_t column = 0;
    std::string title{}, compiler{};
};

ErrorPlace place_of(const OpenedProgram& program, const program::CompileError& error) {
    const std::string file = std::filesystem::path(error.file).filename().string();
    const bool own = file.empty() || file == program.name();
    ErrorPlace place{.line = own ? error.line : 0, .column = error.column};
    std::string words = explain_compiler_error(error.message);
    place.compiler = words.empty() ? std::string() : "The compiler says: " + error.message;
    if (words.empty()) words = error.message;
    if (own) place.line = line_to_mend(program.text, error);
    if (own && place.line != error.line) {
        words += " at the end";
        place.column = 0;
        place.compiler = "The compiler noticed it in line " + std::to_string(error.line) +
                         " and says: " + error.message;
    }
    const std::string line = std::to_string(own ? place.line : error.line);
    place.title = error.line == 0 ? words
                  : own           ? "Line " + line + ": " + words
                                  : file + ", line " + line + ": " + words;
    return place;
}

// Draws the line and marks its column.
void draw_faulty_line(const Look& look, const Rect& row, const std::string& text,
                      const ErrorPlace& place) {
    const Palette& colors = look.colors();
    const float mono = type_px(look, 13), advance = text_width("0", Face::kMono, mono);
    const std::string_view code = line_of(text, place.line);
    fill_rect(row, colors.conflict_tint, look.px(3));
    const Clip clip(row);
    const std::size_t indent = indent_of(text, place.line);
    const std::size_t at = place.column > indent ? place.column - 1 - indent : code.size();
    // The fault is in sight, even if the line is longer than the row.
    const float fault = advance * static_cast<float>(at), room = row.w - 2 * look.snug() - advance;
    const float left = row.x + look.snug() - std::max(0.0f, fault - room), x = left + fault;
    draw_text({left, row.center().y}, code, {Face::kMono, mono, colors.ink});
    fill_rect({x, row.bottom() - look.px(3), advance, look.hair()}, colors.conflict);
}

// Writes the plain description, the line, and the compiler's message.
void write_error(const Look& look, Column& column, const OpenedProgram& program,
                 const program::CompileError& error) {
    const Palette& colors = look.colors();
    const ErrorPlace place = place_of(program, error);
    column.paragraph(place.title, {Face::kSemiBold, type_px(look, 14), colors.ink});
    column.space(look.tight());
    if (!line_of(program.text, place.line).empty()) {
        column.row(std::round(1.6f * type_px(look, 13)),
                   [&](const Rect& row) { draw_faulty_line(look, row, program.text, place); });
        column.space(look.tight());
    }
    if (!place.compiler.empty())
        column.paragraph(place.compiler, {Face::kRegular, type_px(look, 13), colors.ink2});
    if (!error.defined_in.empty())
        column.paragraph("Enter adds " + error.defined_in.filename().string() + ".",
                         {Face::kRegular, type_px(look, 13), colors.ink2});
    column.space(look.gap());
}

}  // namespace

void draw_program_errors(const Look& look, const Rect& area, const OpenedProgram& program,
                         float& scroll) {
    scrolled(look, area, scroll, [&](const Rect& place) {
        Column column(look, place);
        if (!program.error.empty())
            column.paragraph(program.error, {Face::kRegular, type_px(look, 14), look.colors().ink});
        else
            for (const program::CompileError& error : program.compile_errors)
                write_error(look, column, program, error);
        return column.height();
    });
}

}  // namespace tilereel
