// What a compiler makes of the loads of a warp: which it leaves out, and which are copies.
#include "instrumentation/analysis/time/block_stream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/time/copied_sites.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::block_stream_test {
namespace {

std::uint32_t row(int lane) { return static_cast<std::uint32_t>(4 * lane); }

// Loads of the same words of x, with `between` them.
std::ptrdiff_t loads_of(const std::function<void(TraceBuilder&, ArrayId x, ArrayId y)>& between,
                        bool is_volatile = false, std::uint8_t second_width = 4) {
    TraceBuilder builder;
    const ArrayId x = builder.add_array("x", Space::kGlobal, 64, 64);
    const ArrayId y = builder.add_array("y", Space::kGlobal, 64, 64);
    builder.begin_segment(0, 0, 0);
    builder.access(Operation::kLoad, x, row);
    between(builder, x, y);
    builder.access(Operation::kLoad, x, row, TraceBuilder::kAllLanes, second_width);
    builder.multiply_add();
    Trace trace = builder.take();
    write_patterns_once(trace);
    if (is_volatile)
        for (Site& site : trace.sites)
            site.variety = static_cast<std::uint8_t>(AccessKind::kVolatile);
    const auto stream = stream_of_block(trace, 0, *find_generation("9.0"));
    EXPECT_TRUE(stream);
    return std::ranges::count(stream->warps[0], TimedKind::kGlobalLoad, &TimedOp::kind);
}

TEST(BlockStream, AValueIsLoadedOnce) {
    EXPECT_EQ(loads_of([](TraceBuilder&, ArrayId, ArrayId) {}), 1);
    EXPECT_EQ(loads_of([](TraceBuilder& b, ArrayId, ArrayId) { b.multiply_add(); }), 1);
    // Loads of another array, or of other words, do not change it; they are loads.
    EXPECT_EQ(
        loads_of([](TraceBuilder& b, ArrayId, ArrayId y) { b.access(Operation::kLoad, y, row); }),
        2);
    EXPECT_EQ(loads_of([](TraceBuilder& b, ArrayId x, ArrayId) {
                  b.access(Operation::kLoad, x, [](int lane) { return row(lane) + 128; });
              }),
              2);
}

TEST(BlockStream, AValueThatMayHaveChangedIsLoadedAgain) {
    // y may be x, as far as a compiler knows.
    EXPECT_EQ(
        loads_of([](TraceBuilder& b, ArrayId, ArrayId y) { b.access(Operation::kStore, y, row); }),
        2);
    EXPECT_EQ(
        loads_of([](TraceBuilder& b, ArrayId, ArrayId y) { b.access(Operation::kAtomic, y, row); }),
        2);
    EXPECT_EQ(loads_of([](TraceBuilder& b, ArrayId, ArrayId) {
                  b.barrier();
                  b.begin_segment(0, 1, 0);
              }),
              2);
    EXPECT_EQ(loads_of([](TraceBuilder&, ArrayId, ArrayId) {}, true), 2);
    EXPECT_EQ(loads_of([](TraceBuilder&, ArrayId, ArrayId) {}, false, 8), 2);
}

// 8 loads of x, and as many stores to shared memory as `stores` says. The values are not known.
bool is_copied(int stores) {
    TraceBuilder builder;
    const ArrayId x = builder.add_array("x", Space::kGlobal, 64, 64);
    const ArrayId tile = builder.add_array("tile", Space::kShared, 64, 64);
    builder.begin_segment(0, 0, 0);
    for (int trip = 0; trip < 8; ++trip) {
        builder.set_line(1);
        builder.access(Operation::kLoad, x, row);
        builder.set_line(2);
        if (trip < stores) builder.access(Operation::kStore, tile, row);
    }
    Trace trace = builder.take();
    write_patterns_once(trace);
    trace.arrays[x].first_bytes.clear();
    for (SiteId site = 0; site < trace.sites.size(); ++site)
        if (trace.sites[site].operation == Operation::kLoad) return copied_sites(trace, 0)[site];
    return false;
}

// A reduction loads often and stores its sum once.
TEST(CopiedSites, WithoutValuesAnEqualNumberOfStoresMakesACopy) {
    EXPECT_TRUE(is_copied(8));
    EXPECT_FALSE(is_copied(1));
    EXPECT_FALSE(is_copied(0));
}

}  // namespace
}  // namespace tilereel::block_stream_test
