#include "instrumentation/analysis/hazards/race_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::race_order_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::uint32_t kWrite = 8, kRead = 10;  // lines

// Two warps store a tile, and each reads all of it.
struct TileLoop {
    TraceBuilder builder{};
    ArrayId tile = builder.add_array("tile", Space::kShared, 1, 64);
    void write(std::uint32_t warp) {
        builder.set_line(kWrite);
        builder.access(Operation::kStore, tile, [=](int lane) {
            return 4 * (warp * 32 + static_cast<std::uint32_t>(lane));
        });
    }
    void read() {
        builder.set_line(kRead);
        for (std::uint32_t i = 0; i < 64; i += 8)
            builder.access(Operation::kLoad, tile, [=](int) { return 4 * i; });
    }
    void barrier() {
        builder.set_line(9);
        builder.barrier();
    }
    std::vector<Finding> findings() {
        trace = builder.take();
        trace.launch.block = {64, 1, 1};
        std::vector<Finding> errors = find_hazards(trace);
        std::erase_if(errors, [](const Finding& f) { return f.severity != Severity::kError; });
        return errors;
    }
    Trace trace{};
};

TEST(RaceOrder, WithoutTheSecondBarrierTheReadOfOneTripComesBeforeTheWriteOfTheNext) {
    TileLoop loop;
    for (std::uint32_t epoch = 0; epoch < 4; ++epoch)
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            loop.builder.begin_segment(0, epoch, warp);
            if (epoch > 0) loop.read();
            if (epoch < 3) {
                loop.write(warp);
                loop.barrier();
            }
        }
    const std::vector<Finding> findings = loop.findings();
    ASSERT_THAT(findings, SizeIs(1));
    const RaceOrder order = race_order(loop.trace, findings[0]);
    EXPECT_EQ(loop.trace.sites[order.earlier.site].line, kRead);
    EXPECT_EQ(loop.trace.sites[order.later.site].line, kWrite);
    EXPECT_EQ(order.earlier_trip, 0u);
    EXPECT_EQ(order.later_trip, 1u);
    EXPECT_TRUE(order.in_loop);
    EXPECT_TRUE(order.next_trip);
    EXPECT_EQ(order.after_line, kRead);
    EXPECT_EQ(order.before_line, kWrite);
    const std::string sentence = sentence_of(loop.trace, findings[0]);
    EXPECT_THAT(sentence, HasSubstr("on line 10 in trip 1 and thread"));
    EXPECT_THAT(sentence, HasSubstr("on line 8 in trip 2, with no barrier between them"));
    EXPECT_THAT(sentence, HasSubstr("after line 10, before line 8 of the next trip"));
}

TEST(RaceOrder, WithoutTheFirstBarrierTheWriteAndTheReadAreOfOneTrip) {
    TileLoop loop;
    for (std::uint32_t epoch = 0; epoch < 3; ++epoch)
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            loop.builder.begin_segment(0, epoch, warp);
            loop.write(warp);
            loop.read();
            loop.barrier();
        }
    const std::vector<Finding> findings = loop.findings();
    ASSERT_THAT(findings, SizeIs(1));
    const RaceOrder order = race_order(loop.trace, findings[0]);
    EXPECT_EQ(loop.trace.sites[order.earlier.site].line, kWrite);
    EXPECT_EQ(order.earlier_trip, order.later_trip);
    EXPECT_FALSE(order.next_trip);
    EXPECT_EQ(order.after_line, kWrite);
    EXPECT_EQ(order.before_line, kRead);
    EXPECT_THAT(sentence_of(loop.trace, findings[0]),
                HasSubstr("between the two: after line 8, before line 10"));
}

TEST(RaceOrder, OutsideOfALoopNoTripIsNamed) {
    TileLoop once;
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        once.builder.begin_segment(0, 0, warp);
        once.write(warp);
        once.read();
    }
    const std::vector<Finding> findings = once.findings();
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_FALSE(race_order(once.trace, findings[0]).in_loop);
    EXPECT_THAT(sentence_of(once.trace, findings[0]), Not(HasSubstr("trip")));
}

// Warp 0 only writes and warp 1 only reads; each trip ends with a barrier.
TEST(RaceOrder, AThreadThatExecutesOneOfTheTwoCountsItsTripsByItsBarriers) {
    TileLoop roles;
    for (std::uint32_t epoch = 0; epoch < 3; ++epoch)
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            roles.builder.begin_segment(0, epoch, warp);
            if (warp == 0 && epoch < 2) roles.write(0);
            if (warp == 1 && epoch > 0) roles.read();
            roles.barrier();
        }
    const std::vector<Finding> findings = roles.findings();
    ASSERT_THAT(findings, SizeIs(2));  // the first is the read of memory that nobody wrote
    const Finding& race = findings[0].hazard == Hazard::kRace ? findings[0] : findings[1];
    const RaceOrder order = race_order(roles.trace, race);
    EXPECT_EQ(roles.trace.sites[order.earlier.site].line, kRead);
    EXPECT_EQ(order.earlier_trip, 0u);
    EXPECT_EQ(order.later_trip, 1u);
}

TEST(RaceOrder, NoBarrierHelpsWhereOneInstructionMakesBothAccesses) {
    TraceBuilder builder;
    const ArrayId sum = builder.add_array("sum", Space::kShared, 1, 1);
    builder.set_line(5);
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        builder.begin_segment(0, 0, warp);
        builder.access(
            Operation::kStore, sum, [](int) { return 0u; }, 1);
    }
    const Trace trace = builder.take();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(race_order(trace, findings[0]).after_line, 0u);
    EXPECT_THAT(sentence_of(trace, findings[0]), HasSubstr("let one thread access it"));
}

// Two loads of one line are two sites, by their columns, and give one finding. Narrow and wide
// elements count as elements.
TEST(RaceOrder, SitesOfOneLineGiveOneFindingThatCountsElements) {
    for (const std::uint8_t width : {std::uint8_t{1}, std::uint8_t{4}, std::uint8_t{8}}) {
        TraceBuilder builder;
        const ArrayId t = builder.add_array("t", Space::kShared, 1, 64);
        const auto at = [&](int first) {
            return [=](int lane) { return static_cast<std::uint32_t>((first + lane) * width); };
        };
        builder.begin_segment(0, 0, 0);
        builder.set_line(5);
        builder.access(Operation::kStore, t, at(0), 0xffffffff, width);
        builder.begin_segment(0, 0, 1);
        builder.access(Operation::kStore, t, at(32), 0xffffffff, width);
        builder.set_line(7);
        builder.access(Operation::kLoad, t, at(0), 0x00ffffff, width);
        builder.set_line(70);  // becomes a second site of line 7
        builder.access(Operation::kLoad, t, at(0), 0xffffffff, width);
        Trace trace = builder.take();
        trace.arrays[0].element_bytes = width;
        for (Site& site : trace.sites)
            if (site.line == 70) site.line = 7, site.column = 20;
        const std::vector<Finding> findings = find_hazards(trace);
        ASSERT_THAT(findings, SizeIs(1)) << int{width};
        EXPECT_EQ(findings[0].cells, 32u) << int{width};
    }
}

// bins[3] += 1 by each thread: no place of a barrier makes it right.
TEST(RaceOrder, AnUpdateByTwoThreadsNeedsAnAtomicAndNoBarrier) {
    TileLoop loop;
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        loop.builder.begin_segment(0, 0, warp);
        loop.builder.set_line(kWrite);
        for (const Operation each : {Operation::kLoad, Operation::kStore})
            loop.builder.access(each, loop.tile, [](int) { return 12u; });
    }
    const std::vector<Finding> findings = loop.findings();
    ASSERT_FALSE(findings.empty());
    for (const Finding& each : findings) {
        EXPECT_TRUE(race_order(loop.trace, each).is_update);
        const std::string sentence = sentence_of(loop.trace, each);
        EXPECT_THAT(sentence, HasSubstr("a barrier does not help; use an atomic"));
        EXPECT_THAT(sentence, ::testing::Not(HasSubstr("put __sync")));
    }
}

// tile[i] = tile[i + 1]: each thread writes another element than it reads, and a barrier helps.
TEST(RaceOrder, AShiftOnOneLineIsNoUpdate) {
    TileLoop loop;
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        loop.builder.begin_segment(0, 0, warp);
        loop.builder.set_line(kWrite);
        loop.builder.access(Operation::kLoad, loop.tile, [=](int lane) {
            return 4 * ((warp * 32u + static_cast<std::uint32_t>(lane) + 1) % 64);
        });
        loop.write(warp);
    }
    const std::vector<Finding> findings = loop.findings();
    ASSERT_FALSE(findings.empty());
    EXPECT_FALSE(race_order(loop.trace, findings[0]).is_update);
    EXPECT_THAT(sentence_of(loop.trace, findings[0]),
                HasSubstr("keep what is read in a local variable, and put __syncthreads()"));
}

}  // namespace
}  // namespace tilereel::race_order_test
