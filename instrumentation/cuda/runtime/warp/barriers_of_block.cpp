#include "instrumentation/cuda/runtime/warp/barriers_of_block.h"

#include "instrumentation/cuda/include/tilereel/shared_barriers.h"

namespace tilereel::runtime {
namespace {

bool barriers_noted = false, bytes_noted = false;

}  // namespace

bool uses_shared_barriers() { return barriers_noted; }
void note_shared_barriers(bool by_bytes) noexcept {
    barriers_noted = true;
    bytes_noted = bytes_noted || by_bytes;
}
bool barriers_count_bytes() noexcept { return bytes_noted; }

}  // namespace tilereel::runtime
