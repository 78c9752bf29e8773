#include "instrumentation/analysis/time/gpu_model.h"

#include <array>
#include <cctype>
#include <string>

namespace tilereel {
namespace {

// H100: SMs and L2 by NVIDIA's "H100 Tensor Core GPU Architecture" whitepaper; clock, DRAM and L2
// speed as raced (assets/races/h100_ladder.json: 1,980 MHz, 2,999 GB/s); latencies of shared
// memory, L1 and L2 by "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture" (arXiv
// 2402.13499). Blocks a microsecond: no launch of tests/hardware/pipes.csv started more than 1,661,
// and launches that do little in each block, of 64, 128 or 256 threads, came to 1,580 or more.
constexpr GpuModel kH100{.generation = "9.0",
                         .name = "H100",
                         .checked = true,
                         .multiprocessors = 132,
                         .clock_ghz = 1.98,
                         .dram_gbs = 3000,
                         .l2_gbs = 19000,
                         .l2_bytes = 50e6,
                         .blocks_a_us = 1640,
                         .sm = {}};
// The same SM and the same L2 with faster memory: NVIDIA's "H200 Tensor Core GPU" datasheet, 4.8
// TB/s; a strided copy reached 4.4, a sum 4.6 (tests/hardware/pipes.csv).
constexpr GpuModel h200() {
    GpuModel gpu = kH100;
    gpu.name = "H200";
    gpu.dram_gbs = 4500;
    return gpu;
}
// NVIDIA's "A100 Tensor Core GPU Architecture" whitepaper: the SXM card with 40 GB.
constexpr GpuModel kA100{
    .generation = "8.0",
    .name = "A100",
    .multiprocessors = 108,
    .clock_ghz = 1.41,
    .dram_gbs = 1555,
    .l2_bytes = 40e6,
    .sm = {.fma_a_clock = 2, .fp64_a_clock = 1, .tensor_a_clock = 1024, .l1_bytes = 192 * 1024}};
// NVIDIA's "Ada GPU Architecture" whitepaper, boost clock.
constexpr GpuModel kRtx4090{
    .generation = "8.9",
    .name = "RTX 4090",
    .multiprocessors = 128,
    .clock_ghz = 2.52,
    .dram_gbs = 1008,
    .l2_bytes = 72e6,
    .sm = {.fp64_a_clock = 0.0625, .tensor_a_clock = 256, .l1_bytes = 128 * 1024}};
// NVIDIA's "Turing GPU Architecture" whitepaper, boost clock, which a T4 does not keep at its 70 W.
constexpr GpuModel kT4{
    .generation = "7.5",
    .name = "T4",
    .multiprocessors = 40,
    .clock_ghz = 1.59,
    .dram_gbs = 320,
    .l2_bytes = 4e6,
    .sm = {.fma_a_clock = 2, .fp64_a_clock = 0.0625, .tensor_a_clock = 512, .l1_bytes = 96 * 1024}};
constexpr std::array kGpus = {kH100, h200(), kA100, kRtx4090, kT4};

std::string without_blanks(std::string_view name) {
    std::string key;
    for (const char letter : name)
        if (letter != ' ' && letter != '-' && letter != '_')
            key += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return key;
}

}  // namespace

std::span<const GpuModel> gpu_model() { return kGpus; }

const GpuModel* find_gpu_model(std::string_view name) {
    for (const GpuModel& gpu : kGpus)
        if (gpu.generation == name || without_blanks(gpu.name) == without_blanks(name)) return &gpu;
    return nullptr;
}

}  // namespace tilereel
