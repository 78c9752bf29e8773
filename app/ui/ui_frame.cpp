#include "app/ui/ui_frame.h"

#include "app/ui/cells.h"
#include "app/ui/clear.h"
#include "app/ui/fonts.h"
#include "app/ui/kept_shapes.h"
#include "app/ui/keys.h"
#include "app/ui/widgets.h"

namespace tilereel {

bool begin_ui_frame() {
    const bool rebuilt = bake_requested_fonts();
    clear_widgets();
    new_frame_of_cells();
    new_frame_of_clears();
    new_frame_of_kept_shapes();
    take_pushed_keys();
    return rebuilt;
}

}  // namespace tilereel
