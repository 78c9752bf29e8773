// The timeline's intervals: one a request while there is room, one a pixel when there is not.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/panels/timeline/timeline_rows.h"
#include "kernels/catalog.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/tensor_traces.h"

namespace tilereel::timeline_tracks_test {
namespace {

struct Recorded {
    Trace trace;
    std::optional<Replay> replay;
};

Recorded record(const std::string& kernel, int extent, int tile, int pad) {
    RecordRequest request{
        .kernel = kernel,
        .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad},
        .inputs = {}};
    Result<Trace> trace = record_built_in(request);
    check(trace.has_value());
    return {std::move(trace).value(), {}};
}
void replay_block(Recorded& recorded, std::uint32_t block) {
    Result<Replay> replay = Replay::of_block(recorded.trace, block);
    check(replay.has_value());
    recorded.replay.emplace(std::move(replay).value());
}

// TILE 4, 16^3, one warp: per phase 2 loads of about 3 ticks, 2 stores, 8 reads, then C.
TEST(TimelineTracks, OneIntervalARequestWhereThereIsRoom) {
    Recorded recorded = record("09_tiled", 16, 4, 0);
    replay_block(recorded, 6);
    const Replay& replay = *recorded.replay;
    const TimelineTracks tracks = make_tracks(replay, 1780, 2, 40);
    EXPECT_FALSE(tracks.merged);
    EXPECT_EQ(tracks.global.size(), 4u * 2 + 1);        // A and B each phase, C once
    EXPECT_EQ(tracks.shared.size(), 4u * (2 + 2 * 4));  // stores of As, Bs; reads of both by k
    EXPECT_EQ(tracks.barriers.size(), 8u);
    EXPECT_FALSE(tracks.any_conflict);
    EXPECT_TRUE(tracks.conflicts.empty());
    EXPECT_EQ(tracks.global.front().share_a, 1.0f);
    EXPECT_EQ(tracks.global[1].share_b, 1.0f);
    EXPECT_FLOAT_EQ(tracks.global.back().share_a + tracks.global.back().share_b, 0.0f);
    EXPECT_NEAR(tracks.global.back().end, 1778, 0.01);  // C's store ends the replay
    ASSERT_FALSE(tracks.labels.empty());
    EXPECT_EQ(tracks.labels.front().texts.at(0), "load 1");
}

std::vector<std::string> labels_of(const Replay& replay) {
    std::vector<std::string> labels;
    for (const TrackLabel& label : make_tracks(replay, 100'000, 2, 1).labels)
        labels.push_back(label.texts.at(0));
    return labels;
}

// 24 and 25 bring their sums to shared memory, from where the TMA stores them: no load of a tile
// that does not exist.
TEST(TimelineTracks, AStoreByWayOfSharedMemoryIsNoLoad) {
    for (const char* const kernel : {"24_wgmma", "25_warp_specialised"}) {
        RecordRequest request{.kernel = kernel,
                              .parameters = {.m = 256, .n = 64, .k = 128, .tile = 64, .pad = 0},
                              .inputs = {}};
        const Trace trace = record_built_in(request).value();
        const std::vector<std::string> labels = labels_of(Replay::of_block(trace, 0).value());
        ASSERT_FALSE(labels.empty());
        EXPECT_EQ(labels.back(), "store") << kernel;
        for (const std::string& label : labels) EXPECT_EQ(label.find("load 3"), std::string::npos);
    }
}

// A load is numbered by the phase that computes with it: 14 loads the first two tiles before it
// computes at all, and then always the next but one.
TEST(TimelineTracks, NumbersALoadByThePhaseThatItServes) {
    RecordRequest request{.kernel = "14_outer_product_prefetch",
                          .parameters = {.m = 16, .n = 64, .k = 48, .tile = 16, .pad = 0},
                          .inputs = {}};
    const Trace prefetch = record_built_in(request).value();
    EXPECT_EQ(labels_of(Replay::of_block(prefetch, 0).value()),
              (std::vector<std::string>{"load 1", "load 2", "compute 1", "load 3", "compute 2",
                                        "compute 3", "store"}));
    // Without the barrier at the end of the loop, the next load follows at once.
    request = {.kernel = "09_tiled",
               .parameters = {.m = 8, .n = 8, .k = 24, .tile = 8, .pad = 0},
               .inputs = {}};
    request.removed_barrier = static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[1].line);
    const Trace without = record_built_in(request).value();
    EXPECT_EQ(labels_of(Replay::of_block(without, 0).value()),
              (std::vector<std::string>{"load 1", "compute 1", "load 2", "compute 2", "load 3",
                                        "compute 3", "store"}));
}

// Where warps run ahead, a load of two ticks lies between computations of hundreds: too narrow for
// a label, but while it runs its name is the one that counts. It is that of the head's phase.
TEST(TimelineTracks, ThePartThatRunsHasALabelHoweverNarrowItIs) {
    RecordRequest request{.kernel = "08_tiled_b_transposed",
                          .parameters = {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0},
                          .inputs = {}};
    request.removed_barrier =
        static_cast<std::uint32_t>(find_kernel("08_tiled_b_transposed")->barriers[1].line);
    request.order = ThreadOrder::kWarpsForward;
    const Trace trace = record_built_in(request).value();
    Replay replay = Replay::of_block(trace, 0).value();
    constexpr float kWidth = 800;
    const TimelineTracks tracks = make_tracks(replay, kWidth, 0, 40);
    std::size_t narrow = 0;
    for (std::uint32_t i = 0; i < replay.schedule().spans.size(); ++i) {
        const PhaseSpan& span = replay.schedule().spans[i];
        const auto label = label_at(replay, kWidth, static_cast<double>(span.begin));
        ASSERT_TRUE(label);
        EXPECT_EQ(label->span, i);
        if (span.part != Part::kLoad) continue;
        narrow += std::ranges::count(tracks.labels, i, &TrackLabel::span) == 0 ? 1 : 0;
        const std::uint32_t phase = replay.seek(span.begin).phase;
        EXPECT_EQ(label->texts, std::vector{"load " + std::to_string(phase + 1)});
    }
    EXPECT_GT(narrow, 1u);
    EXPECT_FALSE(label_at(replay, kWidth, static_cast<double>(replay.schedule().ticks)));
}

// A program that is no product has no loads and computations of tiles: the words say what each part
// does, and to which memory. The reduction adds neighbours in 6 rounds; each reads two values and
// stores their sum.
TEST(TimelineTracks, SayWhatAProgramDoes) {
    const Trace trace = tests::reduction_trace();
    const Replay replay = Replay::of_block(trace, 0).value();
    const std::vector<std::string> labels = labels_of(replay);
    ASSERT_FALSE(labels.empty());
    EXPECT_EQ(labels.front(), "load global, store shared 1");
    EXPECT_EQ(labels[1], "load shared 2");
    EXPECT_EQ(labels[2], "store shared 2");
    EXPECT_EQ(labels.back(), "store global 8");
    // With less room the kind of memory is left out.
    EXPECT_EQ(make_tracks(replay, 100'000, 2, 1).labels.front().texts.back(), "load, store 1");
    // No label says that a part loads while it stores.
    const std::vector<Step>& steps = replay.schedule().steps;
    for (const TrackLabel& label : make_tracks(replay, 100'000, 2, 1).labels) {
        const PhaseSpan& span = replay.schedule().spans[label.span];
        for (const Step& step : steps) {
            if (step.begin < span.begin || step.begin >= span.end) continue;
            const bool stores = writes(trace.sites[step.site].operation);
            EXPECT_NE(label.texts[0].find(stores ? "store" : "load"), std::string::npos)
                << label.texts[0];
        }
    }
}

// Labels say which tile is copied, where to, and when it arrives. Tile t, counted from 1, goes to
// stage (t - 1) mod 3.
TEST(TimelineTracks, SayWhatIsCopiedWhere) {
    RecordRequest request{.kernel = "19_async_pipeline",
                          .parameters = {.m = 8, .n = 8, .k = 32, .tile = 8, .pad = 0},
                          .inputs = {}};
    const Trace trace = record_built_in(request).value();
    const Replay replay = Replay::of_block(trace, 0).value();
    EXPECT_EQ(labels_of(replay),
              (std::vector<std::string>{
                  "copy tiles 1 to 2", "copy tile 3 \xe2\x86\x92 As[2], Bs[2]", "compute 1",
                  "tile 2 arrives", "copy tile 4 \xe2\x86\x92 As[0], Bs[0]", "compute 2",
                  "tile 3 arrives", "compute 3", "tile 4 arrives", "compute 4", "store"}));
    // Shorter words for less room, ending with the shortest.
    const TimelineTracks tracks = make_tracks(replay, 100'000, 2, 1);
    EXPECT_EQ(tracks.labels[1].texts.back(), "copy 3");
    for (const TrackLabel& label : tracks.labels)
        for (std::size_t i = 1; i < label.texts.size(); ++i)
            EXPECT_LT(label.texts[i].size(), label.texts[i - 1].size());
    // As and Bs of 4 tiles are each filled and read; a stage is not filled while it is read.
    EXPECT_EQ(tracks.planes, 3u);
    EXPECT_EQ(tracks.uses.size(), 2u * 4 * 2);
    for (const TrackUse& use : tracks.uses)
        for (const TrackUse& other : tracks.uses)
            if (use.plane == other.plane && use.role == other.role && use.read && !other.read) {
                EXPECT_TRUE(use.end <= other.begin + 1 || other.end <= use.begin + 1);
            }
    Recorded tiled = record("09_tiled", 16, 8, 0);
    replay_block(tiled, 0);
    EXPECT_EQ(make_tracks(*tiled.replay, 500, 2, 40).planes, 0u);
}

// Zeros from outside a matrix arrive with the box; no copy begins then.
TEST(TimelineTracks, ZerosThatArriveAreNoNewCopy) {
    RecordRequest request{.kernel = "20_champion",
                          .parameters = {.m = 9, .n = 9, .k = 30, .tile = 16, .pad = 0},
                          .inputs = {}};
    const Trace trace = record_built_in(request).value();
    EXPECT_EQ(labels_of(Replay::of_block(trace, 0).value()),
              (std::vector<std::string>{"copy tiles 1 to 3", "tile 1 arrives", "compute 1",
                                        "tile 2 arrives", "compute 2",
                                        "copy tile 4 \xe2\x86\x92 As[0], Bs[0]", "tile 3 arrives",
                                        "compute 3", "tile 4 arrives", "compute 4", "store"}));
}

TEST(TimelineTracks, MergesIntoPixelsAndKeepsTheBusyTime) {
    Recorded recorded = record("08_tiled_b_transposed", 32, 32, 0);
    replay_block(recorded, 0);
    const Replay& replay = *recorded.replay;
    const float width = 500;
    const TimelineTracks tracks = make_tracks(replay, width, 2, 40);
    ASSERT_TRUE(tracks.merged);
    EXPECT_LE(tracks.global.size(), 500u);
    EXPECT_LE(tracks.shared.size(), 500u);
    Tick global = 0, shared = 0;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = recorded.trace.sites[step.site];
        const bool in_shared = recorded.trace.arrays[site.array].space == Space::kShared;
        (in_shared ? shared : global) += step.ticks;
    }
    const auto filled = [](const std::vector<TrackInterval>& intervals) {
        double sum = 0;
        for (const TrackInterval& interval : intervals) sum += interval.fill;
        return sum;
    };
    const double pixels = width / static_cast<double>(replay.schedule().ticks);
    EXPECT_NEAR(filled(tracks.global), static_cast<double>(global) * pixels, 0.01 * width);
    EXPECT_NEAR(filled(tracks.shared), static_cast<double>(shared) * pixels, 0.01 * width);
    EXPECT_TRUE(tracks.any_conflict);
    // A 32-way conflict fills the track's height.
    EXPECT_FLOAT_EQ(tracks.conflicts[tracks.conflicts.size() / 2].fill, 1.0f);
}

TEST(TimelineTracks, PaddingEmptiesTheConflictTrack) {
    Recorded recorded = record("08_tiled_b_transposed", 32, 32, 1);
    replay_block(recorded, 0);
    EXPECT_FALSE(make_tracks(*recorded.replay, 500, 2, 40).any_conflict);
}

TEST(TimelineTracks, NeverMoreThanOneBarrierOrIntervalAPixel) {
    Recorded recorded = record("09_tiled", 256, 2, 0);
    replay_block(recorded, 5);
    const TimelineTracks tracks = make_tracks(*recorded.replay, 100, 2, 40);
    EXPECT_GT(recorded.replay->schedule().barriers.size(), 200u);
    EXPECT_LE(tracks.barriers.size(), 101u);
    EXPECT_LE(tracks.shared.size(), 100u);
    EXPECT_TRUE(tracks.labels.empty());  // none has room
}

TEST(TimelineTracks, FindsTheStepAtAnyTick) {
    Recorded recorded = record("09_tiled", 16, 8, 0);
    replay_block(recorded, 1);
    const Replay& replay = *recorded.replay;
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i) {
        const Step& step = replay.schedule().steps[i];
        EXPECT_EQ(step_at(replay, static_cast<double>(step.begin)), i);
        EXPECT_EQ(step_at(replay, static_cast<double>(step.end()) - 0.001), i);
    }
    EXPECT_EQ(step_at(replay, static_cast<double>(replay.schedule().ticks)),
              replay.schedule().steps.size() - 1);
}

// A product takes no tick: its mark ends with the request that brings its last fragment, on line 8.
TEST(TimelineTracks, AProductIsMarkedWhereItsLastFragmentCame) {
    Recorded recorded{tests::tensor_trace(), {}};
    replay_block(recorded, 0);
    const Replay& replay = *recorded.replay;
    const TimelineTracks tracks = make_tracks(replay, 1000, 2, 40);
    const float a_tick = 1000.0f / static_cast<float>(replay.schedule().ticks);
    std::vector<float> ends;
    for (const Step& step : replay.schedule().steps)
        if (replay.trace().sites[step.site].line == 8)
            ends.push_back(static_cast<float>(step.end()) * a_tick);
    ASSERT_EQ(tracks.tensor.size(), 2u);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        EXPECT_NEAR(tracks.tensor[i].end, ends[i] - 2, 0.1f);
        EXPECT_NEAR(tracks.tensor[i].begin, ends[i] - a_tick, 0.1f);
    }
    recorded = record("09_tiled", 16, 4, 0);
    replay_block(recorded, 0);
    EXPECT_TRUE(make_tracks(*recorded.replay, 1000, 2, 40).tensor.empty());
}

TEST(TimelineRows, AreThoseThatTheKernelHasSomethingFor) {
    const auto rows = [](const std::string& kernel, int k, int tile) {
        RecordRequest request;
        request.kernel = kernel;
        request.parameters = {.m = tile, .n = tile, .k = k, .tile = tile, .pad = 0};
        if (kernel == "25_warp_specialised") request.parameters.m = 256;
        Recorded recorded{record_built_in(request).value(), {}};
        replay_block(recorded, 0);
        TimelineRowsMemory memory;
        return rows_of(&*recorded.replay, memory);
    };
    const TimelineRows tiled = rows("09_tiled", 16, 8);
    EXPECT_TRUE(tiled.conflicts && !tiled.buffers && !tiled.tensor && tiled.roles == 0);
    EXPECT_EQ(tiled.needed(), 3u);
    const TimelineRows products = rows("22_mma_ldmatrix", 64, 64);
    EXPECT_TRUE(products.conflicts && !products.buffers && products.tensor);
    EXPECT_EQ(products.needed(), 4u);
    const TimelineRows wgmma = rows("24_wgmma", 128, 64);
    EXPECT_TRUE(!wgmma.conflicts && wgmma.buffers && wgmma.tensor);
    EXPECT_EQ(wgmma.needed(), 5u);
    const TimelineRows roles = rows("25_warp_specialised", 384, 64);
    EXPECT_EQ(roles.roles, 3u);  // a producer, two consumers
    EXPECT_EQ(roles.needed(), 5u);
}

}  // namespace
}  // namespace tilereel::timeline_tracks_test
