#pragma once
// Records the text of a frame, for tests that look for text that is cut off or overlaps.
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/ui/fonts/text_style.h"
#include "app/ui/rect.h"

namespace tilereel {

// One call of draw_text() or draw_text_fit(). Lengths in pixels.
struct DrawnText {
    std::string text;        // the whole text, before it was shortened
    bool shortened = false;  // an ellipsis replaces its end
    Face face = Face::kRegular;
    float px = 0;  // font size
    Rect box;      // width x height of the capital letters
    Rect clip;     // clip rectangle of the draw list
    ImU32 color = 0;
    const ImDrawList* list = nullptr;  // texts of one list are at the same depth
    bool in_motion = false;            // drawn while a TextInMotion exists
};

// Appends all text drawn from now on to `into`, which must stay valid. nullptr stops the recording.
void record_drawn_text(std::vector<DrawnText>* into);
// Called by draw_text(). `left_middle`: the left end at half the height of the capital letters, as
// drawn.
void note_drawn_text(const ImDrawList* list, ImVec2 left_middle, ImVec2 size, std::string_view text,
                     const TextStyle& style);
// Called by draw_text_fit(): the text recorded last is a shortened form of `whole`.
void note_shortened_text(std::string_view whole);

// Text drawn while an instance exists is marked as `in_motion`: it moves over the picture.
class TextInMotion {
  public:
    TextInMotion();
    ~TextInMotion();
    TextInMotion(const TextInMotion&) = delete;
    TextInMotion& operator=(const TextInMotion&) = delete;
};

}  // namespace tilereel
