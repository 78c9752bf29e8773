// Each record of 01, 02, 08 and 09 at every TILE and PAD, in order, with its lanes, addresses and
// values, against traces that are written from the kernels' index arithmetic alone
// (tests/replay/kernel_script.h).
#include <gtest/gtest.h>

#include <string>

#include "app/ladder/ladder.h"
#include "tests/ladder/same_ladder_trace.h"
#include "tests/replay/kernel_script.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::ladder_script_test {
namespace {

// Leaves out what differs in the script: the numbers of lines, and the lanes at barriers.
std::vector<Event> without_lines(const Trace& trace) {
    std::vector<Event> events = events_of(trace);
    for (Event& event : events) {
        event.line = 0;
        if (event.operation == Operation::kBarrier) event.mask = 0;
    }
    return events;
}

void expect_script(const char* kernel, const ScriptSize& size) {
    SCOPED_TRACE(std::string(kernel) + " TILE " + std::to_string(size.tile) + " PAD " +
                 std::to_string(size.pad));
    const Trace expected = trace_of(std::string(kernel).substr(0, 2), size, 7);
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = {
        .m = size.m, .n = size.n, .k = size.k, .tile = size.tile, .pad = size.pad};
    request.inputs = {.a = values_of(expected, MatrixRole::kA),
                      .b = values_of(expected, MatrixRole::kB),
                      .c = {}};
    request.accumulator_interval = 1;
    const Result<Trace> trace = record_ladder(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->wrong_elements, 0u);
    EXPECT_EQ(trace->launch.grid, expected.launch.grid);
    EXPECT_EQ(trace->segments.block, expected.segments.block);
    EXPECT_EQ(trace->segments.epoch, expected.segments.epoch);
    EXPECT_EQ(trace->segments.warp, expected.segments.warp);
    expect_same_events(without_lines(*trace), without_lines(expected));
}

TEST(LadderScript, NaiveKernelsDoWhatTheirIndicesSay) {
    for (const char* const kernel : {"01_naive_by_column", "02_naive"})
        for (const int tile : find_kernel(kernel)->tiles)
            expect_script(kernel,
                          {.m = 2 * tile + 1, .n = 3 * tile - 1, .k = 5, .tile = tile, .pad = 0});
}

TEST(LadderScript, TiledKernelsDoWhatTheirIndicesSay) {
    for (const char* const kernel : {"08_tiled_b_transposed", "09_tiled"})
        for (const int tile : find_kernel(kernel)->tiles)
            for (const int pad : find_kernel(kernel)->pads)
                expect_script(kernel,
                              {.m = 2 * tile, .n = tile, .k = 2 * tile, .tile = tile, .pad = pad});
}

// TILE 13 is compiled while the test runs. A block has 169 threads, so its last warp is not full.
TEST(LadderScript, KernelsDoWhatTheirIndicesSayAtOtherTiles) {
    expect_script("09_tiled", {.m = 26, .n = 39, .k = 26, .tile = 13, .pad = 3});
}

}  // namespace
}  // namespace tilereel::ladder_script_test
