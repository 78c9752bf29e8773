#pragma once
// How a piece of text is drawn.
#include <imgui.h>

#include <cstdint>

namespace tilereel {

enum class Face : std::uint8_t { kRegular, kSemiBold, kBold, kMono, kMonoBold };
enum class Align { kLeft, kCenter, kRight };

struct TextStyle {
    Face face = Face::kRegular;
    float px = 14;
    ImU32 color = 0;
    Align align = Align::kLeft;
};

}  // namespace tilereel
