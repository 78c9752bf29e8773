#pragma once
// One warp as a token: icon, name and word; filled yellow while it waits.
#include "app/stage/scene.h"

namespace tilereel::stage {

struct Token {
    Rect rect;
    bool name = true;  // "warp 3"; else "3"
};

void draw_token(Scene& scene, const Token& token, std::uint32_t warp);
// "loads", "waits"
[[nodiscard]] const char* word_of(Activity activity);

}  // namespace tilereel::stage
