#pragma once
// Keeps text and lines as text and lines for vector pictures. Dear ImGui would turn them into
// textured quads and triangles. While a KeptShapes object exists, they are callbacks in the draw
// lists instead.
#include <imgui.h>

#include <string>
#include <variant>
#include <vector>

#include "app/ui/fonts/fonts.h"

namespace tilereel {

struct KeptText {
    std::string text;
    Face face = Face::kRegular;
    float px = 0;       // font size
    ImVec2 baseline{};  // left end of the baseline
    float width = 0;    // width of the text in the window, in pixels
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
    KeptShapes();  // before ImGui::NewFrame(); switches off anti-aliased edges
    ~KeptShapes();
    KeptShapes(const KeptShapes&) = delete;
    KeptShapes& operator=(const KeptShapes&) = delete;

  private:
    bool lines_, fill_;  // the style's flags before
};

[[nodiscard]] bool keeps_shapes();  // a KeptShapes object exists
void keep_text(KeptText text);
// Strokes the list's path and clears it, as ImDrawList::PathStroke() does.
void stroke_path(ImU32 color, float width, bool closed = false);

// The shape of a draw command that KeptShapes made. nullptr for any other command.
[[nodiscard]] const KeptShape* kept_shape(const ImDrawCmd& command);
// Called by begin_ui_frame().
void new_frame_of_kept_shapes();

}  // namespace tilereel
