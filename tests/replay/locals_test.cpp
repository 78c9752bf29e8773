// The variables of a thread's own at each moment of a replay, forwards and backwards.
#include "app/replay/locals.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/trace/program_traces.h"

namespace tilereel::testing {
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
        const Step& step = replay->steps()[state.step];
        if (step.warp != 0 || step.epoch > 6) return;
        const LaneValues values = locals.values(0);
        for (const LocalValue& value : values) {
            ASSERT_EQ(value.known, step.epoch > 0) << tick;
            if (step.epoch == 0) continue;
            EXPECT_EQ(value.bits, 1u << (step.epoch - 1)) << tick;
        }
    };
    for (Tick tick = 0; tick <= replay->ticks(); ++tick) check_at(tick);
    for (Tick tick = replay->ticks() + 1; tick-- > 0;) check_at(tick);
}

TEST(Locals, AVariableIsMarkedInTheStepThatFollowsItsAssignment) {
    const Trace trace = reduction_trace();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const WarpLocals locals(*replay, 0);
    std::uint32_t last_epoch = 0;
    for (const Step& step : replay->steps()) {
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
    replay->seek(replay->ticks());
    const std::vector<LocalValue> past = locals.history(0, 3, 4);
    ASSERT_EQ(past.size(), 4u);
    for (std::size_t i = 0; i < past.size(); ++i) EXPECT_EQ(past[i].bits, 4u << i);  // up to 32
}

TEST(Locals, TypesAreToldFromEachOther) {
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
}  // namespace tilereel::testing
