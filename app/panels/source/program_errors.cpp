#include "app/panels/source/program_errors.h"

#include <cmath>
#include <string>

#include "app/panels/measure.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/paragraph.h"
#include "app/panels/source/plain_words.h"

namespace tilereel {
namespace {

// A line of a text, counted from 1, without its indentation; empty where there is none.
std::string raw_line(const std::string& text, std::uint32_t line) {
    std::size_t begin = 0;
    for (std::uint32_t i = 1; i < line && begin != std::string::npos; ++i) {
        begin = text.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (line == 0 || begin == std::string::npos) return {};
    return text.substr(begin, text.find('\n', begin) - begin);
}
std::size_t indent_of(const std::string& text, std::uint32_t line) {
    const std::string whole = raw_line(text, line);
    const std::size_t first = whole.find_first_not_of(" \t");
    return first == std::string::npos ? 0 : first;
}
std::string line_of(const std::string& text, std::uint32_t line) {
    return raw_line(text, line).substr(indent_of(text, line));
}

// Where an error is, and what it is in plain words.
struct ErrorPlace {
    std::uint32_t line = 0;  // 0: of no line of the program's own file
    std::uint32_t column = 0;
    std::string title{}, compiler{};
};

// A sign that is missing before a line's first word belongs to the end of the line above.
std::uint32_t line_with_the_fault(const std::string& text, const plain::CompileError& error) {
    if (error.column != indent_of(text, error.line) + 1) return error.line;
    for (std::uint32_t line = error.line; line-- > 1;)
        if (!line_of(text, line).empty()) return line;
    return error.line;
}

ErrorPlace place_of(const OpenedProgram& program, const plain::CompileError& error) {
    const std::string file = std::filesystem::path(error.file).filename().string();
    const bool own = file.empty() || file == program.name();
    ErrorPlace place{.line = own ? error.line : 0, .column = error.column};
    std::string words = plain_words(error.words);
    place.compiler = words.empty() ? std::string() : "The compiler says: " + error.words;
    if (words.empty()) words = error.words;
    if (own && words == kMissingSemicolon) {
        place.line = line_with_the_fault(program.text, error);
        if (place.line != error.line) {
            words += " at the end";
            place.column = 0;
            place.compiler = "The compiler noticed it in line " + std::to_string(error.line) +
                             " and says: " + error.words;
        }
    }
    const std::string line = std::to_string(own ? place.line : error.line);
    place.title = error.line == 0 ? words
                  : own           ? "Line " + line + ": " + words
                                  : file + ", line " + line + ": " + words;
    return place;
}

// The line itself below its words, its column marked.
float draw_error(const Look& look, const OpenedProgram& program, const Rect& area, float y,
                 const plain::CompileError& error) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float px = type_px(look, 14), mono = type_px(look, 13);
    const ErrorPlace place = place_of(program, error);
    y += draw_paragraph(list, {area.x, y}, area.w, place.title, {Face::kSemiBold, px, colors.ink}) +
         look.px(4);
    const std::string code = line_of(program.text, place.line);
    if (!code.empty()) {
        const float h = std::round(1.6f * mono), advance = text_width("0", Face::kMono, mono);
        const Rect row{area.x, y, area.w, h};
        fill_rect(list, row, colors.conflict_tint, look.px(3));
        list->PushClipRect(row.min(), row.max(), true);
        draw_text(list, {row.x + look.px(6), row.center().y}, code,
                  {Face::kMono, mono, colors.ink});
        const std::size_t indent = indent_of(program.text, place.line);
        const std::size_t at = place.column > indent ? place.column - 1 - indent : code.size();
        const float x = row.x + look.px(6) + advance * static_cast<float>(at);
        fill_rect(list, {x, row.bottom() - look.px(3), advance, look.px(2)}, colors.conflict);
        list->PopClipRect();
        y = row.bottom() + look.px(4);
    }
    if (!place.compiler.empty())
        y += draw_paragraph(list, {area.x, y}, area.w, place.compiler,
                            {Face::kRegular, type_px(look, 13), colors.ink2});
    return y + look.px(8);
}

}  // namespace

void draw_program_errors(const Look& look, const Rect& area, const OpenedProgram& program,
                         float& scroll) {
    const Palette& colors = look.colors();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(area.min(), area.max(), true);
    float y = area.y - scroll;
    if (!program.error.empty())
        y += draw_paragraph(list, {area.x, y}, area.w, program.error,
                            {Face::kRegular, type_px(look, 14), colors.ink});
    else
        for (const plain::CompileError& error : program.compile_errors)
            y = draw_error(look, program, area, y, error);
    list->PopClipRect();
    static_cast<void>(scroll_by_wheel(look, area, y + scroll - area.y, scroll));
}

}  // namespace tilereel
