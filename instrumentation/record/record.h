#pragma once
// A request in, a Trace out.
#include <atomic>
#include <cstdint>
#include <string>

#include "instrumentation/base/result.h"
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
    Recorder recorder = Recorder::kCpu;  // see plain/ladder.h
    unsigned workers = 0;                // 0: one a core
    std::uint64_t memory_limit_bytes = kDefaultMemoryLimitBytes;
    std::uint32_t accumulator_interval = 0;  // 0: 1 up to 2^20 multiply-adds, else 16
    // Leaves one barrier out: the line of a __syncthreads() or __syncwarp() in the kernel's file;
    // 0: none.
    std::uint32_t removed_barrier = 0;
    ThreadOrder order = ThreadOrder::kTurns;
    // With a removed barrier: tries the other orders until one makes C wrong, keeps `order` if none
    // does.
    bool find_harm = false;
    bool lanes_may_part = true;  // whether kLanes is allowed: Generation::independent_lanes
};

// Whether the kernel has the barrier that the request leaves out, and the request asks for an order
// only then. kWrongCall, with the kernel's barriers.
Status check_removed_barrier(const KernelInfo& kernel, const RecordRequest& request);

// Shared with a recording in flight: the caller may ask it to stop and read how far it is.
struct RecordProgress {
    std::atomic<bool> cancel{false};
    std::atomic<std::uint32_t> blocks_done{0};
    std::atomic<std::uint32_t> blocks{0};
    std::atomic<bool> compiling{false};  // the kernel, with a TILE or PAD that is not built in
};

}  // namespace tilereel
