#include "app/ladder/kernel_of_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "app/ladder/ladder.h"
#include "instrumentation/trace/check/trace_check.h"

namespace tilereel::kernel_of_trace_test {
namespace {

using testing::HasSubstr;

Trace tiled(std::uint32_t removed_barrier = 0) {
    RecordRequest request;
    request.parameters = {16, 16, 16, 4, 0};
    request.removed_barrier = removed_barrier;
    return std::move(record_built_in(request)).value();
}

struct Damage {
    const char* expected;
    std::function<void(Launch&)> apply;
};

TEST(KernelOfTrace, EveryParameterMustBeOneOfTheKernels) {
    const Trace sound = tiled();
    ASSERT_TRUE(check_kernel_of_trace(sound));
    EXPECT_EQ(kernel_of_trace(sound), find_kernel("09_tiled"));
    for (const auto& [expected, apply] : std::vector<Damage>{
             {"TILE is 0", [](Launch& l) { l.tile = 0; }},
             {"M is 16: 09_tiled needs a multiple of TILE 5", [](Launch& l) { l.tile = 5; }},
             {"TILE", [](Launch& l) { l.tile = 33; }},
             {"M is 15", [](Launch& l) { l.m = 15; }},
             {"its grid is", [](Launch& l) { l.grid.x = 0x7fffffff; }},
             {"its grid is", [](Launch& l) { l.grid.z = 2; }},
             {"its blocks have", [](Launch& l) { l.block.x = 8; }},
             {"line 1, where 09_tiled has none", [](Launch& l) { l.removed_barrier = 1; }}}) {
        Trace trace = sound;
        apply(trace.launch);
        const Status checked = check_kernel_of_trace(trace);
        ASSERT_FALSE(checked) << expected;
        EXPECT_THAT(checked.error().message, HasSubstr(expected));
    }
}

// A kernel with another text or another name is not in the catalogue.
TEST(KernelOfTrace, AKernelOutsideTheCatalogueMayHaveAnyLaunch) {
    Trace trace = tiled();
    trace.source += "\n";
    trace.launch.tile = 0;
    EXPECT_TRUE(check_kernel_of_trace(trace));
    EXPECT_EQ(kernel_of_trace(trace), nullptr);
    trace = tiled();
    trace.launch.kernel = "my_own";
    trace.launch.tile = 0;
    EXPECT_TRUE(check_kernel_of_trace(trace));
    EXPECT_EQ(kernel_of_trace(trace), nullptr);
}

TEST(KernelOfTrace, ABarrierOfTheKernelMayBeLeftOut) {
    for (const KernelBarrier& barrier : find_kernel("09_tiled")->barriers)
        EXPECT_TRUE(check_kernel_of_trace(tiled(static_cast<std::uint32_t>(barrier.line))));
}

// A file without any one of the barriers or waits can be read.
TEST(KernelOfTrace, EachBarrierThatIsLeftOutIsSound) {
    for (const char* const id : {"04_guide_a_shared", "19_async_pipeline", "20_champion"})
        for (const KernelBarrier& barrier : find_kernel(id)->barriers) {
            RecordRequest request;
            request.kernel = id;
            request.parameters = {32, 32, 32, 32, 0};
            request.removed_barrier = static_cast<std::uint32_t>(barrier.line);
            const Result<Trace> trace = record_built_in(request);
            ASSERT_TRUE(trace) << id << " line " << barrier.line << ": " << trace.error().message;
            const Status sound = check_trace(*trace);
            EXPECT_TRUE(sound) << id << " line " << barrier.line << ": " << sound.error().message;
            EXPECT_TRUE(check_kernel_of_trace(*trace));
        }
}

}  // namespace
}  // namespace tilereel::kernel_of_trace_test
