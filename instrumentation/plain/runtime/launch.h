#pragma once
// One launch of a kernel: it is checked against the limits of the chosen GPU, run block by block,
// and recorded up to the budget.
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
    std::string kernel, file;  // "multiply<16>"; source file of the launch
    std::uint32_t line = 0;
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;  // blocks may wait for each other
};

class BatchSink;

// Makes a trace of the recorded blocks (recorder.cpp).
class LaunchRecorder : public BlockSink {
  public:
    // Sets the number of blocks that will be recorded.
    virtual void expect_blocks(std::size_t count) = 0;
    // A sink for another CPU thread. merge_batch() takes its batches, of `blocks` blocks each, in
    // the order of the blocks.
    virtual std::unique_ptr<BatchSink> make_sink() = 0;
    virtual void merge_batch(Batch& batch, std::size_t blocks) = 0;
    virtual void add_fault(const FaultPlace& place) = 0;
    virtual void add_finding(const RecordedFinding& finding) = 0;
    // Writes the trace and sends a message to the parent. `unhooked_blocks`: number of blocks that
    // ran without hooks. `complete`: all chosen blocks were recorded.
    virtual void finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                        std::uint64_t unhooked_blocks, bool complete) = 0;
};
[[nodiscard]] std::unique_ptr<LaunchRecorder> make_recorder(const LaunchFacts& facts);

// Reports a finding of the running thread and ends the launch. `what` follows "Thread (..) of block
// (..)". `line` 0: the line where the thread is.
[[noreturn]] void report_and_end_launch(RecordedFindingKind kind, const std::string& what,
                                        cudaError_t error, std::uint32_t line = 0);
// The same, but the launch goes on.
void report(RecordedFindingKind kind, const std::string& what, std::uint32_t line = 0);

// Calls a __global__ function up to tilereel_begin() and stores the size of its static shared
// memory in KernelState::static_shared_bytes.
void find_static_shared(const void* kernel);
// Adds a shared variable to that size, while is_probing().
void note_static_shared(const Variable& variable);

// The number of accesses that the running launch may record.
[[nodiscard]] std::uint64_t budget_of_launch();

// Whether a barrier of the kernel is left out (left_out_barrier.h), whether it is the barrier at
// `site` (may be null), and the order in which the threads then run.
[[nodiscard]] bool leaves_out_a_barrier();
[[nodiscard]] bool is_left_out(const Site* site);
[[nodiscard]] ThreadOrder thread_order();

// Whether the host calls a kernel only to learn which one it is and how much static shared memory
// it has. tilereel_begin() then returns to the host.
[[nodiscard]] bool is_probing();

// The kernel of the running launch; null before the first launch.
[[nodiscard]] const Kernel* running_kernel();

}  // namespace tilereel::plain
