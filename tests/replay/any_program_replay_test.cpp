// The replay of launches that are no matrix products.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "app/replay/replay.h"
#include "app/replay/sentence/sentence_facts.h"
#include "app/replay/state/element_text.h"
#include "tests/replay/hand_trace.h"
#include "tests/trace/program_traces.h"

namespace tilereel::any_program_replay_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Replay replay_of(const Trace& trace, std::uint32_t block) {
    auto replay = Replay::of_block(trace, block);
    EXPECT_TRUE(replay) << replay.error().message;
    return std::move(replay).value();
}

// The first tick of the n-th request whose site is on `line` and does `operation`.
std::optional<Tick> moment(const Replay& replay, std::uint32_t line, Operation operation,
                           std::size_t n = 0) {
    for (const Step& step : replay.schedule().steps) {
        const Site& site = replay.trace().sites[step.site];
        if (site.line == line && site.operation == operation && n-- == 0) return step.begin;
    }
    return std::nullopt;
}

const SharedArrayState& shared_named(const Replay& replay, std::string_view name) {
    for (const SharedArrayState& shared : replay.state().shared)
        if (replay.trace().arrays[shared.array].name == name) return shared;
    ADD_FAILURE() << "no " << name;
    return replay.state().shared.front();
}

void expect_every_tick_is_shown(const Trace& trace) {
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        Replay replay = replay_of(trace, block);
        EXPECT_TRUE(replay.regions().c.empty());
        for (ArrayId array = 0; array < trace.arrays.size(); ++array) {
            EXPECT_TRUE(replay.regions().band(array).empty());
            EXPECT_TRUE(replay.regions().tile(array, 0).empty());
        }
        std::vector<ReplayState> states;
        for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
            states.push_back(replay.seek(tick));
            EXPECT_TRUE(states.back().sums.empty());
            const std::string text = plain_text(replay.sentence());
            EXPECT_THAT(text, HasSubstr("."));
            EXPECT_THAT(text, Not(HasSubstr("matri"))) << trace.launch.kernel;
        }
        for (Tick tick = replay.schedule().ticks + 1; tick-- > 0;)
            EXPECT_TRUE(replay.seek(tick) == states[tick]) << trace.launch.kernel << " " << tick;
    }
}

TEST(AnyProgram, EveryTickIsShownInEitherDirection) {
    expect_every_tick_is_shown(tests::reduction_trace());
    expect_every_tick_is_shown(tests::transpose_trace());
    expect_every_tick_is_shown(tests::histogram_trace());
    expect_every_tick_is_shown(tests::stencil_trace());
    expect_every_tick_is_shown(tests::chosen_trace());
}

TEST(AnyProgram, ReductionHasAPhaseBetweenEveryTwoBarriers) {
    const Trace trace = tests::reduction_trace();
    Replay replay = replay_of(trace, 1);
    EXPECT_EQ(replay.schedule().phases, 8u);  // the load, six halvings, the store of the result
    EXPECT_EQ(replay.schedule().barriers.size(), 7u);
    // All 64 values fly from `in` to `partial`; nothing else was loaded and stored.
    EXPECT_EQ(replay.flights().size(), 64u);
    for (const Flight& flight : replay.flights()) {
        EXPECT_EQ(trace.arrays[flight.from].name, "in");
        EXPECT_EQ(trace.arrays[flight.to].name, "partial");
        EXPECT_EQ(flight.from_column, 64 + flight.to_column);
        EXPECT_EQ(flight.value, static_cast<float>(flight.from_column % 7));
    }
    replay.seek(replay.schedule().ticks);
    float sum = 0;
    for (int i = 64; i < 128; ++i) sum += static_cast<float>(i % 7);
    EXPECT_EQ(shared_named(replay, "partial").cells[0].value, sum);
    EXPECT_EQ(replay.tone_of(0), Tone::kA);
    EXPECT_EQ(replay.tone_of(1), Tone::kB);
    EXPECT_EQ(replay.tone_of(2), Tone::kA) << "what is copied has its source's colour";
}

TEST(AnyProgram, IntegersAreShownAsIntegers) {
    const Trace trace = tests::transpose_trace();
    Replay replay = replay_of(trace, 1);
    EXPECT_EQ(replay.flights().size(), 64u);
    const auto read = moment(replay, 6, Operation::kLoad);
    ASSERT_TRUE(read);
    const ReplayState& state = replay.seek(*read);
    const Array& tile = trace.arrays[2];
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 8; ++x) {
            const SharedCell& cell = shared_named(replay, "tile").cells[y * 9 + x];
            const int expected = 3 * static_cast<int>(y * 16 + 8 + x) - 50;
            EXPECT_EQ(cell.value, static_cast<float>(expected));
            EXPECT_EQ(text_of_bits(tile, cell.bits), std::to_string(expected));
        }
    EXPECT_EQ(shared_named(replay, "tile").cells[8].state, CellState::kNeverWritten) << "padding";
    for (std::uint32_t lane = 0; lane < 32; ++lane) {  // lane = 8 y + x reads tile[x][y]
        EXPECT_TRUE(state.request.lanes[lane].known);
        const std::uint32_t at = lane % 8 * 16 + 8 + lane / 8;
        EXPECT_EQ(static_cast<std::int32_t>(state.request.lanes[lane].words[0]),
                  3 * static_cast<int>(at) - 50);
    }
}

// struct { float x; int kind; } table[32], after another array in shared memory.
TEST(AnyProgram, AMemberOfAStructureIsShownByItsNameAndType) {
    HandTrace hand(1, 1, 1, {1, 1, 1}, {32, 1, 1});
    hand.shared_array("before", 1, 4, 4);
    const ArrayId table = hand.shared_array("table", 1, 32, 32, 8);
    Array& array = hand.trace.arrays[table];
    array.one_extent = true;
    array.components = {{0, 4, ElementType::kFloat32, "x"}, {4, 4, ElementType::kInt32, "kind"}};
    std::vector<float> stored;
    for (int lane = 0; lane < 32; ++lane) stored.push_back(std::bit_cast<float>(-lane));
    hand.access(0, 0, 1, table, Operation::kStore, strided(16 + 4, 8), stored);
    hand.access(0, 0, 2, table, Operation::kLoad, strided(16 + 4, 8));
    const Trace trace = hand.finish();
    Replay replay = replay_of(trace, 0);
    const auto read = moment(replay, 2, Operation::kLoad);
    ASSERT_TRUE(read);
    const ReplayState& state = replay.seek(*read);
    EXPECT_THAT(plain_text(replay.sentence()),
                HasSubstr("reads member kind of elements 0 to 31 of table"));
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(state.request.lanes[lane].value, -static_cast<float>(lane));
}

TEST(AnyProgram, AtomicsAreStepsThatChangeTheirCells) {
    const Trace trace = tests::histogram_trace();
    Replay replay = replay_of(trace, 0);
    const auto change = moment(replay, 5, Operation::kAtomic);
    ASSERT_TRUE(change);
    replay.seek(*change);
    // i * i % 8 is 0, 1 or 4: 32 lanes, 3 addresses.
    EXPECT_EQ(
        plain_text(replay.sentence()),
        "Warp 0 changes 3 of elements 0 to 4 of bins by atomicAdd(): 32 lanes want 3 addresses, "
        "so 29 lanes wait until another lane is done at the same address.");
    const auto total = moment(replay, 7, Operation::kAtomic);
    ASSERT_TRUE(total);
    replay.seek(*total);
    const std::vector<SharedCell>& bins = shared_named(replay, "bins").cells;
    const unsigned counts[8] = {16, 32, 0, 0, 16, 0, 0, 0};  // of 64 squares modulo 8
    for (std::size_t bin = 0; bin < 8; ++bin) EXPECT_EQ(bins[bin].bits, counts[bin]) << bin;
    EXPECT_EQ(replay.facts().verb, Verb::kChanges);
    EXPECT_THAT(plain_text(replay.sentence()), HasSubstr("all of histogram by atomicAdd()"));
    // Bytes of the input.
    const auto load = moment(replay, 5, Operation::kLoad, 1);
    ASSERT_TRUE(load);
    const ReplayState& state = replay.seek(*load);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(state.request.lanes[lane].value,
                  static_cast<float>((32 + lane) * (32 + lane) % 8));
}

TEST(AnyProgram, DoublesInThreeDimensionsAndConstantMemory) {
    const Trace trace = tests::stencil_trace();
    Replay replay = replay_of(trace, 1);
    const auto load = moment(replay, 6, Operation::kLoad, 1);  // warp 1 reads the factor
    ASSERT_TRUE(load);
    replay.seek(*load);
    EXPECT_EQ(plain_text(replay.sentence()),
              "Warp 1 reads factor[1] from constant memory: all 32 lanes ask for the same address, "
              "so one read serves them all.");
    const auto store = moment(replay, 7, Operation::kStore);
    ASSERT_TRUE(store);
    const ReplayState& state = replay.seek(*store);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const double at = 64 + lane;
        EXPECT_EQ(state.request.lanes[lane].value,
                  static_cast<float>(0.5 * at / 4 + 0.25 * (at - 16) / 4));
    }
    EXPECT_THAT(plain_text(replay.sentence()), HasSubstr("out"));
}

TEST(AnyProgram, ABlockThatWasNotRecordedSaysSo) {
    const Trace trace = tests::chosen_trace();
    Replay replay = replay_of(trace, 0);
    EXPECT_EQ(plain_text(replay.sentence()), "Block 0 was not recorded: choose another block.");
}

// x[i] is read, stored and read again: the second read sees what the store left.
TEST(AnyProgram, AReadSeesWhatItsOwnBlockStored) {
    Trace trace = tests::chosen_trace();
    trace.chosen_blocks.clear();
    const Site store = trace.sites[0];
    Site load = store;
    load.operation = Operation::kLoad;
    trace.sites.push_back(load);
    trace.records.site = {1, static_cast<SiteId>(0 | Records::kHasValues), 1};
    trace.records.pattern = {0, 0, 0};
    trace.records.base.assign(3, trace.records.base[0]);
    trace.segments.record_begin = {0, 3};
    trace.arrays[0].first_bytes.assign(160, std::byte{3});
    Replay replay = replay_of(trace, 1);
    EXPECT_EQ(replay.seek(0).request.lanes[5].value, 3 + 256 * 3);
    EXPECT_EQ(replay.seek(replay.schedule().steps[2].begin).request.lanes[5].value, 8);
    EXPECT_EQ(replay.seek(0).request.lanes[5].value, 3 + 256 * 3);
}

}  // namespace
}  // namespace tilereel::any_program_replay_test
