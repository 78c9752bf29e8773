#pragma once
// A race with the medians measured on one NVIDIA H100 (tests/hardware/README.md), in GFLOPS at N =
// 256, 1024, 4096 and 8192. The samples are invented.
#include <array>
#include <string>

#include "app/race/race.h"

namespace tilereel {

struct HardwareRow {
    const char* kernel;
    int tile, pad;
    std::array<double, 4> gflops;
};
inline constexpr std::array<int, 4> kHardwareSizes = {256, 1024, 4096, 8192};
inline constexpr std::array<HardwareRow, 7> kHardwareRows = {{
    {"cublas", 0, 0, {1454, 30188, 51396, 51839}},
    {"09_tiled", 32, 0, {2222, 8790, 8922, 8994}},
    {"09_tiled", 16, 0, {2628, 7583, 8215, 8188}},
    {"08_tiled_b_transposed", 32, 1, {2024, 6808, 6977, 7004}},
    {"02_naive", 32, 0, {1824, 6270, 6133, 5681}},
    {"08_tiled_b_transposed", 32, 0, {695, 1608, 1622, 1623}},
    {"01_naive_by_column", 32, 0, {229, 483, 502, 501}},
}};

inline RaceMachine hardware_machine() {
    return {.gpu = true,
            .device = "NVIDIA H100 80GB HBM3",
            .driver = "580",
            .toolkit = "13.0",
            .reference = "cuBLAS",
            .measured_bandwidth_gbs = 0,
            .measured_peak_gflops = 60400,
            .compute_capability = "9.0",
            .multiprocessors = 132};
}

// Samples around this median, symmetric, at distances of 1 %.
inline void add_samples(Race& race, std::uint32_t contender, std::uint32_t size, double gflops,
                        int count) {
    add(race, Verified{.contender = contender, .size = size, .worst_error = 0.5});
    for (int i = 0; i < count; ++i) {
        const double value = gflops * (1 + 0.01 * (i - (count - 1) / 2.0));
        add(race, Sample{.contender = contender,
                         .size = size,
                         .repeat = static_cast<std::uint32_t>(i),
                         .launches = 1,
                         .milliseconds = flops(race.request.sizes[size]) / (value * 1e6),
                         .rate = value,
                         .conditions = {.sm_clock_mhz = 1980}});
    }
}

inline Race hardware_race(int repeats = 7) {
    Race race;
    race.machine = hardware_machine();
    race.date = "2026-11-21T10:00:00Z";
    race.recorded = true;
    race.complete = true;
    race.request.repeats = repeats;
    for (const int n : kHardwareSizes) race.request.sizes.push_back({n, n, n});
    for (const HardwareRow& row : kHardwareRows)
        race.request.contenders.push_back({row.kernel, row.tile, row.pad});
    for (std::uint32_t s = 0; s < kHardwareSizes.size(); ++s)
        for (std::uint32_t c = 0; c < kHardwareRows.size(); ++c)
            add_samples(race, c, s, kHardwareRows[c].gflops[s], repeats);
    return race;
}

}  // namespace tilereel
