#pragma once
// The Race mode with a race in it, for tests of the whole frame.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "app/race/files/race_file.h"
#include "app/shell/frame.h"
#include "tests/race/fake_runner.h"
#include "tests/race/hardware_race.h"
#include "tests/window/driver.h"
#include "tests/workbench/remembered_recordings.h"

namespace tilereel {

class FakeGpu : public FakeRunner {
  public:
    RaceMachine machine(const std::atomic<bool>&) override { return hardware_machine(); }
};

struct RaceWindowOptions {
    std::optional<Race> race = hardware_race();
    bool gpu = true;
    float width = 1920, height = 1080;
    int text_px = 14;
    std::filesystem::path folder = ".";
    std::vector<std::filesystem::path> files{};
    EstimateLaunch estimate{};  // empty: nothing is estimated
    OwnTools own{};
    // A program that is open, whose launch this is; nullopt: none.
    std::optional<Trace> program{};
    std::filesystem::path program_file = "own.cu";
};

struct RaceWindow {
    explicit RaceWindow(RaceWindowOptions given = {})
        : bench(options_of(given)),
          driver(given.width, given.height, [this](double seconds) { draw(seconds); }) {
        bench.apply(SetTextSize{given.text_px});
        if (given.program) {
            program::ProgramRequest request;
            request.file = given.program_file;
            bench.apply(Command{OpenProgram{request}});
            driver.frames(3);
        }
        driver.press('2');
        driver.frames(3);
    }
    static WorkbenchOptions options_of(const RaceWindowOptions& given) {
        RunnerFactory factory;
        if (given.gpu) factory = [] { return FoundRunner{std::make_unique<FakeGpu>(), {}}; };
        WorkbenchOptions options;
        options.request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
        options.playing = false;
        // Only a window with threads estimates beside a race.
        options.record_on_worker = static_cast<bool>(given.estimate);
        options.record = remembered_recordings();
        options.estimate = given.estimate;
        options.races = std::make_unique<RaceBench>(RaceBenchOptions{.runner = factory,
                                                                     .count = remembered_counts(),
                                                                     .own = given.own,
                                                                     .recorded = given.files,
                                                                     .save_folder = given.folder,
                                                                     .shown = given.race,
                                                                     .on_worker = false});
        if (given.program)
            options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
                .on_thread = false,
                .run =
                    [](const auto&, auto*) {
                        program::ProgramRun run;
                        run.launches.resize(1);
                        run.launches[0].trace = "own.npz";
                        return run;
                    },
                .read = [trace = *given.program](const std::filesystem::path&) -> Result<Trace> {
                    return trace;
                }});
        return options;
    }
    void draw(double seconds) {
        now += seconds;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        look = look_of(bench, size.x, size.y, now, seconds);
        append(of_window, draw_frame(bench, state, look));
    }
    [[nodiscard]] const RaceBench& races() const { return bench.races(); }

    Workbench bench;
    FrameState state;
    double now = 0;
    Look look;
    Commands of_window;  // that only a session can carry out
    Driver driver;
};

inline Race whole_ladder() {
    Result<Race> race = read_race(std::filesystem::path(TILEREEL_RACES) / "h100_ladder.json");
    EXPECT_TRUE(race);
    return std::move(race).value();
}

}  // namespace tilereel
