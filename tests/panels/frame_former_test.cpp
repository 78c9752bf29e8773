// A program that was edited, beside its former run: the end of the former replay in the timeline,
// and the findings that are new.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/inspector/listed_findings.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::frame_former_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The recording and the findings of a run of the made-up program.
struct MadeUpRun {
    Trace trace;
    std::vector<program::LaunchSummary> other_launches{};
    std::vector<RecordedFinding> of_program{};
};

RecordedFinding finding_on(std::uint32_t line, const std::string& what) {
    return {.kind = RecordedFindingKind::kOutOfBounds,
            .line = line,
            .block = 0,
            .thread = 0,
            .what = what + ", on line " + std::to_string(line) + ".",
            .advice = "Check the index."};
}

// A program whose runs are given one after the other; the last one stays.
struct EditedProgram {
    explicit EditedProgram(std::vector<MadeUpRun> all) : runs(std::move(all)) {
        for (MadeUpRun& run : runs) run.trace.launch.kernel = "same";
    }
    void open(Workbench& bench) const {
        write();
        program::ProgramRequest request;
        request.file = folder / "same.cu";
        bench.apply(OpenProgram{request});
    }
    void write() const { std::ofstream(folder / "same.cu") << runs[at].trace.source; }
    WorkbenchOptions options() {
        WorkbenchOptions made;
        made.playing = false;
        made.record_on_worker = false;
        made.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
            .on_thread = false,
            .run =
                [this](const auto&, auto*) {
                    program::ProgramRun run;
                    run.launches.resize(1);
                    run.launches[0].kernel = "same";
                    run.launches[0].trace = "same.npz";
                    run.launches[0].findings = runs[at].trace.findings;
                    for (const program::LaunchSummary& other : runs[at].other_launches) {
                        run.launches.push_back(other);
                        run.launches.back().number =
                            static_cast<std::uint32_t>(run.launches.size() - 1);
                    }
                    run.findings = runs[at].of_program;
                    return run;
                },
            .read = [this](const auto&) -> Result<Trace> { return runs[at].trace; }});
        return made;
    }
    void save(Workbench& bench) {
        at = std::min(at + 1, runs.size() - 1);
        write();
        bench.apply(RunProgramAgain{.saved = true});
    }
    tests::ScratchFolder folder;
    std::vector<MadeUpRun> runs;
    std::size_t at = 0;
};

Tick ticks_of(const Trace& trace) { return Replay::of_block(trace, 0)->schedule().ticks; }

// The mark's distance from the beginning of the track is proportional to the ticks.
TEST(FrameFormer, TheTimelineMarksTheEndOfTheFormerReplay) {
    const Trace brief = tests::transpose_trace(), lengthy = tests::stencil_trace();
    ASSERT_LT(ticks_of(brief), ticks_of(lengthy));
    ASSERT_LT(ticks_of(lengthy), 4 * ticks_of(brief));
    for (const auto& [first, second] : {std::pair(brief, lengthy), std::pair(lengthy, brief)}) {
        EditedProgram program({{first}, {second}});
        FrameWindow window(program.options());
        program.open(window.bench);
        window.driver.frames(2);
        EXPECT_FALSE(window.driver.has("timeline.former"));
        const Rect whole = window.driver.rect_of("timeline.track");
        program.save(window.bench);
        window.driver.frames(2);
        const Rect track = window.driver.rect_of("timeline.track");
        const Rect mark = window.driver.rect_of("timeline.former");
        const double share =
            static_cast<double>(ticks_of(first)) / static_cast<double>(ticks_of(second));
        EXPECT_NEAR((mark.x - track.x) / track.w, share, 3.0 / track.w);
        EXPECT_FLOAT_EQ(track.x, whole.x);
        EXPECT_LE(std::max(mark.right(), track.right()), whole.right() + 1);
        const auto texts = texts_of([&] { window.driver.frames(1); });
        EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& text) {
            return text.text.starts_with("before: " + std::to_string(ticks_of(first)) + " ticks");
        }));
    }
}

// Both estimates are made up: 50 MB in 2 ms.
TEST(FrameFormer, TheEstimatedTimeStandsBesideTheFormerOne) {
    EditedProgram program({{tests::transpose_trace()}, {tests::stencil_trace()}});
    FrameWindow window(program.options());
    program.open(window.bench);
    window.driver.press('5');
    window.driver.frames(3);
    ASSERT_NE(window.bench.time_answer(), nullptr);
    EXPECT_EQ(window.bench.former_time_answer(), nullptr);
    program.save(window.bench);
    window.driver.frames(3);
    ASSERT_EQ(window.bench.view().mode, WindowMode::kTime);
    ASSERT_NE(window.bench.time_answer(), nullptr);
    ASSERT_NE(window.bench.former_time_answer(), nullptr);
    const auto texts = texts_of([&] { window.driver.frames(1); });
    EXPECT_TRUE(std::ranges::any_of(
        texts, [&](const DrawnText& text) { return text.text == "before it was saved: 25"; }));
}

// A former replay that was much longer must leave room for the current one.
TEST(FrameFormer, TheReplayKeepsAQuarterOfTheTimeline) {
    Trace lengthy = tests::histogram_trace();
    const Trace once = lengthy;
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (int i = 0; i < 40; ++i) {  // the same epochs over and over
        const std::size_t records = lengthy.records.size(), words = lengthy.words.size();
        append(lengthy.records.site, once.records.site);
        append(lengthy.records.pattern, once.records.pattern);
        append(lengthy.records.base, once.records.base);
        append(lengthy.words, once.words);
        const std::uint32_t epochs = lengthy.segments.epoch.back() + 1;
        for (std::size_t s = 0; s < once.segments.size(); ++s) {
            lengthy.segments.block.push_back(once.segments.block[s]);
            lengthy.segments.epoch.push_back(once.segments.epoch[s] + epochs);
            lengthy.segments.warp.push_back(once.segments.warp[s]);
            lengthy.segments.record_begin.push_back(once.segments.record_begin[s + 1] + records);
            lengthy.segments.value_begin.push_back(once.segments.value_begin[s + 1] + words);
        }
    }
    ASSERT_GT(ticks_of(lengthy), 10 * ticks_of(once));
    Trace brief = once;
    brief.source += "// edited\n";
    EditedProgram program({{lengthy}, {brief}});
    FrameWindow window(program.options());
    program.open(window.bench);
    window.driver.frames(2);
    const float whole = window.driver.rect_of("timeline.track").w;
    program.save(window.bench);
    window.driver.frames(2);
    EXPECT_NEAR(window.driver.rect_of("timeline.track").w / whole, 0.25, 0.01);
    EXPECT_NEAR(window.driver.rect_of("timeline.former").right(),
                window.driver.rect_of("timeline.track").x + whole, 3);
}

std::vector<std::string> new_sentences(const Workbench& bench) {
    std::vector<std::string> sentences;
    for (const ListedFinding& one : list_findings(bench))
        if (one.is_new) sentences.push_back(one.sentence);
    return sentences;
}

MadeUpRun run_with(const std::string& text, std::vector<RecordedFinding> findings) {
    Trace trace = tests::reduction_trace();
    trace.source = text;
    trace.findings = std::move(findings);
    return {std::move(trace)};
}

TEST(ListedFindings, AreNewWhereTheFormerRunHadNone) {
    EditedProgram program(
        {run_with("a\nb\nc\nd\n", {finding_on(2, "Thread 3 reads in[64]")}),
         // A line is added above, and another element is read first: the mistake is the same.
         run_with("x\na\nb\nc\nd\n",
                  {finding_on(3, "Thread 5 reads in[66]"), finding_on(5, "Thread 5 reads in[66]"),
                   finding_on(3, "Thread 5 writes in[66]")}),
         // One finding is gone, and one is on another line.
         run_with("x\na\nb\nc\ne\n", {finding_on(2, "Thread 5 reads in[66]"),
                                      finding_on(5, "Thread 5 reads in[66]")})});
    Workbench bench(program.options());
    program.open(bench);
    EXPECT_EQ(list_findings(bench).size(), 1u);
    EXPECT_THAT(new_sentences(bench), IsEmpty());  // there is nothing to compare with
    program.save(bench);
    EXPECT_THAT(new_sentences(bench), ElementsAre(HasSubstr("on line 5"), HasSubstr("writes")));
    program.save(bench);
    EXPECT_THAT(new_sentences(bench), ElementsAre(HasSubstr("on line 2")));
}

TEST(Message, WhatAnEditHasChangedEndsANoticeAboutTheFormerReplay) {
    EditedProgram program(
        {run_with("a\nb\n", {finding_on(2, "Thread 3 reads in[64]")}), run_with("a\nc\n", {})});
    FrameWindow window(program.options());
    program.open(window.bench);
    window.driver.frames(2);
    window.state.panels.show_notice("No finding after this moment");
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("message.dismiss"));
    program.save(window.bench);
    window.driver.frames(2);
    EXPECT_FALSE(window.bench.saved_change().empty());
    EXPECT_FALSE(window.driver.has("message.dismiss"));
}

TEST(Message, ANoticeAboutAReplayEndsWhenAnotherIsShown) {
    FrameWindow window(small_request());
    window.driver.frames(2);
    window.state.panels.show_notice("No finding after this moment");
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("message.dismiss"));
    const std::uint64_t former = window.bench.replay()->id();
    window.driver.type("p");
    window.driver.frames(2);
    EXPECT_NE(window.bench.replay()->id(), former);
    EXPECT_FALSE(window.driver.has("message.dismiss"));
}

TEST(ListedFindings, OfOtherLaunchesAndOfTheProgramAreListed) {
    program::LaunchSummary reduce;
    reduce.kernel = "reduce";
    reduce.trace = "reduce.npz";
    MadeUpRun clean = run_with("a\nb\n", {}), edited = run_with("a\nc\n", {});
    clean.other_launches = {reduce};
    reduce.findings = {finding_on(2, "Thread 255 reads in[2048]")};
    edited.other_launches = {reduce};
    RecordedFinding leak = finding_on(1, "16 bytes were never freed");
    leak.error = false;
    clean.of_program = edited.of_program = {leak};
    EditedProgram program({clean, edited});
    FrameWindow window(program.options());
    program.open(window.bench);
    program.save(window.bench);
    const std::vector<ListedFinding> list = list_findings(window.bench);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].where, "in launch 1 reduce");
    EXPECT_TRUE(list[0].is_new);
    EXPECT_FALSE(list[1].error);
    EXPECT_FALSE(list[1].is_new);
    window.driver.frames(2);
    window.driver.click("hazards.finding.0");
    EXPECT_EQ(window.bench.program()->launch, 1u);
    EXPECT_EQ(new_sentences(window.bench).size(), 1u);  // it is still new
}

TEST(FrameFormer, EveryWordCanBeRead) {
    Faults faults;
    for (const auto& [width, height, text] :
         {std::tuple(1280.0f, 720.0f, 14), std::tuple(1920.0f, 1080.0f, 28)})
        for (const bool longer : {false, true}) {
            MadeUpRun first = {longer ? tests::histogram_trace() : tests::reduction_trace()};
            MadeUpRun second = {longer ? tests::reduction_trace() : tests::histogram_trace()};
            program::LaunchSummary other;
            other.kernel = "convolve<float, 16>";
            other.trace = "other.npz";
            first.other_launches = {other};
            other.findings = {finding_on(3, "Thread 255 of block 7 reads in[2048]")};
            second.other_launches = {other};
            second.trace.findings = {finding_on(2, "Thread 5 reads data[66]")};
            EditedProgram program({first, second});
            FrameWindow window(program.options(), width, height);
            window.bench.apply(SetTextSize{text});
            program.open(window.bench);
            program.save(window.bench);
            for (const double share : {0.4, 1.0}) {
                const double end = static_cast<double>(window.bench.replay()->schedule().ticks);
                window.bench.apply(SeekTo{share * end, false});
                window.driver.frames(2);
                const auto texts = texts_of([&] { window.driver.frames(1); });
                const std::string place = std::to_string(width) + ", text " + std::to_string(text) +
                                          (longer ? ", before longer" : ", before shorter");
                Page{texts, window.look, {0, 0, width, height}, place}.find(faults);
                EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& t) {
                    return t.text.starts_with("before: ");
                })) << place;
                EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& t) {
                    return t.text == "2 new findings";
                })) << place;
            }
        }
    faults.report();
}

}  // namespace
}  // namespace tilereel::frame_former_test
