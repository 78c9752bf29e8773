// The ladder's built-in kernels, recorded by the program that is compiled with Tilereel, against
// the emulator's recordings of the same kernels in the dialect.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "instrumentation/plain/ladder.h"
#include "kernels/catalog.h"
#include "tests/plain/ladder_sizes.h"
#include "tests/plain/same_trace.h"

namespace tilereel::plain {
namespace {

void compare(const KernelInfo& kernel, int tile, int pad) {
    RecordRequest request;
    request.kernel = kernel.id;
    request.parameters = parameters_for(kernel, tile, pad);
    request.workers = 1;
    const KernelParameters& p = request.parameters;
    SCOPED_TRACE(request.kernel + " TILE " + std::to_string(tile) + " PAD " + std::to_string(pad) +
                 ", " + std::to_string(p.m) + " x " + std::to_string(p.n) + " x " +
                 std::to_string(p.k));
    const Result<Trace> plain = record_built_in(request);
    const Result<Trace> emulated = record_with_emulator(request);
    ASSERT_TRUE(plain) << plain.error().message;
    ASSERT_TRUE(emulated) << emulated.error().message;
    expect_same_launch(*plain, *emulated);
    expect_same_pitches(*plain, *emulated);
    std::vector<Event> ours = events_of(*plain), theirs = events_of(*emulated);
    if (plain->accumulator_interval != 1 || emulated->accumulator_interval != 1) {
        leave_out_sums(ours);
        leave_out_sums(theirs);
    }
    expect_same_events(ours, theirs);
}

void compare_all(std::size_t every) {
    for (const KernelInfo& kernel : catalog()) {
        std::size_t number = 0;
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads)
                if (!kernel.boxes && number++ % every == (every > 1 ? 1 : 0))
                    compare(kernel, tile, pad);
    }
}

TEST(BuiltInLadder, RecordsWhatTheEmulatorDoes) { compare_all(8); }

// On request: ctest -C all -L oracle-all
TEST(BuiltInLadder, DISABLED_EveryTileAndPad) { compare_all(1); }

}  // namespace
}  // namespace tilereel::plain
