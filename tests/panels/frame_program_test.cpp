// The whole frame of programs that are no matrix product, at several sizes and text heights.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/panels/frame_window.h"
#include "tests/trace/program_traces.h"

namespace tilereel {
namespace {

struct Program {
    const char* array;  // of global memory, that must be on the stage
    Trace (*trace)();
};
const Program kPrograms[] = {{"in", testing::reduction_trace},
                             {"out", testing::transpose_trace},
                             {"histogram", testing::histogram_trace},
                             {"in", testing::stencil_trace}};

WorkbenchOptions options_for(const Program& program) {
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = false,
                            .run =
                                [](const auto&, auto*) {
                                    plain::ProgramRun run;
                                    run.launches.resize(2);
                                    run.launches[1].kernel = "second";
                                    run.launches[1].trace = "second.npz";
                                    return run;
                                },
                            .read = [&program](const std::filesystem::path&) -> Result<Trace> {
                                return program.trace();
                            }});
    return options;
}

TEST(FrameProgram, ArraysLaunchesAndTheSentenceAreShownThroughout) {
    for (const Program& program : kPrograms)
        for (const auto& [width, height, text] :
             {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 28)}) {
            FrameWindow window(options_for(program), width, height);
            window.bench.view().text_px = text;
            plain::ProgramRequest request;
            request.file = "homework.cu";
            window.bench.apply(OpenProgram{request});
            ASSERT_TRUE(window.bench.shows_program());
            for (Tick tick = 0; tick <= window.bench.replay()->ticks(); ++tick) {
                window.bench.apply(SeekTo{static_cast<double>(tick), false});
                window.driver.frames(1);
                ASSERT_FALSE(plain_text(window.bench.replay()->sentence()).empty()) << tick;
            }
            Rect array, launch;
            ASSERT_TRUE(find_widget("stage.global." + std::string(program.array), array));
            EXPECT_GT(array.w, 8);
            EXPECT_GT(array.h, 3);
            EXPECT_LE(array.right(), width);
            EXPECT_LE(array.bottom(), height);
            EXPECT_TRUE(find_widget("program.launch.1", launch));
            EXPECT_FALSE(find_widget("chip.tile", launch));
        }
}

TEST(FrameProgram, TheOutputStandsInPlaceOfTheLaunches) {
    FrameWindow window(options_for(kPrograms[0]));
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.click("program.output");
    window.driver.frames(2);
    Rect rect;
    EXPECT_FALSE(find_widget("program.launch.1", rect));
    window.driver.click("program.launches");
    window.driver.frames(2);
    EXPECT_TRUE(find_widget("program.launch.1", rect));
}

}  // namespace
}  // namespace tilereel
