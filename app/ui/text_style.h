#pragma once
// How a piece of text is drawn.
#include <imgui.h>

#include "app/ui/face.h"

namespace tilereel {

enum class Align { kLeft, kCenter, kRight };

struct TextStyle {
    Face face = Face::kRegular;
    float px = 14;
    ImU32 color = 0;
    Align align = Align::kLeft;
};

}  // namespace tilereel
