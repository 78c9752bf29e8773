#pragma once
// What the units of a GPU serve in a clock, and how long they take: the constants of an estimate.
//
// Those of the H100 were measured (tests/hardware) or found in published microbenchmarks, and are
// checked against races: tests/hardware/estimate.csv. Those of other GPUs are datasheet figures,
// which nobody here has checked on hardware.
#include <cstdint>
#include <span>
#include <string_view>

namespace tilereel {

inline constexpr std::uint32_t kCacheSectorBytes = 32, kCacheLineBytes = 128;

// One SM. Throughput is in clocks of the SM, for a whole warp.
struct SmTimes {
    int schedulers = 4;      // each issues one instruction a clock
    double fma_a_clock = 4;  // FP32 multiply-adds of a warp; half of it before 8.6, but for 9.0
    // Instructions of a warp on the other pipes: CUDA C++ Programming Guide, "Arithmetic
    // Instructions", by 32 lanes.
    double integer_products_a_clock = 2;  // they keep the FMA pipe busy
    double alu_a_clock = 2;
    double xu_a_clock = 0.5;
    double fp64_a_clock = 2;
    // FP32 sums of BF16 products of a warp's mma, in multiply-adds of one thread: dense.
    double tensor_a_clock = 2048;
    double shared_load = 23;  // clocks until the data of a load of one wavefront is there
    double shared_store = 15;
    double l1_hit = 33;
    double missed_sector = 0.125;  // clocks of the memory pipe to fill a sector of L1
    double fma = 4;                // until a dependent multiply-add can issue
    double barrier = 8;            // from the last arrival to the next instruction
    // From the end of a block until the next one in its place issues: the part of the time without
    // warps there of kernels whose warps end together (tests/hardware/README.md).
    double next_block = 300;
    double warp_start = 75;  // until a warp has its thread and block numbers and its arguments
    double wide_load =
        1.4;  // issue slots that a 16-byte load of shared memory takes besides its own
    double between_requests = 2;  // clocks between two memory requests of one scheduler
    int queued_requests = 8;      // memory requests of one scheduler that may wait for the pipe
    int l1_bytes = 256 * 1024;    // L1 cache and shared memory together
};

struct GpuModel {
    std::string_view generation;  // the compute capability, an id of generations()
    std::string_view name;        // "H100"
    bool checked = false;         // on hardware; else an estimate is a bound
    int multiprocessors = 0;
    double clock_ghz = 0;  // under load
    double dram_gbs = 0;   // that a copy reaches; not checked: of the datasheet
    double l2_gbs = 0;     // of SMs and of DRAM together; 0: unknown
    double l2_bytes = 0;
    double l2_latency = 263, dram_latency = 700;  // clocks, of a DRAM that has little to do
    // What a line waits for DRAM besides, on average, where it is busy half of the time.
    double dram_queue = 150;
    double l2_bytes_a_clock = 54;   // of one SM
    double l2_line_clocks = 1.6;    // of one SM's way to L2, for a line of which it asks sectors
    double stored_line_clocks = 4;  // of one SM's way to L2, for a line that a store touches
    double launch_clocks = 4000;    // from the call until the first block runs
    double blocks_a_us = 0;         // that the GPU starts at most; 0: unknown
    double wave_clocks = 1500;      // until the first blocks run at full speed
    SmTimes sm{};
};

[[nodiscard]] std::span<const GpuModel> gpu_model();  // the H100 first
// By name, without regard to case and with blanks or without ("rtx4090"), or by compute capability;
// nullptr if there is none.
[[nodiscard]] const GpuModel* find_gpu_model(std::string_view name);

}  // namespace tilereel
