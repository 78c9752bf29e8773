// The local variables of a thread at each moment of a replay, forwards and backwards.
#include "app/replay/arrays/locals.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/trace/program_traces.h"

namespace tilereel::tests::locals_test {
namespace {

// In the reduction, `s` doubles with each epoch: 1, 2, 4, ...
TEST(Locals, AVariableHasItsValueOfTheMoment) {
    const Trace trace = reduction_trace();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay) << replay.error().message;
    const WarpLocals locals(*replay, 0);
    ASSERT_EQ(locals.variables().size(), 1u);
    EXPECT_EQ(locals.variables()[0].name, "s");
    EXPECT_EQ(locals.variables()[0].type, "int");
    const auto check_at = [&](Tick tick) {
        const ReplayState& state = replay->seek(tick);
        if (state.step == kNoStep) return;
        const Step& step = replay->schedule().steps[state.step];
        if (step.warp != 0 || step.epoch > 6) return;
        const LaneValues values = locals.values(0);
        for (const LocalValue& value : values) {
            ASSERT_EQ(value.known, step.epoch > 0) << tick;
            if (step.epoch == 0) continue;
            EXPECT_EQ(value.bits, 1u << (step.epoch - 1)) << tick;
        }
    };
    for (Tick tick = 0; tick <= replay->schedule().ticks; ++tick) check_at(tick);
    for (Tick tick = replay->schedule().ticks + 1; tick-- > 0;) check_at(tick);
}

TEST(Locals, AVariableIsMarkedInTheStepThatFollowsItsAssignment) {
    const Trace trace = reduction_trace();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const WarpLocals locals(*replay, 0);
    std::uint32_t last_epoch = 0;
    for (const Step& step : replay->schedule().steps) {
        if (step.warp != 0 || step.epoch == 0 || step.epoch > 5) continue;
        replay->seek(step.begin);
        // Each epoch's first request follows an assignment; its others do not.
        EXPECT_EQ(locals.values(0)[7].changed, step.epoch != last_epoch) << step.begin;
        last_epoch = step.epoch;
    }
}

TEST(Locals, TheLatestValuesComeLast) {
    const Trace trace = reduction_trace();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const WarpLocals locals(*replay, 1);
    replay->seek(replay->schedule().ticks);
    const std::vector<LocalValue> past = locals.history(0, 3, 4);
    ASSERT_EQ(past.size(), 4u);
    for (std::size_t i = 0; i < past.size(); ++i) EXPECT_EQ(past[i].bits, 4u << i);  // up to 32
}

// for (int k = 0; k < 4; ++k): the last ++k begins no iteration.
TEST(Locals, TheIterationsOfALoopAreThoseThatWereRecorded) {
    const Trace trace = six_arrays_trace();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const WarpLocals locals(*replay, 0);
    ASSERT_EQ(locals.variables().size(), 2u);
    const std::size_t k = 0, sum = 1;
    std::size_t latest = 0;
    for (const Step& step : replay->schedule().steps) {
        replay->seek(step.begin);
        const auto loop = locals.iterations(sum, 3, 16);
        ASSERT_TRUE(loop.has_value()) << step.begin;
        EXPECT_EQ(loop->counter, k);
        ASSERT_EQ(loop->all.size(), 4u);
        EXPECT_FALSE(loop->more_before || loop->more_after);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(loop->all[i].counter.bits, i);
            EXPECT_EQ(loop->all[i].value.bits,
                      std::bit_cast<std::uint32_t>(static_cast<float>(100 * i + 3)));
            EXPECT_EQ(loop->all[i].done, i < loop->now || (i == loop->now && loop->all[i].done));
        }
        // The first record assigns k = 0; each iteration has 10, of which 8 are requests.
        const std::size_t iteration = (step.record - 1) / 10;
        EXPECT_GE(loop->now, latest) << step.begin;
        EXPECT_EQ(loop->now, iteration) << step.record;
        latest = loop->now;
    }
    EXPECT_FALSE(locals.iterations(k, 3, 16).has_value());
}

TEST(Locals, OfManyIterationsThePageWithTheCurrentOneIsShown) {
    const Trace trace = six_arrays_trace();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const WarpLocals locals(*replay, 0);
    replay->seek(0);
    const auto first = locals.iterations(1, 0, 3);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->all.size(), 3u);
    EXPECT_TRUE(!first->more_before && first->more_after);
    replay->seek(replay->schedule().ticks);
    const auto last = locals.iterations(1, 0, 3);
    ASSERT_TRUE(last.has_value());
    EXPECT_TRUE(last->more_before && !last->more_after);
    ASSERT_FALSE(last->all.empty());
    EXPECT_EQ(last->all.back().counter.bits, 3u);
}

TEST(Locals, TypesAreDistinguished) {
    Trace trace = reduction_trace();
    const auto text = [&](ElementType type, const char* name, std::uint64_t bits) {
        trace.locals = {{"x", type, name, 1, "f"}};
        return text_of(trace, {.local = 0}, {.bits = bits, .known = true});
    };
    EXPECT_EQ(text(ElementType::kFloat32, "float", std::bit_cast<std::uint32_t>(14.0f)), "14.0");
    EXPECT_EQ(text(ElementType::kFloat32, "float", std::bit_cast<std::uint32_t>(0.5f)), "0.5");
    EXPECT_EQ(text(ElementType::kInt32, "int", 0xfffffffe), "-2");
    EXPECT_EQ(text(ElementType::kUint8, "bool", 1), "true");
    EXPECT_EQ(text(ElementType::kUint8, "bool", 0), "false");
    EXPECT_EQ(text(ElementType::kUint64, "const float*", 0x7f00), "0x7f00");
    EXPECT_EQ(text(ElementType::kUint64, "size_t", 12), "12");
    EXPECT_EQ(text_of(trace, {.local = 0}, {}), "?");
}

}  // namespace
}  // namespace tilereel::tests::locals_test
