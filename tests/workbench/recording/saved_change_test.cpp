#include "app/workbench/recording/saved_change.h"

#include <gtest/gtest.h>

#include "app/workbench/program/program_bench.h"
#include "app/workbench/workbench.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::saved_change_test {
namespace {

struct Edit {
    std::uint32_t pitch = 32;   // elements from one row of `tile` to the next
    std::uint32_t stride = 32;  // elements from one lane's element of `in` to the next lane's
    std::string source = "first";
};

// One warp loads from `in` on line 5 and reads a column of `tile` on line 7.
Trace trace_of(const Edit& edit) {
    TraceBuilder builder;
    const ArrayId in = builder.add_array("in", Space::kGlobal, 32, 32);
    const ArrayId tile = builder.add_array("tile", Space::kShared, 32, 32);
    builder.begin_segment(0, 0, 0);
    const auto each = [&](std::uint32_t line, ArrayId array, Operation operation,
                          std::uint32_t distance) {
        builder.set_line(line);
        builder.access(operation, array,
                       [&](int lane) { return 4 * distance * static_cast<std::uint32_t>(lane); });
    };
    each(5, in, Operation::kLoad, edit.stride);
    each(7, tile, Operation::kLoad, edit.pitch);
    Trace trace = builder.take();
    trace.product.reset();
    trace.arrays[tile].leading_dimension = edit.pitch;
    trace.launch.kernel = "k";
    trace.launch.block = {32, 1, 1};
    trace.launch.shared_bytes = 4 * 32 * 33;
    trace.source = edit.source;
    return trace;
}

Recording recording_of(const Edit& edit, std::size_t errors = 0, std::size_t wrong = 0) {
    Recording recording;
    recording.trace = std::make_shared<const Trace>(trace_of(edit));
    recording.sites = count_sites(*recording.trace);
    recording.counts = sum_of(*recording.trace, recording.sites);
    recording.findings.resize(errors);
    recording.wrong.resize(wrong);
    return recording;
}

std::string change(const Recording& former, const Recording& now) {
    return plain_text(saved_change(former, now));
}

// A column of tile[32][32] lies in one bank: 32 wavefronts, 31 conflicts; of tile[32][33] in 32
// banks. 32 elements one row apart are in 32 sectors, neighbours in 4.
TEST(SavedChange, SaysWhatIsGoneRightAndLess) {
    EXPECT_EQ(
        change(recording_of({}, 1, 3532), recording_of({.pitch = 33, .stride = 1})),
        "Saved: 1 error gone, 3,532 elements right, bank conflicts 31 to 0, sectors "
        "\xc3\xb7 8. Next: no line wastes bytes or waits for a bank. C compares it with another "
        "launch.");
    EXPECT_EQ(
        change(recording_of({.pitch = 33, .stride = 1}, 0, 2),
               recording_of({.pitch = 33, .stride = 2}, 0, 5)),
        "Saved: 3 more elements wrong, sectors \xc3\x97 2. Next: without a race, 5 elements are "
        "wrong: look at the indices and at what is summed.");
    EXPECT_EQ(change(recording_of({.pitch = 33, .stride = 1}, 3, 4),
                     recording_of({.pitch = 33, .stride = 1}, 1, 1)),
              "Saved: 2 errors gone, 3 elements right now, 1 still wrong. Next: 1 error is left. E "
              "goes there.");
    EXPECT_EQ(change(recording_of({.pitch = 33, .stride = 1}),
                     recording_of({.pitch = 33, .stride = 1}, 2)),
              "Saved: 2 new errors. Next: 2 errors are left. E goes there.");
}

TEST(SavedChange, ComparesOnlyLikeWithLike) {
    const Recording former = recording_of({}, 1);
    const Edit better{.pitch = 33, .stride = 1};
    EXPECT_NE(change(former, recording_of(better)), "");
    EXPECT_EQ(change(former, recording_of({}, 1)), "");  // nothing has changed
    const auto other = [&](auto&& edit) {
        Trace trace = trace_of(better);
        edit(trace);
        Recording recording = recording_of(better);
        recording.trace = std::make_shared<const Trace>(std::move(trace));
        return change(former, recording);
    };
    EXPECT_EQ(other([](Trace& trace) { trace.launch.kernel = "other"; }), "");
    EXPECT_EQ(other([](Trace& trace) { trace.arrays[0].rows = 64; }), "");
    EXPECT_EQ(other([](Trace& trace) { trace.complete = false; }), "");
    EXPECT_EQ(other([](Trace& trace) { trace.chosen_blocks = {0}; }), "");
    EXPECT_EQ(other([](Trace& trace) { trace.launch.n = 5; }), "");
}

TEST(SavedChange, PaddingIsNextIfItIsCountedToHelp) {
    EXPECT_EQ(plain_text(next_to_try(recording_of({}))),
              "line 7 has 31 bank conflicts; with one more element in each row of tile it would "
              "have none.");
    // Of every second row, one more element leaves two lanes to a bank: 1 conflict.
    EXPECT_EQ(plain_text(next_to_try(recording_of({.pitch = 34, .stride = 1}))),
              "line 7 has 1 bank conflict; with one more element in each row of tile it would have "
              "none.");
    // A padded row of 33 has no conflicts; what is left is the load of line 5.
    EXPECT_EQ(plain_text(next_to_try(recording_of({.pitch = 33}))),
              "line 5 uses only 12% of the bytes that it moves for in: let neighbouring lanes "
              "access neighbouring elements.");
    EXPECT_EQ(plain_text(next_to_try(recording_of({.pitch = 33, .stride = 1}))),
              "no line wastes bytes or waits for a bank. C compares it with another launch.");
}

// A line that makes most of the requests is next where nothing is wrong or wasted. Line 7 reads the
// column three times: 3 of 4 requests.
TEST(SavedChange, TheLineWithMostRequestsIsNextWhereNothingIsWasted) {
    Recording recording = recording_of({.pitch = 33, .stride = 1});
    for (SiteCounts& each : recording.sites)
        if (recording.trace->sites[each.site].line == 7) each.counts.requests *= 3;
    EXPECT_EQ(plain_text(next_to_try(recording)),
              "line 7 makes 3 of 4 requests; Time (5) estimates what each line costs.");
}

Result<program::ProgramRun> one_launch() {
    program::ProgramRun run;
    run.launches.resize(1);
    run.launches[0].kernel = "k";
    run.launches[0].trace = "0.npz";
    return run;
}

TEST(SavedChange, StandsUntilTheNextStep) {
    Edit edit;
    WorkbenchOptions options;
    options.playing = false;
    options.record_on_worker = false;
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run = [](const auto&, auto*) { return one_launch(); },
        .read = [&](const std::filesystem::path&) -> Result<Trace> { return trace_of(edit); }});
    Workbench bench(std::move(options));
    program::ProgramRequest request;
    request.file = "homework.cu";
    bench.apply(OpenProgram{request});
    EXPECT_TRUE(bench.saved_change().empty());
    edit = {.pitch = 33, .source = "second"};
    bench.apply(RunProgramAgain{.saved = true});
    for (int seconds = 0; seconds < 60; ++seconds) bench.advance(1);
    EXPECT_TRUE(plain_text(bench.saved_change()).starts_with("Saved: bank conflicts 31 to 0."));
    bench.apply(StepForward{});
    bench.advance(1);
    EXPECT_TRUE(bench.saved_change().empty());
    edit.source = "third";  // the same counts
    bench.apply(RunProgramAgain{.saved = true});
    EXPECT_TRUE(bench.saved_change().empty());
    edit = {.pitch = 32, .source = "fourth"};
    bench.apply(RunProgramAgain{.saved = true});
    EXPECT_FALSE(bench.saved_change().empty());
    bench.apply(RunProgramAgain{});  // the same text
    EXPECT_TRUE(bench.saved_change().empty());
}

}  // namespace
}  // namespace tilereel::saved_change_test
