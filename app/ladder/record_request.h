#pragma once
// The request for a recording of a ladder kernel.
#include <cstdint>
#include <optional>
#include <string>

#include "instrumentation/base/result.h"
#include "instrumentation/record/record_progress.h"
#include "instrumentation/trace/trace.h"
#include "kernels/catalog.h"
#include "kernels/reference.h"

namespace tilereel {

inline constexpr std::uint64_t kDefaultMemoryLimitBytes = std::uint64_t{4} << 30;

enum class Recorder : std::uint8_t {
    kCpu = 0,
    kGpu = 1,
    kAuto = 2,  // the GPU if one works, else the CPU
};

struct RecordRequest {
    std::string kernel = "09_tiled";
    KernelParameters parameters;
    Inputs inputs;  // A and B empty: random_inputs(seed)
    std::uint64_t seed = 1;
    Recorder recorder = Recorder::kCpu;  // see ladder.h
    unsigned workers = 0;                // 0: one a core
    std::uint64_t memory_limit_bytes = kDefaultMemoryLimitBytes;
    // The value of an accumulator is recorded at every multiply-add whose number is a multiple of
    // this. 0: 1 for up to 2^20 multiply-adds, else 16.
    std::uint32_t accumulator_interval = 0;
    // The line, in the kernel's file, of the barrier or wait that is left out; 0: none.
    std::uint32_t removed_barrier = 0;
    ThreadOrder order = ThreadOrder::kRoundRobin;
    // With a removed barrier: tries one order after another until C is wrong; uses `order` if C is
    // right in all of them.
    bool find_failing_order = false;
    // Recorded even if the memory limit allows only some blocks.
    std::optional<std::uint32_t> block{};
    bool lanes_may_diverge = true;  // allows ThreadOrder::kLanes; see Generation::independent_lanes
};

// kWrongCall, with the kernel's barriers, if the kernel does not have the removed barrier, or if
// the request names an order without removing a barrier.
Status check_removed_barrier(const KernelInfo& kernel, const RecordRequest& request);

}  // namespace tilereel
