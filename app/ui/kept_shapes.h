#pragma once
// Text and lines that a vector picture needs as what they are: Dear ImGui turns them into glyph
// images and triangles. While KeptShapes lives, they stand in the draw lists as callbacks.
#include <imgui.h>

#include <string>
#include <variant>
#include <vector>

#include "app/ui/fonts.h"

namespace tilereel {

struct KeptText {
    std::string text;
    Face face = Face::kRegular;
    float px = 0;       // size of type
    ImVec2 baseline{};  // where it begins
    float width = 0;    // as Dear ImGui sets it
    ImU32 color = 0;
};
struct KeptLine {
    std::vector<ImVec2> points;
    ImU32 color = 0;
    float width = 1;
    bool closed = false;
};
using KeptShape = std::variant<KeptText, KeptLine>;

class KeptShapes {
  public:
    KeptShapes();  // before ImGui::NewFrame(); edges are drawn without Dear ImGui's soft seams
    ~KeptShapes();
    KeptShapes(const KeptShapes&) = delete;
    KeptShapes& operator=(const KeptShapes&) = delete;

  private:
    bool lines_, fill_;  // the style's own flags
};

[[nodiscard]] bool keeps_shapes();  // a KeptShapes lives
void keep_text(ImDrawList* list, KeptText text);
// Strokes the list's path and begins a new one, as ImDrawList::PathStroke().
void stroke_path(ImDrawList* list, ImU32 color, float width, bool closed = false);

// What a draw command stands for; nullptr: something else.
[[nodiscard]] const KeptShape* kept_shape(const ImDrawCmd& command);
// Called by begin_ui_frame().
void new_frame_of_kept_shapes();

}  // namespace tilereel
