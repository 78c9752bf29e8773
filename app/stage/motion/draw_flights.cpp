// Copies from A and B to shared memory.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/stage/motion/moving.h"
#include "app/stage/scene.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/fonts/fonts.h"

namespace tilereel::stage {

namespace {

// Requests the font sizes of values on their way, and of numbers in banks that a store uses, before
// the first one moves. Adding fonts to the atlas takes the time of several frames.
void ask_for_type(const Scene& scene) {
    if (scene.layout.arrays.empty()) return;
    float least = scene.f(11), most = scene.f(11);  // in banks
    const auto ask = [&](const CellWindow& grid) {
        for (int digits = 1; digits <= scene.plan.digits_of_inputs(); ++digits) {
            const float px = scene.type_in(grid, static_cast<std::size_t>(digits));
            if (px <= 0) continue;
            least = std::min(least, px);
            most = std::max(most, px);
        }
    };
    for (const MatrixView* const m : {&scene.layout.a, &scene.layout.b}) ask(*m);
    for (const SharedView& view : scene.layout.arrays) ask(view);
    for (float px = std::floor(least); px <= std::ceil(most); ++px)
        static_cast<void>(font(Face::kMonoBold, px));
}

}  // namespace

void draw_flights(Scene& scene) {
    const TextInMotion in_motion;
    ask_for_type(scene);
    draw_moving_legs(scene, [&](ArrayId from) -> std::optional<Origin> {
        const MatrixView* const m = matrix_of_array(scene, from);
        if (m == nullptr) return std::nullopt;
        return Origin{m->window, [m](const Flight& flight) { return m->cell(flight.source()); }};
    });
}

}  // namespace tilereel::stage
