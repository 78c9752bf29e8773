#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {
namespace {

thread_local RunningBlock* running_block = nullptr;

}  // namespace

RunningBlock* RunningBlock::current() { return running_block; }
void RunningBlock::set_current(RunningBlock* block) { running_block = block; }

}  // namespace tilereel::plain
