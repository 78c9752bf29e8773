#pragma once
// The parts that all pictures of findings have.
#include <cstdint>
#include <string>
#include <string_view>

#include "app/ui/rect.h"
#include "app/ui/theme.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// "Race on t[0][0]", and a button that shows the usual picture.
struct FindingHead {
    std::string_view words;  // with a blank at the end
    std::string name;        // of the element
    ColorRole role = ColorRole::kNone;
    bool error = true;
    std::string note{};  // left out where it has no room
    bool product = false;
};
struct DrawnFindingHead {
    float height = 0;  // pixels
    bool clicked = false;
};
[[nodiscard]] DrawnFindingHead draw_finding_head(const Look& look, const Rect& rect,
                                                 const FindingHead& head);

// One access: what it does, who does it, when, and where. Empty texts are left out.
struct AccessCard {
    const char* widget;
    std::string verb, who, thread;
    std::string time{};
    std::uint32_t line = 0;
    std::string code;   // the line's text
    std::string value;  // "puts 3"
    ColorRole role = ColorRole::kNone;
};
void draw_access_card(const Look& look, const Rect& card, const AccessCard& access);

}  // namespace tilereel::stage
