#include "app/cli/program/checked_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/output.h"
#include "app/subject/trust.h"
#include "instrumentation/base/interruption.h"
#include "instrumentation/program/program.h"

namespace tilereel {

using program::LaunchSummary;
using program::ProgramRun;

namespace {

// A sentence with the compiler's first error.
Error compile_error(const ProgramRun& run) {
    const program::CompileError& first = run.compile_errors.front();
    std::string text = first.line == 0
                           ? first.message
                           : first.file + ":" + std::to_string(first.line) +
                                 (first.column == 0 ? "" : ":" + std::to_string(first.column)) +
                                 ": " + first.message;
    const std::size_t more = run.compile_errors.size() - 1;
    if (more > 0) text += " (and " + std::to_string(more) + " more)";
    return failed("the program does not compile: " + text);
}

// A sentence beside the results, which stdout has.
void note(const std::string& sentence) {
    const std::string line = "tilereel: " + printable(sentence, true) + "\n";
    std::fputs(line.c_str(), stderr);
}

// Whether each launch that is wanted ran, and has none of the blocks of --blocks.
bool lacks_blocks(const ProgramRun& run, const ProgramOptions& options) {
    bool any = false;
    for (const LaunchSummary& launch : run.launches) {
        if (!is_wanted(options, launch)) continue;
        if (!launch.lacks_asked_blocks) return false;
        any = true;
    }
    return any;
}

Error no_such_blocks(const ProgramRun& run, const ProgramOptions& options) {
    std::uint64_t most = 0;
    for (const LaunchSummary& launch : run.launches)
        if (is_wanted(options, launch)) most = std::max(most, launch.grid.count());
    return wrong_call("--blocks: no launch has such a block; " +
                      (most == 1 ? std::string("each grid has one block, number 0")
                                 : "the largest grid has blocks 0 to " + std::to_string(most - 1)));
}

}  // namespace

bool is_wanted(const ProgramOptions& options, const LaunchSummary& launch) {
    return !options.launch || static_cast<std::uint32_t>(*options.launch) == launch.number;
}

Result<ProgramRun> run_checked(const std::string& file, const ProgramOptions& options,
                               const std::string& generation, const InterruptFlag& interrupt,
                               LaunchPrinter* printer) {
    program::ProgramProgress progress;
    progress.stop = &interrupt.flag();
    if (printer != nullptr)
        progress.on_change = [printer](const program::ProgramStage& stage) {
            printer->hear(stage);
        };
    const program::ProgramRequest request = request_of_program(file, options, generation);
    if (const std::string notice = sandbox_notice(); !notice.empty()) note(notice);
    Result<ProgramRun> run = program::run_program(request, &progress);
    // Launches that were not selected for recording are not listed.
    const bool any = run && std::ranges::any_of(run->launches, [&](const LaunchSummary& launch) {
                         return is_wanted(options, launch);
                     });
    if (was_interrupted() && !any)
        return Error{ErrorKind::kCancelled, "interrupted; nothing has been recorded"};
    if (!run) return run.error();
    if (!run->compile_errors.empty()) return compile_error(*run);
    if (const std::string hint = sandbox_hint(request, *run); !hint.empty())
        note(hint + " If it is your own work and needs more: --trust.");
    if (options.launch && !any)
        return wrong_call("--launch " + std::to_string(*options.launch) +
                          ": the program did not come to that launch; the first one is 0");
    if (lacks_blocks(*run, options)) return no_such_blocks(*run, options);
    return run;
}

bool is_interrupted_long() {
    using Clock = std::chrono::steady_clock;
    if (!was_interrupted()) return false;
    static const Clock::time_point noticed = Clock::now();
    return Clock::now() - noticed > std::chrono::seconds(2);
}

}  // namespace tilereel
