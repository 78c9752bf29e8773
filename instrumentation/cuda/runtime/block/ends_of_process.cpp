#include "instrumentation/cuda/runtime/block/ends_of_process.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

void report_exit_in_thread(const char* function) {
    const RunningBlock* const block = RunningBlock::current();
    if (block == nullptr || !block->in_thread() || !is_guarded()) return;
    const Site* const call = block->call_is_last() ? block->call_site() : nullptr;
    report_and_end_launch(
        RecordedFindingKind::kOther,
        std::string("calls ") + function + ", which is host code: a kernel cannot call it",
        cudaErrorLaunchFailure, call == nullptr ? 0 : call->line);
}

// The plugin calls these in place of the functions of the C library.
extern "C" {

[[noreturn]] void tilereel_exit(int code) {
    report_exit_in_thread("exit()");
    std::exit(code);
}

[[noreturn]] void tilereel_exit_now(int code) {
    report_exit_in_thread("_exit()");
    _exit(code);
}

[[noreturn]] void tilereel_quick_exit(int code) {
    report_exit_in_thread("quick_exit()");
    std::quick_exit(code);
}

}  // extern "C"

}  // namespace tilereel::runtime
