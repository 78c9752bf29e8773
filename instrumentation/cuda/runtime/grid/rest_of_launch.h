#pragma once
// The blocks of a long launch that are not recorded: they run after the recorded ones, and are left
// out if they would take too long.
#include <cstdint>

#include "instrumentation/cuda/runtime/launch_facts.h"

namespace tilereel::runtime {

[[nodiscard]] std::int64_t steady_ns();

class RestOfLaunch {
  public:
    // They begin to run; `done`: number of blocks that have run before.
    void begin(std::uint32_t done);
    [[nodiscard]] bool has_begun() const { return since_ns_ != 0; }
    // Estimates from the speed so far what the rest needs, and tells the parent. `done`: number of
    // blocks so far, in all.
    [[nodiscard]] bool takes_too_long(const LaunchFacts& facts, std::uint32_t done);

  private:
    std::int64_t since_ns_ = 0;
    std::uint32_t from_ = 0;
    bool is_told_ = false, is_left_out_ = false;
};

}  // namespace tilereel::runtime
