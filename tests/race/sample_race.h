#pragma once
// A small race that sets every member of Race but `recorded`.
#include "app/race/race.h"

namespace tilereel {

inline Race sample_race() {
    Race race;
    race.request.contenders = {{"09_tiled", 32, 0}, {"08_tiled_b_transposed", 32, 1}, {"cublas"}};
    race.request.sizes = {{1024, 1024, 1024}, {1000, 3000, 700}};
    race.request.repeats = 3;
    race.request.caches = Caches::kWarm;
    race.request.seed = 0xffff'ffff'ffff'ffff;
    race.machine = {.gpu = true,
                    .device = "NVIDIA H100 80GB HBM3",
                    .driver = "580.95",
                    .toolkit = "13.0",
                    .reference = "cuBLAS 13.0.2",
                    .measured_bandwidth_gbs = 2950.5,
                    .measured_peak_gflops = 60400,
                    .compute_capability = "9.0",
                    .multiprocessors = 132,
                    .last_cache_bytes = 50u << 20};
    race.date = "2026-02-03T04:05:06Z";
    race.complete = true;
    race.resources = {KernelResources{.registers_per_thread = 38,
                                      .static_shared_bytes = 8192,
                                      .block_threads = 1024,
                                      .blocks_per_multiprocessor = 1,
                                      .suggested_block_threads = 1024,
                                      .suggested_grid_blocks = 132},
                      std::nullopt, std::nullopt};
    race.verified = {
        {.contender = 0, .size = 0, .worst_error = 12.5, .checked = "every element, with float64"},
        {.contender = 1,
         .size = 0,
         .outcome = Outcome::kWrong,
         .worst_error = 1e9,
         .sentence = "C[3][4] is 7, not \"8\""},
        {.contender = 2, .size = 0},
        {.contender = 0, .size = 1, .outcome = Outcome::kSkipped, .sentence = "M is 1000"},
        {.contender = 2, .size = 1, .outcome = Outcome::kFailed, .sentence = "not enough memory"}};
    const auto sample = [&](std::uint32_t contender, std::uint32_t repeat, double milliseconds) {
        race.samples.push_back({.contender = contender,
                                .size = 0,
                                .repeat = repeat,
                                .launches = 10,
                                .milliseconds = milliseconds,
                                .rate = gflops_at(race.request.sizes[0], milliseconds)});
    };
    sample(0, 0, 0.25);
    sample(2, 0, 0.07);
    sample(0, 1, 1.0 / 3);
    race.samples.back().conditions = {.sm_clock_mhz = 1980, .temperature_c = 41, .power_w = 311.5};
    return race;
}

}  // namespace tilereel
