// How long a frame takes, 1920 x 1080, drawn without a window: 09_tiled, 64 x 64 x 64, TILE 16,
// playing; 18_warp_tiled at TILE 128; and a large race. Prints medians and 95th percentiles in
// milliseconds; with --check it fails beyond the limits (whole frame 16.7 ms, building it 3 ms,
// medians). The elapsed times hold only on a machine that does nothing else; the processor time of
// all threads tells whether that was so.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/frame.h"
#include "app/ui/offscreen.h"

namespace {

using namespace tilereel;

constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kWarmUpFrames = 30, kFrames = 300;
constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kFrameLimitMs = 16.7, kBuildLimitMs = 3.0;

struct Samples {
    std::vector<double> ms;
    [[nodiscard]] double share(double part) {
        std::sort(ms.begin(), ms.end());
        return ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
    }
    void print(const char* what, double limit_ms) {
        std::printf("%-28s median %6.2f ms   95%% %6.2f ms   limit %.1f ms\n", what, share(0.5),
                    share(0.95), limit_ms);
    }
};

double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// Of all threads of the process, the software renderer's included.
double processor_ms() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

// Frames of a workbench; whether they were within the limits.
bool measure(const char* what, OffscreenRenderer& renderer, Workbench& workbench,
             double build_limit_ms = kBuildLimitMs, double limit_ms = kFrameLimitMs) {
    std::printf("%s\n", what);
    FrameState state;
    double now_seconds = 0;
    const auto draw = [&] {
        now_seconds += kFrameSeconds;
        draw_frame(workbench, state,
                   look_of(workbench, kWidth, kHeight, now_seconds, kFrameSeconds));
    };
    Samples build, whole, processor;
    for (int i = 0; i < kWarmUpFrames + kFrames; ++i) {
        const double processor_start = processor_ms();
        const auto start = std::chrono::steady_clock::now();
        renderer.build(kFrameSeconds, draw);
        const double built = ms_since(start);
        renderer.render();
        if (i < kWarmUpFrames) continue;
        build.ms.push_back(built);
        whole.ms.push_back(ms_since(start));
        processor.ms.push_back(processor_ms() - processor_start);
    }
    build.print("building the frame (CPU)", build_limit_ms);
    whole.print("the whole frame", limit_ms);
    std::printf("%-28s median %6.2f ms   over all threads\n", "its processor time",
                processor.share(0.5));
    return build.share(0.5) <= build_limit_ms && whole.share(0.5) <= limit_ms;
}

WorkbenchOptions register_tile() {
    WorkbenchOptions options;
    options.request.kernel = "18_warp_tiled";
    options.request.parameters = {.m = 128, .n = 128, .k = 16, .tile = 128, .pad = 0};
    options.record_on_worker = false;
    return options;
}

WorkbenchOptions tiled(int extent, int tile) {
    WorkbenchOptions options;
    options.request.kernel = "09_tiled";
    options.request.parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = 0};
    options.record_on_worker = false;
    return options;
}

// 14 contenders at 7 sizes, 7 samples each; only how many there are matters.
Race large_race() {
    Race race;
    race.machine = {.gpu = true,
                    .device = "NVIDIA H100 80GB HBM3",
                    .measured_bandwidth_gbs = 3000,
                    .measured_peak_gflops = 60000,
                    .compute_capability = "9.0"};
    race.date = "2026-01-01T00:00:00Z";
    race.complete = true;
    race.request.contenders.push_back({.kernel = std::string(kCublas)});
    for (const KernelInfo& kernel : catalog())
        if (race.request.contenders.size() < 14 && !kernel.on_cpu)
            race.request.contenders.push_back(
                {std::string(kernel.id), kernel.tiles.back(), kernel.pads.back()});
    for (int n = 256; n <= 16384; n *= 2) race.request.sizes.push_back({n, n, n});
    for (std::uint32_t s = 0; s < race.request.sizes.size(); ++s)
        for (std::uint32_t c = 0; c < race.request.contenders.size(); ++c) {
            add(race, Verified{.contender = c, .size = s});
            for (std::uint32_t repeat = 0; repeat < 7; ++repeat)
                add(race, Sample{.contender = c,
                                 .size = s,
                                 .repeat = repeat,
                                 .milliseconds = 1,
                                 .gflops = 500.0 * (c + 1) + 50.0 * s + repeat});
        }
    return race;
}

}  // namespace

int main(int argc, char** argv) {
    auto renderer = OffscreenRenderer::create(kWidth, kHeight);
    if (!renderer) {
        std::fprintf(stderr, "frame_benchmark: %s\n", renderer.error().message.c_str());
        return 1;
    }
    Workbench playing(tiled(64, 16));
    bool within = measure("09 tiled, 64 x 64 x 64, TILE 16, playing", **renderer, playing);

    // 30 frames a second for a block that is 64 times as large.
    Workbench large(register_tile());
    within &= measure("18 warp_tiled, 128 x 128 x 16, TILE 128, playing", **renderer, large,
                      kBuildLimitMs, 33.3);

    WorkbenchOptions options = tiled(16, 4);
    options.playing = false;
    options.races =
        std::make_unique<RaceBench>(RaceBenchOptions{.shown = large_race(), .on_worker = false});
    Workbench race(std::move(options));
    race.view().mode = 1;
    within &= measure("a race of 14 contenders at 7 sizes, 7 samples each", **renderer, race);
    // What a sample that comes in every frame costs besides drawing.
    const Race growing = large_race();
    Samples figures;
    for (int i = 0; i < kFrames; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const RaceFigures taken = figures_of(growing, true);
        figures.ms.push_back(taken.samples > 0 ? ms_since(start) : 0);
    }
    figures.print("figures of a sample more", kBuildLimitMs);
    const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
    return check && !within ? 1 : 0;
}
