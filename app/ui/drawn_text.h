#pragma once
// A record of the text of a frame, for the tests that look for words that are cut or overlap.
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/ui/rect.h"
#include "app/ui/text_style.h"

namespace tilereel {

// One call of draw_text or draw_text_fit. Lengths in pixels.
struct DrawnText {
    std::string text;                  // as asked for
    bool shortened = false;            // an ellipsis stands for a part of it
    Face face = Face::kRegular;        //
    float px = 0;                      // size of type
    Rect box;                          // its width x the height of the capital letters
    Rect clip;                         // what the draw list clips to
    ImU32 color = 0;                   //
    const ImDrawList* list = nullptr;  // texts of one list lie in one plane
    bool in_motion = false;            // part of something that flies over the picture
};

// Appends every text that is drawn from now on to `into`, until it is called with nullptr. `into`
// must outlive that.
void record_drawn_text(std::vector<DrawnText>* into);
// draw_text calls it. `left` and `middle` as put on the screen.
void note_drawn_text(const ImDrawList* list, ImVec2 left_middle, ImVec2 size, std::string_view text,
                     const TextStyle& style);
// draw_text_fit calls it: the text noted last stands for this longer one.
void note_shortened_text(std::string_view whole);

// Text drawn during its life moves over the picture.
class TextInMotion {
  public:
    TextInMotion();
    ~TextInMotion();
    TextInMotion(const TextInMotion&) = delete;
    TextInMotion& operator=(const TextInMotion&) = delete;
};

}  // namespace tilereel
