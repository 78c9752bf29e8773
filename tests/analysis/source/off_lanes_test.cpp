// What only traces by hand show: programs are in tests/program/program_branches_test.cpp.
#include "instrumentation/analysis/source/off_lanes.h"

#include <gtest/gtest.h>

#include "tests/analysis/trace_builder.h"

namespace tilereel::off_lanes_test {
namespace {

constexpr std::uint32_t kAll = TraceBuilder::kAllLanes;

struct ByHand {
    TraceBuilder builder{};
    ArrayId array = builder.add_array("x", Space::kGlobal, 1, 64);

    void access(std::uint32_t line, std::uint32_t mask, Operation operation = Operation::kLoad) {
        builder.set_line(line);
        builder.access(
            operation, array, [](int lane) { return 4 * static_cast<std::uint32_t>(lane); }, mask);
    }
    // Of line 3, in a kernel whose text returns on line 2.
    [[nodiscard]] Trace trace() {
        Trace trace = builder.take();
        trace.launch.block = {kWarpSize, 1, 1};
        trace.launch.kernel = "k";
        trace.source = "void k() {\nif (a) return;\nx;\nif (b) y;\nz;\n}\n";
        return trace;
    }
};

TEST(OffLanes, LanesThatTakeTurnsMakeRequestsOfTheirOwn) {
    ByHand hand;
    hand.builder.begin_segment(0, 0, 0);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        hand.access(3, 1u << lane);
        hand.access(5, 1u << lane);
    }
    const Trace trace = hand.trace();
    const OffLaneFinder finder(trace, 0);
    for (std::uint64_t record = 0; record < trace.records.size(); ++record)
        EXPECT_EQ(finder.find(0, record), OffLanes{.apart = ~(1u << record / 2)}) << record;
}

TEST(OffLanes, InACutOffRecordingALaneWithoutMoreRecordsMayHaveReturnedOrNot) {
    for (const bool complete : {true, false}) {
        ByHand hand;
        hand.builder.begin_segment(0, 0, 0);
        hand.access(3, 0xf);
        Trace trace = hand.trace();
        trace.complete = complete;
        const OffLanes off = OffLaneFinder(trace, 0).find(0, 0);
        EXPECT_EQ(off.returned, complete ? kAll << 4 : 0);
        EXPECT_EQ(off.unknown, complete ? 0 : kAll << 4);
    }
}

TEST(OffLanes, WithoutTheTextOfTheKernelNobodyReturns) {
    ByHand hand;
    hand.builder.begin_segment(0, 0, 0);
    hand.access(3, 0xf);
    hand.access(5, 0xff);
    Trace trace = hand.trace();
    trace.source.clear();
    EXPECT_EQ(OffLaneFinder(trace, 0).find(0, 0), (OffLanes{.skip = 0xf0, .unknown = kAll << 8}));
}

TEST(OffLanes, AnAccessBeyondTheArrayIsNotSkipped) {
    ByHand hand;
    hand.builder.begin_segment(0, 0, 0);
    hand.access(3, 0x7fffffff);
    hand.access(5, kAll);
    Trace trace = hand.trace();
    EXPECT_EQ(OffLaneFinder(trace, 0).find(0, 0), OffLanes{.skip = 1u << 31});
    RecordedFinding& refused = trace.findings.emplace_back();
    refused.kind = RecordedFindingKind::kOutOfBounds;
    refused.line = 3;
    EXPECT_EQ(OffLaneFinder(trace, 0).find(0, 0), OffLanes{.unknown = 1u << 31});
}

TEST(OffLanes, TheNextEpochTellsWhoHasReturned) {
    ByHand hand;
    hand.builder.begin_segment(0, 0, 0);
    hand.access(4, 0xf);
    hand.builder.set_line(5);
    hand.builder.barrier(Operation::kBarrier, 0, 0xff);
    hand.builder.begin_segment(0, 1, 0);
    hand.access(4, 0x3);
    const Trace trace = hand.trace();
    const OffLaneFinder finder(trace, 0);
    EXPECT_EQ(finder.find(0, 0), (OffLanes{.skip = 0xf0, .unknown = kAll << 8}));
    EXPECT_EQ(finder.find(1, 2), (OffLanes{.skip = 0xfc, .returned = kAll << 8}));
}

}  // namespace
}  // namespace tilereel::off_lanes_test
