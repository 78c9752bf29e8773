// The frame of a program that was stopped or cancelled, that crashed, or that does not compile.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
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

namespace tilereel::frame_program_end_test {
namespace {

// A program that does not compile while `broken` is set. Once `waits` is set, a run goes on until
// it is cleared or the run is cancelled.
struct Breakable {
    Breakable() { std::ofstream(file()) << "int a\n\nint main() {}\n"; }
    [[nodiscard]] std::filesystem::path file() const { return folder / "broken.cu"; }
    [[nodiscard]] OpenProgram opened() const {
        program::ProgramRequest request;
        request.file = file();
        return OpenProgram{request};
    }
    WorkbenchOptions workbench(bool on_thread) {
        WorkbenchOptions options = options_for(kPrograms[0]);
        options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
            .on_thread = on_thread,
            .run =
                [this](const auto&, program::ProgramProgress* progress) {
                    while (waits && !progress->cancel) std::this_thread::yield();
                    program::ProgramRun run;
                    run.folder = std::make_shared<const std::filesystem::path>();
                    run.launches.resize(1);
                    run.launches[0].trace = "first.npz";
                    if (broken)
                        run.compile_errors.push_back(
                            {"broken.cu", 3, 1, "expected ',' or ';' before 'int'"});
                    return run;
                },
            .read = [](const auto&) -> Result<Trace> { return kPrograms[0].trace(); }});
        return options;
    }

    tests::ScratchFolder folder;
    std::atomic<bool> broken{false}, waits{false};
};

// At the end of a recording that was cut off, nothing says that the warps have returned.
TEST(FrameProgram, WarpsOfACutOffRecordingAreNotDone) {
    for (const bool complete : {true, false}) {
        Program program = kPrograms[0];
        program.trace = [complete] {
            Trace trace = tests::reduction_trace();
            trace.complete = complete;
            return trace;
        };
        FrameWindow window(options_for(program));
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        window.driver.press(Key::kEnd);
        window.driver.frames(14);
        ASSERT_EQ(window.tick(), window.bench.replay()->schedule().ticks);
        const std::string line =
            "up to line " + std::to_string(window.bench.replay()->state().warps[0].line);
        const auto texts = texts_of([&] { window.driver.frames(1); });
        const auto says = [&](const std::string& words) {
            return std::ranges::any_of(texts, [&](const DrawnText& t) {
                return t.text == words || t.text.ends_with(" " + words);
            });
        };
        EXPECT_EQ(says("done"), complete);
        EXPECT_EQ(says(line) || says("cut off"), !complete);
    }
}

// The trace knows where the warps of block 0 were; block 1 was recorded to its end.
TEST(FrameProgram, WarpsThatWereStoppedSayWhereTheyWere) {
    Program program = kPrograms[0];
    program.trace = [] {
        Trace trace = tests::reduction_trace();
        trace.complete = false;
        trace.warp_stops = {{0, 0, WarpStopKind::kInLoop, 7}, {0, 1, WarpStopKind::kAtBarrier, 8}};
        return trace;
    };
    FrameWindow window(options_for(program));
    window.bench.apply(OpenProgram{});
    window.driver.frames(2);
    const auto says = [&](const std::string& words) {
        const auto texts = texts_of([&] { window.driver.frames(1); });
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    const auto sentence = [&] { return plain_text(window.bench.replay()->sentence()); };
    window.driver.press(Key::kEnd);
    window.driver.frames(14);
    EXPECT_TRUE(says("loop, line 7"));
    EXPECT_TRUE(says("waits, line 8") || says("waits at the barrier on line 8"));
    EXPECT_FALSE(says("done"));
    EXPECT_NE(sentence().find("The recording was cut off here"), std::string::npos);
    EXPECT_NE(
        sentence().find("Warp 0: in the loop, line 7; warp 1: waits at the barrier on line 8"),
        std::string::npos);
    window.bench.apply(WatchBlock{1, 0});
    window.driver.press(Key::kEnd);
    window.driver.frames(14);
    EXPECT_TRUE(says("done"));
    EXPECT_EQ(sentence().find("The recording was cut off here"), std::string::npos);
}

// A program that did not end by itself has not run as one that did: the line says so in its colour.
TEST(FrameProgram, TheStateSaysHowTheProgramEnded) {
    using program::ProgramEnd;
    const auto& wait = &Palette::wait_text;
    const auto& conflict = &Palette::conflict;
    struct Case {
        ProgramEnd end;
        int code;
        const char* words;
        ImU32 Palette::*color;
        const char* advice = "";  // of a finding of its launch
    };
    for (const Case& each :
         {Case{ProgramEnd::kExit, 0, "ran in 61 s", &Palette::c},
          {ProgramEnd::kExit, 0, "launch 0 ended with cudaErrorLaunchFailure", wait,
           "Mend it. The launch ends here with cudaErrorLaunchFailure; every "
           "later call of the runtime returns it."},
          {ProgramEnd::kExit, 0, "ran in 61 s", &Palette::c, "Mend it."},
          {ProgramEnd::kExit, 3, "exit code 3 after 60 s", wait},
          {ProgramEnd::kTimeLimit, 9, "stopped after 60 s", wait},
          {ProgramEnd::kLimit, 9, "stopped after 60 s", wait},
          {ProgramEnd::kSignal, 11, "crashed after 60 s", conflict}}) {
        WorkbenchOptions options = options_for(kPrograms[0]);
        options.programs = std::make_unique<ProgramBench>(
            ProgramBenchOptions{.on_thread = false,
                                .run =
                                    [&](const auto&, auto*) {
                                        program::ProgramRun run;
                                        run.launches.resize(1);
                                        run.launches[0].trace = "first.npz";
                                        if (*each.advice != '\0')
                                            run.launches[0].findings.push_back(
                                                {.what = "It fails.", .advice = each.advice});
                                        run.end = each.end;
                                        run.exit_code = each.code;
                                        run.compile_seconds = 1;
                                        run.run_seconds = 60.1;
                                        return run;
                                    },
                                .read = [](const auto&) { return kPrograms[0].trace(); }});
        FrameWindow window(std::move(options));
        window.bench.apply(OpenProgram{});
        window.driver.frames(2);
        const auto texts = texts_of([&] { window.driver.frames(1); });
        const auto found = std::ranges::find(texts, each.words, &DrawnText::text);
        ASSERT_NE(found, texts.end()) << each.words;
        EXPECT_EQ(found->color, window.look.colors().*each.color) << each.words;
    }
}

// On a projector the column is low: a state of two lines is shown whole, above the tabs.
TEST(FrameProgram, ALongStateIsNotCutOnAProjector) {
    WorkbenchOptions options = options_for(kPrograms[0]);
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run =
            [](const auto&, auto*) {
                program::ProgramRun run;
                run.launches.resize(1);
                run.launches[0].trace = "first.npz";
                run.launches[0].findings.push_back(
                    {.what = "It fails.",
                     .advice = "The launch ends here with cudaErrorIllegalAddress; every later "
                               "call of the runtime returns it."});
                return run;
            },
        .read = [](const auto&) { return kPrograms[0].trace(); }});
    FrameWindow window(std::move(options), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.bench.apply(OpenProgram{});
    window.driver.frames(3);
    const float tabs = window.driver.rect_of("side.inspector").y;
    std::string seen;
    for (const DrawnText& drawn : texts_of([&] { window.driver.frames(1); }))
        if (drawn.color == window.look.colors().wait_text && drawn.box.bottom() < tabs &&
            inside(drawn.box, drawn.clip))
            seen += drawn.text + " ";
    EXPECT_EQ(seen, "launch 0 ended with cudaErrorIllegalAddress ");
}

// An endless program: the seconds that it has run and may run, and after cancelling, that it was
// cancelled, with and without a run before.
TEST(FrameProgram, ARunningProgramSaysItsTimeAndACancelledOneThatItWas) {
    std::atomic<bool> waits{true}, records{false};
    WorkbenchOptions options = options_for(kPrograms[0]);
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = true,
                            .run =
                                [&](const auto&, program::ProgramProgress* progress) {
                                    progress->change([](program::ProgramStage& stage) {
                                        stage.kind = program::ProgramStage::Kind::kRunning;
                                    });
                                    while (waits && !progress->interrupt) std::this_thread::yield();
                                    program::ProgramRun run;
                                    if (progress->interrupt)
                                        run.end = program::ProgramEnd::kCancelled;
                                    if (progress->interrupt && !records) return run;
                                    run.launches.resize(1);
                                    run.launches[0].trace = "first.npz";
                                    return run;
                                },
                            .read = [](const auto&) { return kPrograms[0].trace(); }});
    FrameWindow window(std::move(options));
    program::ProgramRequest request;
    request.limits.seconds = 75;
    const auto says = [&](const std::string& words) {
        const auto texts = texts_of([&] { window.driver.frames(1); });
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    const auto cancel_run = [&] {
        while (!window.bench.program()->running_seconds) window.driver.frames(1);
        EXPECT_TRUE(says("Running launch 0"));
        window.driver.click("program.cancel");
        while (window.bench.program()->running) window.driver.frames(1);
        EXPECT_TRUE(says("cancelled after "));
        EXPECT_FALSE(says("ran in "));
    };
    window.bench.apply(OpenProgram{request});
    cancel_run();
    EXPECT_FALSE(says("former run"));
    waits = false;
    window.bench.apply(RunProgramAgain{});
    while (!window.bench.shows_program()) window.driver.frames(1);
    EXPECT_TRUE(says("ran in "));
    EXPECT_FALSE(says("cancelled after "));
    waits = true;
    window.bench.apply(RunProgramAgain{});
    records = true;  // but less than the run of the same text that is shown
    cancel_run();
    EXPECT_TRUE(says("the former run is shown"));
    window.bench.apply(OpenProgram{request});
    cancel_run();
    while (!window.bench.shows_program()) window.driver.frames(1);
    EXPECT_FALSE(says("the former run is shown"));
    EXPECT_TRUE(says("cancelled after "));
}

// The limit of time counts from the last message of the program, not from its beginning.
TEST(FrameProgram, ARunningProgramSaysForHowLongItHasMadeNoProgress) {
    WorkbenchOptions options = options_for(kPrograms[0]);
    std::atomic<bool> sends{false};
    options.programs = std::make_unique<ProgramBench>(
        ProgramBenchOptions{.on_thread = true,
                            .run =
                                [&](const auto&, program::ProgramProgress* progress) {
                                    using Clock = std::chrono::steady_clock;
                                    const auto begin = Clock::now();
                                    progress->change([](program::ProgramStage& stage) {
                                        stage.kind = program::ProgramStage::Kind::kRunning;
                                    });
                                    while (!progress->cancel) {
                                        const auto heard = sends ? Clock::now() : begin;
                                        progress->heard_ns = heard.time_since_epoch().count();
                                        std::this_thread::yield();
                                    }
                                    return program::ProgramRun{};
                                },
                            .read = [](const auto&) { return kPrograms[0].trace(); }});
    FrameWindow window(std::move(options));
    program::ProgramRequest request;
    request.limits.seconds = 75;
    window.bench.apply(OpenProgram{request});
    while (window.bench.program()->running_seconds.value_or(0) < 2.1) window.driver.frames(1);
    const auto says = [&](const std::string& words) {
        const auto texts = texts_of([&] { window.driver.frames(1); });
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(says("without progress for ")) << "it has sent nothing";
    EXPECT_TRUE(says(" s of 75 s"));
    sends = true;
    while (window.bench.program()->quiet_seconds > 1) window.driver.frames(1);
    EXPECT_FALSE(says("without progress"));
    EXPECT_TRUE(says("Running launch 0: "));
}

// Saved without a semicolon: the errors come first, and the run before can still be watched.
TEST(FrameProgram, ErrorsStandAtTheirLines) {
    Breakable program;
    FrameWindow window(program.workbench(false));
    window.bench.apply(program.opened());
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("program.errors"));
    EXPECT_FALSE(window.driver.has("stage.former"));
    program.broken = true;
    window.bench.apply(RunProgramAgain{true});
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("program.errors"));
    const auto texts = texts_of([&] { window.driver.frames(1); });
    // The compiler sees it in line 3; it is missing at the end of line 1.
    EXPECT_TRUE(std::ranges::any_of(
        texts, [](const DrawnText& t) { return t.text.starts_with("Line 1: A ; is missing"); }));
    EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& t) {
        return t.text.find("does not compile: line 1") != std::string::npos;
    }));
    EXPECT_TRUE(window.bench.shows_program());
    EXPECT_TRUE(window.driver.has("stage.former"));
    Faults faults;
    for (const auto& [width, height] :
         {std::pair(1280.0f, 720.0f), {1366.0f, 768.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
        for (const int text : {14, 28}) {
            window.bench.apply(SetTextSize{text});
            window.driver.resize(width, height);
            window.driver.frames(14);  // it has faded
            const auto of_frame = texts_of([&] { window.driver.frames(1); });
            Page{of_frame,
                 window.look,
                 {0, 0, width, height},
                 "former replay, " + std::to_string(width) + ", text " + std::to_string(text)}
                .find(faults);
        }
    faults.report();
    const Tick before = window.tick();
    window.driver.press(Key::kRight);
    window.finish_step();
    EXPECT_GT(window.tick(), before);  // the former replay still plays
    window.driver.click("program.launches");
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("program.launch.0"));
    program.broken = false;
    window.bench.apply(RunProgramAgain{true});
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("stage.former"));
}

// The errors are of the text before: they do not stand beside the run of the new text.
TEST(FrameProgram, ErrorsLeaveWhenTheMendedProgramRuns) {
    Breakable program;
    FrameWindow window(program.workbench(true));
    window.bench.apply(program.opened());
    const auto says = [&](const std::string& words) {
        const auto texts = texts_of([&] { window.driver.frames(1); });
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    while (!window.bench.shows_program()) window.driver.frames(1);
    program.broken = true;
    window.bench.apply(RunProgramAgain{true});
    while (window.bench.program()->running) window.driver.frames(1);
    window.driver.frames(2);
    EXPECT_TRUE(says("is missing"));
    EXPECT_TRUE(says("does not compile"));
    program.broken = false;
    program.waits = true;
    window.bench.apply(RunProgramAgain{true});
    window.driver.frames(2);
    EXPECT_TRUE(window.bench.program()->running);
    EXPECT_FALSE(says("is missing"));
    EXPECT_FALSE(says("does not compile"));
    EXPECT_FALSE(window.driver.has("program.errors"));
    EXPECT_TRUE(window.driver.has("stage.former")) << "the new run is not shown yet";
    program.waits = false;
    while (window.bench.program()->running) window.driver.frames(1);
    EXPECT_TRUE(says("ran in "));
    EXPECT_FALSE(window.driver.has("stage.former"));
}

}  // namespace
}  // namespace tilereel::frame_program_end_test
