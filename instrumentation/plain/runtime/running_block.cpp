#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {

thread_local constinit RunningBlock* RunningBlock::current_ = nullptr;

}  // namespace tilereel::plain
