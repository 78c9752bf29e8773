#include "instrumentation/plain/runtime/stacks.h"

#include <memory>

namespace tilereel::plain {
namespace {

thread_local std::size_t stack_bytes = std::size_t{256} << 10;
thread_local bool guards = true;

}  // namespace

void use_small_stacks(bool guarded) {
    stack_bytes = std::size_t{64} << 10;
    guards = guarded;
}

Fibers& stacks_for(std::size_t threads) {
    thread_local std::unique_ptr<Fibers> kept;
    if (!kept || kept->count() < threads) {
        kept.reset();
        kept = std::make_unique<Fibers>(threads, stack_bytes, guards);
    }
    return *kept;
}

}  // namespace tilereel::plain
