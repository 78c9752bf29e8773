#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

thread_local constinit RunningBlock* RunningBlock::current_ = nullptr;

}  // namespace tilereel::runtime
