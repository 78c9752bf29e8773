#pragma once
// The blocks of a long launch that are not recorded: they run after the recorded ones, and are left
// out if they would take too long.
//
// How long is told by processor time, not by the clock on the wall: else a busy machine would leave
// out blocks that it runs in a moment when it is idle, and a program would compute now this, now
// that.
#include <cstdint>

#include "instrumentation/cuda/runtime/launch_facts.h"

namespace tilereel::runtime {

[[nodiscard]] std::int64_t steady_ns();
[[nodiscard]] std::int64_t process_cpu_ns();  // of all threads
[[nodiscard]] std::int64_t thread_cpu_ns();   // of the calling one

class RestOfLaunch {
  public:
    // They begin to run; `done`: number of blocks that have run before.
    void begin(std::uint32_t done);
    [[nodiscard]] bool has_begun() const { return since_ns_ != 0; }
    // Estimates from the speed so far what the rest needs, and tells the parent. `done`: number of
    // blocks so far, in all; `workers`: threads that run them.
    [[nodiscard]] bool takes_too_long(const LaunchFacts& facts, std::uint32_t done,
                                      std::size_t workers);

  private:
    std::int64_t since_ns_ = 0;  // process_cpu_ns()
    std::uint32_t from_ = 0;
    bool is_told_ = false, is_left_out_ = false;
};

}  // namespace tilereel::runtime
