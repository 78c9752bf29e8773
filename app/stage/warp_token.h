#pragma once
// One warp as a token: icon, name and word; filled yellow while it waits.
#include "app/stage/scene.h"

namespace tilereel::stage {

struct Token {
    Rect rect;
    bool name = true;  // "warp 3"; else "3"
    float px = 15;     // of the name, pixels; less where the token is low
};

void draw_token(Scene& scene, const Token& token, std::uint32_t warp);
// What a token needs for its icon and name, without the word; and the widest of `count` compact
// ones, pixels.
[[nodiscard]] float full_token_width(const Scene& scene, float height, float px);
[[nodiscard]] float compact_token_width(const Scene& scene, std::uint32_t count, float px);
// "loads", "waits"
[[nodiscard]] const char* word_of(Activity activity);

}  // namespace tilereel::stage
