#include "instrumentation/plain/runtime/ends_of_process.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "instrumentation/plain/runtime/program.h"
#include "instrumentation/plain/runtime/running_block.h"
#include "instrumentation/plain/runtime/thread_findings.h"

namespace tilereel::plain {

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

}  // namespace tilereel::plain
