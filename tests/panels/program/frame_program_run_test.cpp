// The frame of a program that is chosen, run again, recorded block by block and edited.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/program/program_window.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::frame_program_run_test {
namespace {

// A launch of 4 x 3 blocks of which the first two were recorded. Once `waits` is set, a run goes on
// until it is cancelled.
struct InPart {
    std::vector<program::LaunchBlock> asked;
    std::atomic<bool> waits{false};
    std::uint64_t left_out = 0;  // blocks, unless all are asked for
    ProgramBenchOptions options(bool on_thread) {
        return {
            .on_thread = on_thread,
            .run =
                [this](const program::ProgramRequest& request, program::ProgramProgress* progress) {
                    asked = request.more_blocks;
                    program::ProgramRun run;
                    run.launches.resize(2);
                    program::LaunchSummary& launch = run.launches[1];
                    launch.number = 1;
                    launch.kernel = "reduce";
                    launch.trace = "reduce.npz";
                    launch.grid = {4, 3, 1};
                    launch.chosen_blocks = {0, 1};
                    launch.recorded_blocks = 2;
                    launch.left_out_blocks = request.all_blocks ? 0 : left_out;
                    launch.left_out_seconds = 40;
                    for (const program::LaunchBlock& more : asked)
                        launch.chosen_blocks.push_back(more.block);
                    progress->change([&](program::ProgramStage& stage) {
                        stage.launches = run.launches;
                        if (asked.empty()) stage.kind = program::ProgramStage::Kind::kRunning;
                    });
                    while (waits && !progress->cancel) std::this_thread::yield();
                    return run;
                },
            .read = [this](const std::filesystem::path&) -> Result<Trace> {
                Trace trace = tests::reduction_trace();
                trace.launch.number = 1;
                trace.launch.grid = {4, 3, 1};
                trace.chosen_blocks = {0, 1};
                for (const program::LaunchBlock& more : asked)
                    trace.chosen_blocks.push_back(more.block);
                return trace;
            }};
    }
    WorkbenchOptions workbench(bool on_thread = false) {
        WorkbenchOptions made;
        made.playing = false;
        made.record_on_worker = false;
        made.programs = std::make_unique<ProgramBench>(options(on_thread));
        return made;
    }
};

TEST(FrameProgram, AClickOnTheMapRecordsABlock) {
    InPart program;
    FrameWindow window(program.workbench(), 1366, 768);
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.click("stage.map", 0.9f, 0.9f);
    window.driver.frames(2);
    EXPECT_EQ(program.asked, (std::vector{program::LaunchBlock{1, 11}}));
    EXPECT_EQ(window.bench.replay()->block(), 11u);
}

// Launches are counted from 0, as on the command line.
TEST(FrameProgram, AButtonRunsTheBlocksThatWereLeftOut) {
    InPart program;
    program.left_out = 10;
    FrameWindow window(program.workbench(), 1366, 768);
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    const auto says = [&](const std::string& words) {
        const auto texts = texts_of([&] { window.driver.frames(1); });
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(says("1 reduce"));
    EXPECT_FALSE(says("2 reduce"));
    ASSERT_TRUE(window.driver.has("program.all_blocks"));
    EXPECT_TRUE(says("10 blocks left out"));
    window.driver.click("program.all_blocks");
    window.driver.frames(2);
    EXPECT_TRUE(window.bench.program()->request.all_blocks);
    EXPECT_FALSE(window.driver.has("program.all_blocks"));
}

// By keys alone: K opens the list, which takes a block's name.
TEST(FrameProgram, ABlockIsTyped) {
    InPart program;
    FrameWindow window(program.workbench());
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.press('k');
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("chip.block.6"));
    EXPECT_TRUE(window.driver.has("chip.block.heading.unrecorded"));
    for (const char c : {'2', ',', '1'}) {
        window.driver.press(c);
        window.driver.frames(1);
    }
    window.driver.frames(1);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_EQ(program.asked, (std::vector{program::LaunchBlock{1, 6}}));
    EXPECT_EQ(window.bench.replay()->block(), 6u);
}

// While a block is recorded, the window says so and offers to cancel it.
TEST(FrameProgram, RecordingABlockCanBeReadAndCancelled) {
    Faults faults;
    for (const auto& [width, height] :
         {std::pair(1280.0f, 720.0f), {1366.0f, 768.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
        for (const int text : {14, 28}) {
            InPart program;
            FrameWindow window(program.workbench(true), width, height);
            window.bench.apply(SetTextSize{text});
            window.bench.apply(OpenProgram{});
            while (!window.bench.shows_program()) window.driver.frames(1);
            window.driver.frames(2);
            const auto read = [&](const char* state) {
                const auto texts = texts_of([&] { window.driver.frames(1); });
                Page{texts,
                     window.look,
                     {0, 0, width, height},
                     std::string(state) + ", " + std::to_string(width) + ", text " +
                         std::to_string(text)}
                    .find(faults);
                return texts;
            };
            read("recorded in part");
            program.waits = true;
            window.bench.apply(WatchBlock{3, 2});
            window.driver.frames(2);
            const auto texts = read("recording a block");
            EXPECT_TRUE(std::ranges::any_of(
                texts,
                [](const DrawnText& t) { return t.text.find("Compiling") != std::string::npos; }))
                << width << ", " << text;
            window.driver.click("program.cancel");
            window.driver.frames(2);
            EXPECT_FALSE(window.bench.program()->running);
            EXPECT_EQ(window.bench.replay()->block(), 0u);
        }
    faults.report();
}

// A click on a launch in the list opens it while the program runs.
TEST(FrameProgram, AFinishedLaunchIsOpenedWhileTheProgramRuns) {
    InPart program;
    program.waits = true;
    FrameWindow window(program.workbench(true), 1366, 768);
    window.bench.apply(OpenProgram{});
    while (!window.driver.has("program.launch.1")) window.driver.frames(1);
    EXPECT_FALSE(window.bench.shows_program());
    window.driver.click("program.launch.1");
    while (!window.bench.shows_program()) window.driver.frames(1);
    window.driver.frames(2);
    EXPECT_TRUE(window.bench.program()->running);
    EXPECT_EQ(window.bench.program()->launch, 1u);
    EXPECT_TRUE(window.driver.has("program.cancel"));
    EXPECT_EQ(window.bench.recording()->trace->launch.number, 1u);
    const auto texts = texts_of([&] { window.driver.frames(1); });
    const auto says = [&](const char* words) {
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(says("Running launch 0"));
    EXPECT_FALSE(says("in all")) << "how many there will be is not known";
    program.waits = false;
    while (window.bench.program()->running) window.driver.frames(1);
    EXPECT_EQ(window.bench.program()->launch, 1u);
}

// On a projector the launches are a button: the request and the findings below get their room.
TEST(FrameProgram, OnAProjectorTheLaunchesAreAButton) {
    InPart program;
    FrameWindow window(program.workbench(), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    const auto inspector = [&] {
        Rect again, timeline;
        EXPECT_TRUE(find_widget("program.again", again));
        EXPECT_TRUE(find_widget("transport.play", timeline));
        return timeline.y - again.bottom();
    };
    const float high = inspector();
    EXPECT_FALSE(window.driver.has("program.launch.1"));
    EXPECT_GT(high, 5 * 28 * 1.4f) << "five lines and the tabs";
    window.driver.click("program.open");
    window.driver.frames(2);
    Rect launch;
    ASSERT_TRUE(find_widget("program.launch.1", launch));
    Rect timeline;
    ASSERT_TRUE(find_widget("transport.play", timeline));
    EXPECT_LT(launch.bottom(), timeline.y);
    EXPECT_TRUE(window.driver.has("program.output"));
    window.driver.click("program.open");
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("program.launch.1"));
    EXPECT_EQ(inspector(), high);
}

// What is said of findings while a program compiles is not said of the kernel before it.
TEST(FrameProgram, FindingsOfAProgramThatCompilesAreToCome) {
    InPart program;
    program.waits = true;
    FrameWindow window(program.workbench(true), 1366, 768);
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    window.driver.press('e');
    const auto texts = texts_of([&] { window.driver.frames(2); });
    const auto says = [&](const char* words) {
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(says("its findings are there when it has run"));
    EXPECT_FALSE(says("No finding"));
    program.waits = false;
}

// By a key, too: the full stop opens the first launch that has finished.
TEST(FrameProgram, AKeyOpensAFinishedLaunchWhileTheProgramRuns) {
    InPart program;
    program.waits = true;
    FrameWindow window(program.workbench(true), 1366, 768);
    window.bench.apply(OpenProgram{});
    while (!window.driver.has("program.launch.1")) window.driver.frames(1);
    window.driver.press('.');
    for (int i = 0; i < 10000 && !window.bench.shows_program(); ++i) window.driver.frames(1);
    EXPECT_TRUE(window.bench.shows_program());
    EXPECT_EQ(window.bench.program()->launch, 1u);
    program.waits = false;
}

// Saved with another text: the lines that were edited say what stood there.
TEST(FrameProgram, EditedLinesSayWhatTheyWere) {
    for (const auto& [width, height, text] :
         {std::tuple(1366.0f, 768.0f, 14), std::tuple(1920.0f, 1080.0f, 14)}) {
        bool edited = false;
        WorkbenchOptions options = options_for(kPrograms[0]);
        options.programs = std::make_unique<ProgramBench>(
            ProgramBenchOptions{.on_thread = false,
                                .run =
                                    [](const auto&, auto*) {
                                        program::ProgramRun run;
                                        run.launches.resize(1);
                                        run.launches[0].trace = "first.npz";
                                        return run;
                                    },
                                .read = [&](const auto&) -> Result<Trace> {
                                    Trace trace = tests::reduction_trace();
                                    const std::size_t at = trace.source.find("s *= 2");
                                    if (edited) trace.source.replace(at, 6, "s += s");
                                    return trace;
                                }});
        FrameWindow window(std::move(options), width, height);
        window.bench.apply(SetTextSize{text});
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        const auto words_of_frame = [&] {
            window.bench.apply(SelectTab{SideTab::kSource});
            window.driver.frames(2);
            return texts_of([&] { window.driver.frames(1); });
        };
        const auto is_sign = [](const DrawnText& t) { return t.text == "~"; };
        EXPECT_EQ(std::ranges::count_if(words_of_frame(), is_sign), 0);
        window.bench.apply(SelectTab{SideTab::kRequest});
        edited = true;
        window.bench.apply(RunProgramAgain{true});
        window.driver.frames(2);
        const auto texts = words_of_frame();
        EXPECT_EQ(std::ranges::count_if(texts, is_sign), 1) << width;
        EXPECT_EQ(window.bench.before().label, "before");
        Faults faults;
        Page{texts, window.look, {0, 0, width, height}, "edited"}.find(faults);
        faults.report();
    }
}

TEST(FrameProgram, TheBarChoosesLaunchAndBlock) {
    FrameWindow window(options_for(kPrograms[0]));
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.program"));
    EXPECT_FALSE(window.driver.has("chip.tile"));
    window.driver.click("chip.block");
    window.driver.frames(2);
    window.driver.click("chip.block.1");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.replay()->block(), 1u);
    window.driver.press(Key::kTab);  // opens the launches
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("chip.launch.1"));
    window.driver.click("chip.launch.1");
    window.driver.frames(2);
    EXPECT_EQ(window.bench.program()->launch, 1u);
    EXPECT_EQ(window.bench.replay()->block(), 1u);  // the same kernel: the same block
}

TEST(FrameProgram, AFileIsChosenFromTheList) {
    const tests::ScratchFolder folder;
    std::ofstream(folder / "one.cu") << "int main() {}";
    FrameWindow window(options_for(kPrograms[0]));
    window.state.panels.set_recent_files({folder / "one.cu"});
    window.driver.press(Key::kOpen);
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("files"));
    window.driver.press(Key::kEscape);
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("files"));
    window.driver.click("bar.open");
    window.driver.frames(2);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("files"));
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<OpenFile>());
    EXPECT_EQ(window.of_window[0].get_if<OpenFile>()->file, folder / "one.cu");
}

// In place of a file, the list takes a kernel or the fields of a subject; to compare, what differs.
TEST(FrameFiles, TheListTakesAKernelAndWhatDiffers) {
    FrameWindow window(small_request("09_tiled", 16, 8));
    const auto typed = [&](const char* words, bool to_compare) {
        window.state.panels.show_files(true, to_compare);
        window.driver.frames(2);
        window.driver.type(words);
        window.driver.press(Key::kEnter);
        window.driver.frames(3);
        EXPECT_FALSE(window.driver.has("files")) << words;
    };
    typed("02_naive", false);
    EXPECT_EQ(window.bench.request().kernel, "02_naive");
    typed("kernel=08_tiled_b_transposed,m=32,n=32,k=32,tile=16,pad=0", false);
    EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed");
    typed("pad=1", true);
    ASSERT_NE(window.bench.other(), nullptr) << window.bench.message();
    EXPECT_EQ(window.bench.other()->recording()->trace->launch.pad, 1u);
    EXPECT_EQ(window.bench.other()->recording()->trace->launch.tile, 16u);
}

// Nothing could be linked yet, so there is no recording.
TEST(FrameProgram, EnterAddsTheFileThatDefinesWhatIsMissing) {
    WorkbenchOptions options = options_for(kPrograms[0]);
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run =
            [&](const program::ProgramRequest& asked, auto*) {
                program::ProgramRun run;
                if (asked.more_files.empty())
                    run.compile_errors.push_back(
                        {"main.cu", 0, 0, "no file defines f()", "f()", "b.cu"});
                return run;
            },
        .read = [](const auto&) -> Result<Trace> { return kPrograms[0].trace(); }});
    FrameWindow window(std::move(options));
    program::ProgramRequest request;
    request.file = "main.cu";
    window.bench.apply(OpenProgram{request});
    window.driver.frames(2);
    const auto texts = texts_of([&] { window.driver.frames(1); });
    EXPECT_TRUE(std::ranges::any_of(
        texts, [](const DrawnText& t) { return t.text.starts_with("Enter adds b.cu"); }));
    window.driver.press(Key::kEnter);
    window.driver.frames(1);
    EXPECT_EQ(window.bench.program()->request.more_files.size(), 1u);
    EXPECT_TRUE(window.bench.program()->compile_errors.empty());
}

}  // namespace
}  // namespace tilereel::frame_program_run_test
