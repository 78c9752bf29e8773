#include "instrumentation/plain/runtime/stacks.h"

#include <memory>

namespace tilereel::plain {

Fibers& stacks_for(std::size_t threads) {
    constexpr std::size_t kStackBytes = std::size_t{256} << 10;
    thread_local std::unique_ptr<Fibers> kept;
    if (!kept || kept->count() < threads) {
        kept.reset();
        kept = std::make_unique<Fibers>(threads, kStackBytes);
    }
    return *kept;
}

}  // namespace tilereel::plain
