#pragma once
// Plays the whole frame in process.
#include <string>
#include <utility>

#include "app/shell/frame.h"
#include "tests/window/driver.h"
#include "tests/workbench/made_up_estimate.h"
#include "tests/workbench/remembered_recordings.h"

namespace tilereel {

inline RecordRequest small_request(const std::string& kernel = "09_tiled", int extent = 16,
                                   int tile = 8, int pad = 0) {
    return {.kernel = kernel,
            .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad},
            .inputs = {}};
}

// Estimating a launch takes seconds, recording one a tenth of a second.
inline WorkbenchOptions without_slow_work(WorkbenchOptions options) {
    if (!options.estimate) options.estimate = made_up_estimates();
    if (!options.record) options.record = remembered_recordings();
    return options;
}

struct FrameWindow {
    explicit FrameWindow(RecordRequest request = small_request(), float width = 1920,
                         float height = 1080, bool on_worker = false)
        : FrameWindow(WorkbenchOptions{.request = std::move(request),
                                       .trace = {},
                                       .playing = false,
                                       .record_on_worker = on_worker},
                      width, height) {}
    explicit FrameWindow(WorkbenchOptions options, float width = 1920, float height = 1080)
        : bench(without_slow_work(std::move(options))),
          driver(width, height, [this](double seconds) { draw(seconds); }) {
        driver.frames(3);
    }
    void draw(double seconds) {
        now += seconds;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        look = look_of(bench, size.x, size.y, now, seconds);
        append(of_window, draw_frame(bench, state, look));
    }
    void finish_step() { driver.frames(3, 0.6); }  // a forward step is animated for at most 1.5 s
    [[nodiscard]] Tick tick() const { return bench.replay()->state().tick; }
    [[nodiscard]] const KernelParameters& parameters() const { return bench.request().parameters; }

    Workbench bench;
    FrameState state;
    Commands of_window;  // that only a session can carry out
    double now = 0;
    Look look;
    Driver driver;
};

}  // namespace tilereel
