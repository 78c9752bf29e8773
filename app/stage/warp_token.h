#pragma once
// A warp's token: icon, name and word. It is filled yellow while the warp waits.
#include "app/stage/scene.h"

namespace tilereel::stage {

struct Token {
    Rect rect;
    bool name = true;  // "warp 3"; else "3"
    float px = 15;     // font size of the name in pixels; smaller in a low token
};

void draw_token(Scene& scene, const Token& token, std::uint32_t warp);
// Widths in pixels: of a token with icon and name but without the word, and of the widest of
// `count` compact tokens.
[[nodiscard]] float full_token_width(const Scene& scene, float height, float px);
[[nodiscard]] float compact_token_width(const Scene& scene, std::uint32_t count, float px);
// "loads", "waits"
[[nodiscard]] const char* word_of(Activity activity);

}  // namespace tilereel::stage
