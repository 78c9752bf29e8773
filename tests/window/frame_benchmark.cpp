// How long a frame takes, 1920 x 1080, drawn without a window. Two programs in one:
//   frame_benchmark [--check]
// 09_tiled, 64 x 64 x 64, TILE 16, playing; 18_warp_tiled at TILE 128, 20_champion at 256; and a
// large race. Prints medians, 95th percentiles and the longest in milliseconds; with --check it
// fails beyond the limits (whole frame 16.7 ms, building it 3 ms, medians). The elapsed times hold
// only on a machine that does nothing else; the processor time of all threads tells whether that
// was so.
//   frame_benchmark --beside-race cpu|gpu [SECONDS] [--check]
// The window's loop while a race runs on the same machine: the Race page, then a replay that plays.
// Prints how long frames took from being due to being drawn; with --check it fails where more than
// one in a hundred took longer than the frame interval (GPU: 1/60 s) or than 50 ms (CPU).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "app/race/runners/cpu_runner.h"
#include "app/race/runners/gpu_runner.h"
#include "app/race/runners/make_runner.h"
#include "app/shell/frame.h"
#include "app/shell/frame_pace.h"
#include "app/ui/frame/offscreen.h"
#include "kernels/catalog.h"

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
        std::printf("%-28s median %6.2f ms   95%% %6.2f ms   longest %6.2f ms   limit %.1f ms\n",
                    what, share(0.5), share(0.95), share(1), limit_ms);
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

// Draws frames of a workbench. Returns whether they were within the limits. `frames`: receives the
// time of each frame.
bool measure(const char* what, OffscreenRenderer& renderer, Workbench& workbench,
             double build_limit_ms = kBuildLimitMs, double limit_ms = kFrameLimitMs,
             Samples* frames = nullptr) {
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
        renderer.render(Painting::kOnTime);  // as a window on a software renderer does
        if (i < kWarmUpFrames) continue;
        build.ms.push_back(built);
        whole.ms.push_back(ms_since(start));
        processor.ms.push_back(processor_ms() - processor_start);
    }
    if (frames != nullptr) *frames = whole;
    build.print("building the frame (CPU)", build_limit_ms);
    whole.print("the whole frame", limit_ms);
    std::printf("%-28s median %6.2f ms   over all threads\n", "its processor time",
                processor.share(0.5));
    return build.share(0.5) <= build_limit_ms && whole.share(0.5) <= limit_ms;
}

WorkbenchOptions options_of(const char* kernel, const KernelParameters& parameters) {
    WorkbenchOptions options;
    options.request.kernel = kernel;
    options.request.parameters = parameters;
    options.record_on_worker = false;
    return options;
}

// The same frames of a comparison, played several times. Other work on the machine holds up a frame
// of one play, but hardly the same frame of each: the least time of a frame is what it takes.
bool measure_comparison(OffscreenRenderer& renderer) {
    constexpr int kPlays = 5;
    Samples least;
    bool within = true;
    for (int play = 0; play < kPlays; ++play) {
        Workbench compared(options_of("09_tiled", {16, 16, 16, 8, 0}));
        compared.apply(Command{
            Compare{{}, {.kernel = "09_tiled", .m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0}}});
        Samples whole;
        within &= measure("09 tiled, 16 x 16 x 16, TILE 8 beside TILE 4, playing", renderer,
                          compared, 2 * kBuildLimitMs, kFrameLimitMs, &whole);
        if (play == 0) least = whole;
        for (std::size_t i = 0; i < whole.ms.size(); ++i)
            least.ms[i] = std::min(least.ms[i], whole.ms[i]);
    }
    least.print("each frame's least of 5", kFrameLimitMs);
    return within && least.share(1) <= kFrameLimitMs;
}

WorkbenchOptions register_tile() { return options_of("18_warp_tiled", {128, 128, 16, 128, 0}); }

WorkbenchOptions champion() { return options_of("20_champion", {256, 128, 64, 256, 0}); }

WorkbenchOptions tiled(int extent, int tile) {
    return options_of("09_tiled", {extent, extent, extent, tile, 0});
}

// 14 contenders at 7 sizes, 7 samples each. The values do not matter.
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
                                 .rate = 500.0 * (c + 1) + 50.0 * s + repeat});
        }
    return race;
}

// The race that runs beside the window: few large sizes, so that the device is always busy.
void choose_long_race(Workbench& workbench, bool gpu) {
    const auto ask = [&](RaceAction action) { workbench.apply(Command{std::move(action)}); };
    for (const ProductSize& size : std::vector(workbench.races().next().sizes))
        ask(ToggleSize{size});
    for (const int n : gpu ? std::vector{256, 4096, 8192} : std::vector{64, 512, 1024})
        ask(ToggleSize{{n, n, n}});
    ask(SetRepeats{15});
}

class BesideRace {
  public:
    BesideRace(OffscreenRenderer& renderer, bool gpu) : renderer_(renderer), gpu_(gpu) {
        WorkbenchOptions options = tiled(64, 16);
        options.races = std::make_unique<RaceBench>(RaceBenchOptions{.runner = [gpu] {
            Result<std::unique_ptr<Runner>> made =
                gpu ? make_gpu_runner({}) : make_cpu_runner({.lower_priority = true});
            return made ? FoundRunner{std::move(made).value(), {}}
                        : FoundRunner{nullptr, made.error().message};
        }});
        workbench_ = std::make_unique<Workbench>(std::move(options));
    }

    // Draws frames until the device for races is known; false if there is none.
    bool find_device() {
        workbench_->apply(SetMode{WindowMode::kRace});
        while (!workbench_->races().looked_for_device()) draw_one();
        const RaceMachine* machine = workbench_->races().machine();
        if (machine == nullptr) {
            std::fprintf(stderr, "frame_benchmark: %s\n",
                         workbench_->races().device_fault().c_str());
            return false;
        }
        choose_long_race(*workbench_, machine->gpu);
        std::printf("racing on %s; drawing on %s\n", machine->device.c_str(),
                    renderer_.graphics().c_str());
        return true;
    }

    // Draws frames of one page for `seconds`. Returns whether they were within the limits.
    bool measure(const char* page, WindowMode mode, double seconds) {
        workbench_->apply(SetMode{mode});
        for (int i = 0; i < kWarmUpFrames; ++i) draw_one();
        FrameTimes times;
        std::size_t samples = 0;
        const auto start = FramePace::Clock::now();
        double elapsed = 0;
        while ((elapsed = ms_since(start) / 1000) < seconds) {
            times.add(draw_one());
            samples = std::max<std::size_t>(samples,
                                            workbench_->races().shown() == nullptr
                                                ? 0
                                                : workbench_->races().shown()->race.samples.size());
        }
        std::printf("%s, beside a race that took %zu samples: %.1f frames a second\n%s", page,
                    samples, static_cast<double>(times.count()) / elapsed, times.report().c_str());
        const double limit_ms = gpu_ ? kFrameLimitMs : 50;
        return times.quantile(0.99) <= limit_ms;
    }

  private:
    // Draws a frame and returns the milliseconds since it was due. Starts the race again if it has
    // ended.
    double draw_one() {
        const RaceBench& races = workbench_->races();
        if (races.machine() != nullptr && !races.racing())
            workbench_->apply(Command{RaceAction{StartRace{}}});
        const auto interval =
            gpu_ ? kScreenInterval : FramePace::Clock::duration(kFrameIntervalDuringRace);
        const auto due = pace_.wait(interval);
        now_seconds_ += kFrameSeconds;
        renderer_.build(kFrameSeconds, [this] {
            draw_frame(*workbench_, state_,
                       look_of(*workbench_, kWidth, kHeight, now_seconds_, kFrameSeconds));
        });
        renderer_.render(Painting::kOnTime);
        return ms_since(due);
    }

    static constexpr FramePace::Clock::duration kScreenInterval = std::chrono::microseconds(16'667);
    OffscreenRenderer& renderer_;
    bool gpu_;
    std::unique_ptr<Workbench> workbench_;
    FrameState state_;
    FramePace pace_;
    double now_seconds_ = 0;
};

int run_beside_race(OffscreenRenderer& renderer, bool gpu, double seconds, bool check) {
    BesideRace frames(renderer, gpu);
    if (!frames.find_device()) return 1;
    const bool race = frames.measure("Race page", WindowMode::kRace, seconds);
    const bool replay = frames.measure("Replay, playing", WindowMode::kReplay, seconds);
    return check && !(race && replay) ? 1 : 0;
}

int run_alone(OffscreenRenderer& renderer, bool check) {
    Workbench playing(tiled(64, 16));
    bool within = measure("09 tiled, 64 x 64 x 64, TILE 16, playing", renderer, playing);

    within &= measure_comparison(renderer);

    Workbench marked(tiled(64, 32));
    marked.apply(Command{RemoveBarrier{find_kernel("09_tiled")->barriers[0].line}});
    within &= measure("09 tiled, TILE 32, without its first barrier, playing", renderer, marked);

    // 30 frames a second for a block that is 64 times as large.
    Workbench large(register_tile());
    within &= measure("18 warp_tiled, 128 x 128 x 16, TILE 128, playing", renderer, large,
                      kBuildLimitMs, 33.3);

    const auto opening = std::chrono::steady_clock::now();
    Workbench largest(champion());
    std::printf("recording and opening %37.2f ms\n", ms_since(opening));
    // While the first tile is read and the second one is under way.
    largest.apply(
        Command{SeekTo{0.3 * static_cast<double>(largest.replay()->schedule().ticks), false}});
    within &= measure("20 champion, 256 x 128 x 64, TILE 256, playing", renderer, largest,
                      2 * kBuildLimitMs, 33.3);

    WorkbenchOptions options = tiled(16, 4);
    options.playing = false;
    options.races =
        std::make_unique<RaceBench>(RaceBenchOptions{.shown = large_race(), .on_worker = false});
    Workbench race(std::move(options));
    race.apply(SetMode{WindowMode::kRace});
    within &= measure("a race of 14 contenders at 7 sizes, 7 samples each", renderer, race);
    // The cost of a new sample in every frame, besides drawing.
    const Race growing = large_race();
    Samples figures;
    for (int i = 0; i < kFrames; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const RaceFigures taken = figures_of(growing, true);
        figures.ms.push_back(taken.samples > 0 ? ms_since(start) : 0);
    }
    figures.print("figures of one more sample", kBuildLimitMs);
    return check && !within ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const bool check = std::ranges::find(words, "--check") != words.end();
    const auto beside = std::ranges::find(words, "--beside-race");
    auto renderer = OffscreenRenderer::create(kWidth, kHeight);
    if (!renderer) {
        std::fprintf(stderr, "frame_benchmark: %s\n", renderer.error().message.c_str());
        return 1;
    }
    if (beside == words.end()) return run_alone(**renderer, check);
    if (words.end() - beside < 2 || (beside[1] != "cpu" && beside[1] != "gpu")) {
        std::fprintf(stderr, "frame_benchmark: --beside-race takes cpu or gpu\n");
        return 2;
    }
    constexpr double kUsualSeconds = 15;
    const double seconds = words.end() - beside > 2 ? std::atof(beside[2].data()) : 0;
    return run_beside_race(**renderer, beside[1] == "gpu", seconds > 0 ? seconds : kUsualSeconds,
                           check);
}
