// How long a frame takes: 09_tiled, 64 x 64 x 64, TILE 16, playing, 1920 x 1080, drawn without a
// window. Prints medians and 95th percentiles in milliseconds; with --check it fails beyond the
// limits (whole frame 16.7 ms, building it 3 ms, medians). The elapsed times hold only on a machine
// that does nothing else; the processor time of all threads tells whether that was so.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
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

}  // namespace

int main(int argc, char** argv) {
    WorkbenchOptions options;
    options.request.kernel = "09_tiled";
    options.request.parameters = {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 0};
    options.record_on_worker = false;
    Workbench workbench(std::move(options));
    auto renderer = OffscreenRenderer::create(kWidth, kHeight);
    if (!renderer) {
        std::fprintf(stderr, "frame_benchmark: %s\n", renderer.error().message.c_str());
        return 1;
    }
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
        (*renderer)->build(kFrameSeconds, draw);
        const double built = ms_since(start);
        (*renderer)->render();
        if (i < kWarmUpFrames) continue;
        build.ms.push_back(built);
        whole.ms.push_back(ms_since(start));
        processor.ms.push_back(processor_ms() - processor_start);
    }
    build.print("building the frame (CPU)", kBuildLimitMs);
    whole.print("the whole frame", kFrameLimitMs);
    std::printf("%-28s median %6.2f ms   over all threads\n", "its processor time",
                processor.share(0.5));
    const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
    return check && (build.share(0.5) > kBuildLimitMs || whole.share(0.5) > kFrameLimitMs) ? 1 : 0;
}
