#pragma once
// How long a launch takes on a GPU, estimated from its recording, and what limits it.
//
// Never a measurement. Two kinds: `kAbout` comes from a simulation of one SM, and has a band in
// which most of the launches that were checked lie (tests/hardware/estimate.csv). `kAtLeast` is a
// bound: the busiest pipe alone; the launch takes this time or longer.
//
// A large product is estimated from recordings of a small one: its blocks do the same, only longer.
// Two recordings, of which the second does more in each block, say what a block costs and what each
// step more costs.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/analysis/generations/occupancy.h"
#include "instrumentation/analysis/time/block_stream.h"
#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Pipe : std::uint8_t {
    kMemory,
    kMultiplyAdd,
    kIssue,
    kTensor,
    kL2,
    kDram,
    kAlu,
    kXu,
    kFp64
};
inline constexpr std::size_t kPipes = 9;
[[nodiscard]] std::string_view name_of(Pipe pipe);  // "memory pipe"

// The factor either way from an estimate in which nine of ten checked matrix products in FP32 lie,
// and eight of ten other launches (tests/hardware/estimate.csv).
inline constexpr double kBandOfProducts = 1.25, kBandOfOthers = 2.1;

// What goes between L2 and DRAM.
struct DramBytes {
    double asked = 0;  // by blocks of L2, each once
    double fetched = 0, written = 0;
    [[nodiscard]] double all() const { return fetched + written; }
};

// What is estimated.
struct TimedLaunch {
    const Trace* trace = nullptr;   // a recording with at least one whole block
    const Trace* longer = nullptr;  // of the same code with more steps in each block; may be null
    // With `longer`: how many of the steps that `longer` has more than `trace` a block of the
    // launch has more than `trace`: (K - K1) / (K2 - K1).
    double more_steps = 0;
    std::uint64_t blocks = 0;  // of the launch
    BlockResources resources;
    DramBytes dram;  // if all blocks of an SM get on alike (analysis/l2/block_order.h)
    // If the oldest one gets on most, as where they compete for a busy pipe; nullopt: the same.
    std::optional<DramBytes> dram_in_turn{};
    bool cold = true;  // L2 is empty when the launch begins
    double band = kBandOfOthers;
    StreamOptions options{};  // of what is simulated
};

// What is simulated: the instructions that nvcc has made of the kernel, as often as the recording
// says, or the recording alone, with nvcc's ways imitated.
enum class TimeTier : std::uint8_t { kRecording, kMachineCode };
[[nodiscard]] std::string_view name_of(TimeTier tier);  // "machine code"

enum class EstimateKind : std::uint8_t { kAbout, kAtLeast };

struct ArrayShare {
    ArrayId array = kNoArray;  // kNoArray: work that accesses no array
    double share = 0;
};
struct LineTime {
    std::uint32_t line = 0;
    std::uint16_t file = 0;          // Site::file
    double share = 0;                // of what unit_of_lines() names
    double waited = 0;               // clocks of warps that waited here, of an SM's first wave
    std::vector<ArrayShare> arrays;  // parts of `share`, largest first
};

struct TimeEstimate {
    EstimateKind kind = EstimateKind::kAbout;
    double seconds = 0;
    double low = 0, high = 0;  // kAtLeast: low == seconds, high: 0, unknown
    Pipe limiter = Pipe::kMemory;
    bool latency = false;               // no pipe is busy: warps wait
    bool block_starts = false;          // or blocks end as fast as the GPU can start others
    std::array<double, kPipes> busy{};  // by Pipe: share of the time
    double l1_hits = 0;                 // of the sectors of global loads; without any: 0
    // Of the sectors that L1 asks L2 for or stores there; nullopt: not known.
    std::optional<double> l2_hits{};
    double dram_bytes = 0;
    Occupancy occupancy{};
    double waves = 0;  // of blocks on an SM
    std::uint64_t blocks = 0, recorded_blocks = 0;
    double launch_seconds = 0;    // of `seconds`: until the first block runs
    std::vector<LineTime> lines;  // by share, largest first; all shares are 1 together
    std::string why_bound{};      // kAtLeast: what is not modelled
    TimeTier tier = TimeTier::kRecording;
    std::string why_recording{};  // there was machine code, and it was not used; else empty
};

// What the lines have shares of if this pipe limits: "memory pipe", "FMA pipe", "ALU", "XU", "FP64
// pipe", "bytes of L2" (also if DRAM limits) or "instructions".
[[nodiscard]] std::string_view unit_of_lines(Pipe limiter);
// The arrays' parts of all lines together, largest first.
[[nodiscard]] std::vector<ArrayShare> shares_of_arrays(const TimeEstimate& estimate);

// Error (kWrongCall): such a block cannot run. (kFailed): the trace has no whole block.
Result<TimeEstimate> estimate_time(const TimedLaunch& launch, const GpuModel& gpu);

}  // namespace tilereel
