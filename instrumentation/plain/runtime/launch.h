#pragma once
// One launch of a kernel: checked against the GPU chosen, run block by block, recorded as far as
// the budget goes.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/plain/runtime/program.h"
#include "instrumentation/plain/runtime/worker.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {
class Batch;
}

namespace tilereel::plain {

struct LaunchFacts {
    std::uint32_t number = 0;
    std::string kernel, file;  // "multiply<16>"; the launch's file and line
    std::uint32_t line = 0;
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;  // blocks may wait for each other
};

class BatchSink;

// What becomes of the recorded blocks; recorder.cpp.
class LaunchRecorder : public BlockSink {
  public:
    // How many blocks will be recorded.
    virtual void expect_blocks(std::size_t count) = 0;
    // For another CPU thread: its batches come back in the order of their blocks, `blocks` in each.
    virtual std::unique_ptr<BatchSink> make_sink() = 0;
    virtual void merge_batch(Batch& batch, std::size_t blocks) = 0;
    virtual void add_fault(const FaultPlace& place) = 0;
    virtual void add_finding(const RecordedFinding& finding) = 0;
    // Writes the trace and tells the parent. `unhooked_blocks`: how many ran without hooks.
    // `complete`: all blocks that were chosen were recorded.
    virtual void finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                        std::uint64_t unhooked_blocks, bool complete) = 0;
};
[[nodiscard]] std::unique_ptr<LaunchRecorder> make_recorder(const LaunchFacts& facts);

// A finding of the running thread, which ends the launch. `what` follows "Thread (..) of block
// (..)". Line 0: where the thread is.
[[noreturn]] void tell_and_end(RecordedFindingKind kind, const std::string& what, cudaError_t error,
                               std::uint32_t line = 0);
// The same without an end: for the launch's trace.
void tell(RecordedFindingKind kind, const std::string& what, std::uint32_t line = 0);

// Calls the kernel up to where its shared variables are declared, and keeps their size in its
// state. `kernel`: a __global__ function.
void find_static_shared(const void* kernel);
// What a shared variable adds to it, while that is found out or a launch is prepared.
void note_static_shared(const Variable& variable);

// Accesses that the running launch may still record.
[[nodiscard]] std::uint64_t budget_of_launch();

// Whether a barrier of the kernel is left out (left_out_barrier.h), whether it is the one that is
// called at `site` (may be null), and the order in which the threads then run.
[[nodiscard]] bool leaves_out_a_barrier();
[[nodiscard]] bool is_left_out(const Site* site);
[[nodiscard]] ThreadOrder thread_order();

// Whether a launch is being prepared: the host calls the kernel, which must not begin.
[[nodiscard]] bool is_probing();

// The kernel that the running launch has called first; null before that.
[[nodiscard]] const Kernel* running_kernel();

}  // namespace tilereel::plain
