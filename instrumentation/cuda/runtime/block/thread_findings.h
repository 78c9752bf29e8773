#pragma once
// Findings of the running thread.
#include <cstdint>
#include <string>

#include "instrumentation/cuda/include/driver_types.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/warp/barriers_of_block.h"
#include "instrumentation/trace/recorded_finding.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::runtime {

// A thread of a launch.
struct RunningThread {
    Dim3 grid, extents;  // extents: of the block
    std::uint32_t block = 0, thread = 0;
};
[[nodiscard]] RunningThread thread_of(const RunningBlock& block);
// "Thread 3 of block 2 `what`, on line 7 (5 times in all)." `line` 0: unknown.
[[nodiscard]] RecordedFinding finding_of(const RunningThread& thread, RecordedFindingKind kind,
                                         const std::string& what, std::uint32_t line,
                                         std::uint64_t count = 1);
// Adds the finding to the launch, or sends it as a finding of the program if `recorder` is null.
void add_or_send(LaunchRecorder* recorder, const RecordedFinding& finding);

// Later findings go to the recorder. Null: they are sent to the parent as findings of the program.
void set_finding_recorder(LaunchRecorder* recorder);

// Reports a finding of the running thread. The caller ends the launch. `what` follows "Thread 3 of
// block 2". `line` 0: the line of RunningBlock::last_site().
void report(RecordedFindingKind kind, const std::string& what, std::uint32_t line = 0);
// The line of the last finding of report() in this launch; 0: not known.
[[nodiscard]] std::uint32_t last_reported_line();
// Reports that the running thread calls a function of a warp with a mask that lacks its own lane.
// Once per call in the source and launch; the launch goes on.
void report_outside_mask(std::uint32_t mask, const Site* call);
// Reports an error of the running thread, once per place and launch; the launch goes on.
void report_once(const void* place, RecordedFindingKind kind, const std::string& what,
                 const std::string& advice, std::uint32_t line);
// Warns of what the running thread does, once per place and launch. Not of blocks that are not
// recorded.
void warn_once(const void* place, const std::string& what, const std::string& advice,
               std::uint32_t line);
// Warns that a product of two ints of the running thread does not fit, once per place; also in
// blocks that are not recorded. These run another version of the code, so the place is that of the
// source.
struct SourcePlace {
    std::string file;
    std::uint32_t line = 0, column = 0;
    auto operator<=>(const SourcePlace&) const = default;
};
void warn_of_overflow(const SourcePlace& place, std::int32_t a, std::int32_t b);
[[noreturn]] void report_and_end_launch(RecordedFindingKind kind, const std::string& what,
                                        cudaError_t error, std::uint32_t line = 0);
// The same at the running thread's call of the runtime.
[[noreturn]] void end_at_call(const std::string& what, cudaError_t error = cudaErrorLaunchFailure,
                              RecordedFindingKind kind = RecordedFindingKind::kOther);
// Ends the launch because `thread`, the running one, waits for a phase that cannot complete.
[[noreturn]] void report_deadlock(SharedBarriers& barriers, std::uint32_t thread);

}  // namespace tilereel::runtime
