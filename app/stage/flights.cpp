// Copies from A and B to shared memory.
#include <optional>

#include "app/stage/moving.h"
#include "app/stage/scene.h"
#include "app/ui/drawn_text.h"

namespace tilereel::stage {

void draw_flights(Scene& scene) {
    const TextInMotion in_motion;
    draw_moving_legs(scene, [&](ArrayId from) -> std::optional<Origin> {
        const MatrixView* const m = matrix_of_array(scene, from);
        if (m == nullptr) return std::nullopt;
        return Origin{m->window, [m](const Flight& flight) { return m->cell(flight.source()); }};
    });
}

}  // namespace tilereel::stage
