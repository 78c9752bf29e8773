#include "app/stage/general.h"

#include "app/stage/scene.h"

namespace tilereel::stage {

void draw_general(Scene& scene, const GeneralLayout& layout) {
    draw_general_head(scene, layout.head);
    draw_warps(scene, layout.warps);
    draw_global_arrays(scene, layout);
    draw_shared(scene);
    draw_hazard_marks(scene);
    draw_general_legend(scene, layout.legend);
    draw_general_flights(scene, layout);
}

}  // namespace tilereel::stage
