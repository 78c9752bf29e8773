#define TILEREEL_BUILD_EMULATED
#include "instrumentation/record/emulated_ladder.h"

#include "instrumentation/record/emulated_kernel.h"
#include "kernels/ladder.h"
#include "ladder_kernels.h"

namespace tilereel {
#define VARIANT(kernel, tile_, pad_) \
    if (tile == (tile_) && pad == (pad_)) return body_of<kernel>;
#define ROW(stem, function, variants) \
    if (id == (stem)) {               \
        variants                      \
    }

KernelBody find_emulated_kernel(std::string_view id, int tile, int pad) {
    TILEREEL_RECORDED_LADDER(ROW)
    return nullptr;
}

}  // namespace tilereel
