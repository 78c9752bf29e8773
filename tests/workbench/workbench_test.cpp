#include "app/workbench/workbench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"
#include "tests/trace/matrix_values.h"
#include "tests/workbench/bench.h"

namespace tilereel::workbench_test {
namespace {

using testing::HasSubstr;

KernelParameters parameters(int m, int n, int k, int tile, int pad = 0) {
    return {.m = m, .n = n, .k = k, .tile = tile, .pad = pad};
}

TEST(Workbench, ShowsItsFirstRecordingFromTheStart) {
    Workbench workbench(
        {.request = request("09_tiled", 16, 4), .trace = {}, .record_on_worker = false});
    ASSERT_NE(workbench.recording(), nullptr);
    ASSERT_NE(workbench.replay(), nullptr);
    EXPECT_EQ(workbench.recording()->counts.multiply_adds, 16u * 16 * 16);
    EXPECT_EQ(workbench.recording()->sites.size(), workbench.recording()->trace->sites.size());
    EXPECT_EQ(workbench.position(), 0);
    EXPECT_EQ(workbench.replay()->block(), 0u);
    EXPECT_TRUE(workbench.playing());
    workbench.advance(0.16);
    EXPECT_DOUBLE_EQ(workbench.position(), 1);
    EXPECT_EQ(workbench.replay()->state().tick, 1u);
    EXPECT_EQ(workbench.recording_progress(), nullptr);
    EXPECT_EQ(workbench.message(), "");
    // A trip of naive in 4x4 blocks reads 4 sectors of A and 1 of B; a phase of tiled 4 and 4.
    EXPECT_EQ(workbench.before().label, "02 naive");
    EXPECT_EQ(workbench.before().counts.global_load.sectors, 16u * 16 * 5);
    EXPECT_EQ(workbench.recording()->counts.global_load.sectors, 16u * 4 * 8);
}

TEST(Workbench, StepsByTheChosenUnitAndPauses) {
    Workbench workbench(
        {.request = request("09_tiled", 16, 4), .trace = {}, .record_on_worker = false});
    const Replay& replay = *workbench.replay();
    EXPECT_EQ(workbench.unit(), StepUnit::kRequest);
    workbench.apply(StepForward{});
    EXPECT_FALSE(workbench.playing());
    workbench.advance(2);
    EXPECT_EQ(workbench.position(), static_cast<double>(next_tick(replay, StepUnit::kRequest, 0)));
    workbench.apply(Commands{SetUnit{StepUnit::kPhase}, GoToStart{}, StepForward{}});
    workbench.advance(2);
    const auto second_phase = static_cast<double>(next_tick(replay, StepUnit::kPhase, 0));
    EXPECT_EQ(workbench.position(), second_phase);
    workbench.apply(StepBack{});
    EXPECT_EQ(workbench.position(), 0);
    workbench.apply(Commands{SetUnit{StepUnit::kWavefront}, PhaseForward{}});
    workbench.advance(2);
    EXPECT_EQ(workbench.position(), second_phase);
    workbench.apply(Commands{PlayPause{}, PhaseBack{}});
    EXPECT_EQ(workbench.position(), 0);
    EXPECT_FALSE(workbench.playing());
    workbench.apply(GoToEnd{});
    EXPECT_EQ(workbench.position(), static_cast<double>(replay.schedule().ticks));
    workbench.apply(SeekTo{.tick = 7.25, .scrubbing = true});
    EXPECT_EQ(workbench.position(), 7.25);
    EXPECT_EQ(replay.state().tick, 7u);
    EXPECT_TRUE(workbench.scrubbing());
    workbench.apply(SeekTo{.tick = 8});
    EXPECT_FALSE(workbench.scrubbing());
    workbench.apply(SetSpeed{4});
    workbench.apply(ChangeSpeed{-1});
    EXPECT_EQ(workbench.speed(), 2);
}

TEST(Workbench, TogglingPadShowsTheFormerPadBefore) {
    Workbench workbench(paused(request("08_tiled_b_transposed", 64, 32)));
    const KernelCounts unpadded = workbench.recording()->counts;
    EXPECT_GT(workbench.changed_seconds_ago(), 1e9);
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.request().parameters.pad, 1);
    EXPECT_EQ(workbench.recording()->request.parameters.pad, 1);
    EXPECT_EQ(workbench.before().label, "PAD 0");
    EXPECT_EQ(workbench.before().counts, unpadded);
    EXPECT_EQ(workbench.changed_seconds_ago(), 0);
    workbench.advance(0.25);
    EXPECT_EQ(workbench.changed_seconds_ago(), 0.25);
    // Bs[tx][k]: 32 rows 32 words apart share a bank; 33 words apart they do not.
    EXPECT_EQ(unpadded.shared_load.worst_wavefronts, 32u);
    EXPECT_GT(unpadded.shared_load.bank_conflicts, 0u);
    EXPECT_EQ(workbench.recording()->counts.shared_load.bank_conflicts, 0u);
    EXPECT_EQ(workbench.recording()->counts.shared_store.bank_conflicts, 0u);
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.request().parameters.pad, 0);
    EXPECT_EQ(workbench.before().label, "PAD 1");
    EXPECT_EQ(workbench.recording()->counts, unpadded);
}

TEST(Workbench, AKernelWithoutPadSaysSo) {
    Workbench workbench(paused(request("02_naive", 16, 4)));
    EXPECT_EQ(workbench.before().label, "");
    workbench.apply(TogglePad{});
    EXPECT_THAT(workbench.message(), HasSubstr("02 naive has no PAD"));
    EXPECT_EQ(workbench.request().parameters, parameters(16, 16, 16, 4));
    workbench.apply(DismissMessage{});
    EXPECT_EQ(workbench.message(), "");
}

TEST(Workbench, ChangingTileKernelAndSizesChangesTheColumnBefore) {
    Workbench workbench(paused(request("09_tiled", 32, 8)));
    workbench.apply(SetParameters{parameters(32, 32, 32, 16)});
    EXPECT_EQ(workbench.before().label, "TILE 8");
    workbench.apply(SetKernel{"08_tiled_b_transposed"});
    EXPECT_EQ(workbench.before().label, "09 tiled");
    const CountsColumn column = workbench.before();
    workbench.apply(SetParameters{workbench.request().parameters});  // the same again
    EXPECT_EQ(workbench.before().label, "09 tiled");
    EXPECT_EQ(workbench.before().counts, column.counts);
    workbench.apply(SetParameters{parameters(64, 32, 32, 16)});  // twice the rows of C
    EXPECT_EQ(workbench.before().label, "09 tiled");
    EXPECT_EQ(workbench.before().counts.multiply_adds, 64u * 32 * 32);
    EXPECT_EQ(workbench.before().counts.shared_store.accesses,
              2 * column.counts.shared_store.accesses);
}

TEST(Workbench, AnImpossibleLaunchKeepsTheFormerRecording) {
    Workbench workbench(paused(request("09_tiled", 16, 4)));
    const Trace* trace = workbench.recording()->trace.get();
    for (const int bad : {0, -7, INT_MIN, INT_MAX}) {
        workbench.apply(SetParameters{parameters(16, bad, 16, 4)});
        EXPECT_THAT(workbench.message(), HasSubstr("N is"));
        EXPECT_EQ(workbench.request().parameters, parameters(16, 16, 16, 4));
        EXPECT_EQ(workbench.recording()->trace.get(), trace);
    }
    workbench.apply(SetKernel{"99_none"});
    EXPECT_THAT(workbench.message(), HasSubstr("no kernel \"99_none\""));
    // Sound, but far beyond the memory limit: refused by the recorder.
    workbench.apply(SetParameters{parameters(1 << 20, 1 << 20, 1 << 20, 4)});
    EXPECT_NE(workbench.message(), "");
    EXPECT_EQ(workbench.request().parameters, parameters(16, 16, 16, 4));
    EXPECT_EQ(workbench.recording()->trace.get(), trace);
    EXPECT_NE(workbench.replay(), nullptr);
}

TEST(Workbench, CommandsOutOfRangeAreIgnored) {
    Workbench workbench(paused(request("09_tiled", 16, 4)));
    workbench.apply(Commands{WatchBlock{4, 0}, WatchBlock{0, 4}, WatchBlock{UINT_MAX, UINT_MAX}});
    EXPECT_EQ(workbench.replay()->block(), 0u);
    workbench.apply(Commands{ChangeSpeed{INT_MAX}, ChangeTextSize{INT_MAX}});
    EXPECT_EQ(workbench.view().text_px, 32);
    workbench.apply(ChangeTextSize{INT_MIN});
    EXPECT_EQ(workbench.view().text_px, 14);
    workbench.apply(SetTextSize{1000});
    EXPECT_EQ(workbench.view().text_px, 32);
    workbench.apply(SetTextSize{-1});
    EXPECT_EQ(workbench.view().text_px, 14);
}

TEST(Workbench, TheViewIsChangedByCommands) {
    Workbench workbench(paused(request("09_tiled", 16, 4)));
    workbench.apply(Commands{ToggleTheme{}, ToggleFullScreen{}, ToggleHelp{},
                             SelectTab{SideTab::kSource}, SetMode{WindowMode::kRace},
                             ChangeTextSize{2}});
    EXPECT_TRUE(workbench.view().light);
    EXPECT_TRUE(workbench.view().full_screen);
    EXPECT_TRUE(workbench.view().help);
    EXPECT_EQ(workbench.view().tab, SideTab::kSource);
    EXPECT_EQ(workbench.view().mode, WindowMode::kRace);
    EXPECT_EQ(workbench.view().text_px, 18);
    EXPECT_FALSE(workbench.view().introduction);
    EXPECT_FALSE(workbench.view().phase_table);
    workbench.apply(Commands{ToggleTheme{}, ToggleHelp{}, ToggleIntroduction{}, TogglePhaseTable{},
                             SetTextSize{20}});
    EXPECT_TRUE(workbench.view().introduction);
    EXPECT_TRUE(workbench.view().phase_table);
    EXPECT_EQ(workbench.view().text_px, 20);
    EXPECT_FALSE(workbench.view().light);
    EXPECT_FALSE(workbench.view().help);
}

TEST(Workbench, AnotherBlockIsWatchedAtTheSamePlace) {
    Workbench workbench(paused(request("09_tiled", 16, 4)));
    workbench.apply(SeekTo{.tick = static_cast<double>(workbench.replay()->schedule().ticks / 2)});
    const ReplayState before = workbench.replay()->state();
    workbench.apply(WatchBlock{2, 1});
    EXPECT_EQ(workbench.replay()->block(), 6u);
    EXPECT_EQ(workbench.replay()->state().phase, before.phase);
    EXPECT_EQ(workbench.replay()->state().part, before.part);
    EXPECT_EQ(workbench.replay()->state().step, before.step);
}

TEST(Workbench, ANewRecordingIsAtTheSameLogicalPlace) {
    Workbench workbench(paused(request("09_tiled", 64, 16)));
    workbench.apply(TogglePad{});  // nothing has moved yet: still at the start
    EXPECT_EQ(workbench.position(), 0);
    workbench.apply(WatchBlock{3, 1});
    workbench.apply(
        SeekTo{.tick = static_cast<double>(workbench.replay()->schedule().ticks) * 0.6});
    const LogicalPlace before =
        place_at(*workbench.replay(), static_cast<Tick>(workbench.position()));
    const std::uint32_t phase = workbench.replay()->state().phase;
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.replay()->block(), 1u * 4 + 3);
    EXPECT_EQ(workbench.replay()->state().phase, phase);
    EXPECT_EQ(workbench.replay()->state().part, before.part);
    workbench.apply(SetParameters{parameters(64, 64, 64, 8)});
    const LogicalPlace after =
        place_at(*workbench.replay(), static_cast<Tick>(workbench.position()));
    EXPECT_NEAR(after.block_x, before.block_x, 1.0 / 8);
    EXPECT_NEAR(after.block_y, before.block_y, 1.0 / 8);
    EXPECT_NEAR(after.phase, before.phase, 1.0 / 4);
    EXPECT_EQ(after.part, before.part);
    workbench.apply(GoToEnd{});
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.position(), static_cast<double>(workbench.replay()->schedule().ticks));
}

TEST(Workbench, AnOpenedTraceIsShownAndCanBeRecordedAgain) {
    Result<Trace> trace = record_built_in(request("08_tiled_b_transposed", 32, 8, 1));
    ASSERT_TRUE(trace);
    const std::uint64_t records = trace->records.size();
    WorkbenchOptions options = paused({});
    options.trace = std::move(trace).value();
    Workbench workbench(std::move(options));
    ASSERT_NE(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.recording()->trace->records.size(), records);
    EXPECT_EQ(workbench.request().kernel, "08_tiled_b_transposed");
    EXPECT_EQ(workbench.request().parameters, parameters(32, 32, 32, 8, 1));
    EXPECT_EQ(workbench.before().label, "02 naive");
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.recording()->request.parameters.pad, 0);
    EXPECT_EQ(workbench.before().label, "PAD 1");
}

TEST(Workbench, TheUsersMatricesAreKeptWhileTheyFit) {
    RecordRequest own = request("09_tiled", 8, 4);
    own.inputs = {.a = std::vector<float>(64, 2.0f), .b = std::vector<float>(64, 3.0f)};
    Workbench workbench(paused(own));
    ASSERT_NE(workbench.recording(), nullptr);
    EXPECT_EQ(values_of(*workbench.recording()->trace, MatrixRole::kC),
              std::vector<float>(64, 48.0f));
    workbench.apply(SetParameters{parameters(8, 8, 16, 4)});
    EXPECT_THAT(workbench.message(), HasSubstr("your matrices"));
    EXPECT_NE(values_of(*workbench.recording()->trace, MatrixRole::kC),
              std::vector<float>(64, 48.0f));
    workbench.apply(SetParameters{parameters(8, 8, 8, 2)});
    EXPECT_EQ(workbench.message(), "");
    EXPECT_EQ(values_of(*workbench.recording()->trace, MatrixRole::kC),
              std::vector<float>(64, 48.0f));
}

TEST(Workbench, AFirstRecordingThatFailsLeavesNothingButAMessage) {
    Workbench workbench(paused(request("99_none", 16, 4)));
    EXPECT_EQ(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.replay(), nullptr);
    EXPECT_NE(workbench.message(), "");
    for (const Command& command : std::initializer_list<Command>{
             PlayPause{}, PlayPause{}, StepForward{}, StepBack{}, PartForward{}, PartBack{},
             PhaseForward{}, PhaseBack{}, ToggleLoop{}, BackToOpening{}, GoToStart{}, GoToEnd{},
             SeekTo{.tick = 5}, WatchBlock{0, 0}, TogglePad{}, CancelRecording{}})
        workbench.apply(command);
    workbench.advance(1);
    EXPECT_EQ(workbench.position(), 0);
    workbench.apply(SetKernel{"09_tiled"});
    EXPECT_NE(workbench.recording(), nullptr);
}

TEST(Workbench, GoesBackToTheOpeningLaunch) {
    Workbench workbench(paused(request("09_tiled", 16, 4)));
    const std::uint64_t first = workbench.recording()->id;
    workbench.apply(Commands{WatchBlock{2, 1}, SeekTo{20}, BackToOpening{}});
    EXPECT_EQ(workbench.recording()->id, first) << "nothing was to be recorded anew";
    EXPECT_EQ(workbench.replay()->block(), 0u);
    EXPECT_EQ(workbench.position(), 0);
    workbench.apply(Commands{SetKernel{"08_tiled_b_transposed"}, TogglePad{},
                             SetParameters{parameters(32, 32, 32, 8)}, SetGeneration{"1.0"},
                             WatchBlock{1, 1}, PlayPause{}, BackToOpening{}});
    EXPECT_EQ(workbench.recording()->trace->launch.kernel, "09_tiled");
    EXPECT_EQ(workbench.request().parameters, request("09_tiled", 16, 4).parameters);
    EXPECT_EQ(workbench.generation().id, default_generation().id);
    EXPECT_EQ(workbench.replay()->block(), 0u);
    EXPECT_EQ(workbench.position(), 0);
    EXPECT_FALSE(workbench.playing());
}

TEST(Workbench, GoesBackToTheFileItOpened) {
    const Trace trace = record_built_in(request("02_naive", 16, 4)).value();
    WorkbenchOptions options;
    options.trace = trace;
    options.playing = false;
    options.record_on_worker = false;
    Workbench workbench(std::move(options));
    const Trace* const opened = workbench.recording()->trace.get();
    workbench.apply(Commands{SetKernel{"09_tiled"}, BackToOpening{}});
    EXPECT_EQ(workbench.recording()->trace.get(), opened);
}

TEST(Workbench, OneBlockThatGrowsToManyStaysTheFirst) {
    Workbench workbench(paused(request("09_tiled", 16, 16)));
    workbench.apply(SetParameters{parameters(512, 512, 16, 16)});
    EXPECT_EQ(workbench.replay()->block(), 0u);
}

}  // namespace
}  // namespace tilereel::workbench_test
