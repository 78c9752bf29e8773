#pragma once
// The picture of the editor: its lines, the selection, the caret, and what the compiler says of
// them.
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/panels/edit/source_edit.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The errors of the last run of this file, and its text.
struct RanText {
    std::string_view text;
    std::vector<program::CompileError> errors;
};

[[nodiscard]] RanText ran_text(const Workbench& workbench, const std::filesystem::path& file);

constexpr std::size_t kEnoughColumns = 1U << 20;  // no line is wrapped

// The text's place on the screen.
struct EditorMeasures {
    float px = 0, advance = 0, row = 0, left = 0;  // left: of the first column
    Rect body;
    [[nodiscard]] float x(float column) const { return left + column * advance; }
};

// Draws the text at its place.
void draw_editor_picture(const Look& look, const EditorMeasures& measures, SourceEdit& edit,
                         const Workbench& workbench, const RanText& ran);

}  // namespace tilereel
