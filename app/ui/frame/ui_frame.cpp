#include "app/ui/frame/ui_frame.h"

#include "app/ui/cells/cells.h"
#include "app/ui/draw/clear.h"
#include "app/ui/draw/kept_shapes.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/tip.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

bool begin_ui_frame() {
    const bool rebuilt = bake_requested_fonts();
    clear_widgets();
    new_frame_of_cells();
    new_frame_of_clears();
    new_frame_of_kept_shapes();
    take_pushed_keys();
    follow_pointer_for_tips();
    return rebuilt;
}

}  // namespace tilereel
