#include "instrumentation/plain/runtime/running_block.h"

namespace tilereel::plain {
namespace {

thread_local constinit RunningBlock* running_block [[gnu::tls_model("initial-exec")]] = nullptr;

}  // namespace

RunningBlock* RunningBlock::current() { return running_block; }
void RunningBlock::set_current(RunningBlock* block) { running_block = block; }

}  // namespace tilereel::plain
