#pragma once
// One launch of a kernel: checked against the GPU chosen, run block by block, recorded as far as
// the budget goes.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/plain/runtime/program.h"
#include "instrumentation/plain/runtime/worker.h"

namespace tilereel::plain {

struct LaunchFacts {
    std::uint32_t number = 0;
    std::string kernel, file;  // "multiply<16>"; the launch's file and line
    std::uint32_t line = 0;
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
};

// What becomes of the recorded blocks; recorder.cpp.
class LaunchRecorder : public BlockSink {
  public:
    virtual void add_fault(const FaultPlace& place) = 0;
    // Writes the trace and tells the parent. `complete`: all blocks that were chosen were recorded.
    virtual void finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                        std::uint32_t blocks, bool complete) = 0;
};
[[nodiscard]] std::unique_ptr<LaunchRecorder> make_recorder(const LaunchFacts& facts);

// The kernel that the running launch has called first; null before that.
[[nodiscard]] const Kernel* running_kernel();

}  // namespace tilereel::plain
