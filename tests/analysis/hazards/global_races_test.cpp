#include "instrumentation/analysis/hazards/global_races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/analysis/hazards/global_accesses.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/views.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::global_races_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A launch with two arrays in global memory.
struct Launched {
    TraceBuilder builder{};
    ArrayId data = builder.add_array("data", Space::kGlobal, 1, 4096);
    ArrayId flag = builder.add_array("flag", Space::kGlobal, 1, 1);
    std::vector<std::uint32_t> values{};     // of each store, for all of its lanes
    std::vector<std::uint64_t> valued{};     // their records
    std::vector<std::uint32_t> volatiles{};  // lines whose sites have variety 1

    void segment(std::uint32_t block, std::uint32_t epoch = 0, std::uint16_t warp = 0) {
        builder.begin_segment(block, epoch, warp);
    }
    void access(std::uint32_t line, Operation operation, ArrayId array, std::uint32_t first,
                std::uint32_t mask = 1) {
        builder.set_line(line);
        builder.access(
            operation, array,
            [=](int lane) { return 4 * (first + static_cast<std::uint32_t>(lane)); }, mask);
    }
    void load(std::uint32_t line, std::uint32_t first, std::uint32_t mask = 1) {
        access(line, Operation::kLoad, data, first, mask);
    }
    void store(std::uint32_t line, std::uint32_t first, std::uint32_t value,
               std::uint32_t mask = 1) {
        values.push_back(value);
        valued.push_back(builder.records());
        access(line, Operation::kStore, data, first, mask);
    }
    void atomic(std::uint32_t line) { access(line, Operation::kAtomic, flag, 0); }
    void barrier(std::uint32_t line) {
        builder.set_line(line);
        builder.barrier();
    }
    std::vector<Finding> findings() {
        trace = builder.take();
        trace.launch.grid = {8, 1, 1};
        trace.launch.block = {64, 1, 1};
        trace.recorded_by.recorder = "cpu";
        put_values();
        for (Site& site : trace.sites)
            if (std::ranges::find(volatiles, site.line) != volatiles.end())
                site.variety = static_cast<std::uint8_t>(AccessKind::kVolatile);
        std::vector<Finding> found;
        find_global_races(trace, true,
                          [&](const Finding& f, std::uint64_t) { found.push_back(f); });
        return found;
    }
    Trace trace{};

  private:
    void put_values() {
        Segments& segments = trace.segments;
        std::size_t next = 0;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            segments.value_begin[i] = trace.words.size();
            for (const std::uint64_t record : records_of(segments, i)) {
                if (next == valued.size() || valued[next] != record) continue;
                trace.records.site[record] |= Records::kHasValues;
                trace.words.insert(trace.words.end(), value_count(trace, record), values[next++]);
            }
        }
        segments.value_begin.back() = trace.words.size();
    }
};

TEST(GlobalRaces, ABlockReadsWhatAnotherBlockOfTheLaunchWrites) {
    Launched launch;
    launch.segment(0);
    launch.store(3, 7, 1);
    launch.segment(1);
    launch.load(5, 7);
    const std::vector<Finding> found = launch.findings();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].severity, Severity::kError);
    EXPECT_EQ(found[0].block, 0u);
    EXPECT_EQ(found[0].second_block, 1u);
    EXPECT_EQ(found[0].column, 7u);
    EXPECT_EQ(sentence_of(launch.trace, found[0]),
              "thread 0 of warp 0 of block 0 writes data[0][7] on line 3 and thread 0 of warp 0 of "
              "block 1 reads it on line 5: the blocks of a launch run in any order; use an atomic "
              "operation such as atomicAdd(), or let a later launch do what must come second");
    // The two parts, without what joins them.
    const FindingText text = text_of(launch.trace, found[0]);
    EXPECT_THAT(text.what, ::testing::EndsWith(": the blocks of a launch run in any order"));
    EXPECT_THAT(text.advice, ::testing::StartsWith("use an atomic operation"));
    EXPECT_EQ(sentence_of(launch.trace, found[0]), text.what + "; " + text.advice);
}

TEST(GlobalRaces, ThreadsThatAccessTheirOwnElementsDoNotRace) {
    Launched launch;
    for (std::uint32_t block = 0; block < 3; ++block) {
        launch.segment(block);
        launch.load(2, 32 * block, 0xffffffff);
        launch.store(3, 32 * block, block, 0xffffffff);
    }
    EXPECT_THAT(launch.findings(), IsEmpty());
}

TEST(GlobalRaces, WarpsOfABlockAreOrderedByABarrierOnly) {
    for (const bool barrier : {false, true}) {
        Launched launch;
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            launch.segment(0, 0, warp);
            launch.store(3, 32u * warp, 1, 0xffffffff);
            if (barrier) launch.barrier(4);
            if (!barrier) launch.load(5, 33 - warp);
        }
        for (std::uint16_t warp = 0; barrier && warp < 2; ++warp) {
            launch.segment(0, 1, warp);
            launch.load(5, 33 - warp);
        }
        const std::vector<Finding> found = launch.findings();
        ASSERT_EQ(found.empty(), barrier);
        if (barrier) continue;
        EXPECT_EQ(found[0].severity, Severity::kError);
        EXPECT_EQ(found[0].second_block, Finding::kSameBlock);
        EXPECT_THAT(text_of(launch.trace, found[0]).advice,
                    ::testing::StartsWith("put __syncthreads()"));
        EXPECT_THAT(text_of(launch.trace, found[0]).what,
                    ::testing::EndsWith(": either may come first"));
    }
}

TEST(GlobalRaces, LanesOfAWarpAreAWarningUnlessASyncwarpOrdersThem) {
    for (const bool barrier : {false, true}) {
        Launched launch;
        launch.segment(0);
        launch.store(3, 0, 1, 0xffffffff);
        if (barrier) launch.builder.barrier(Operation::kWarpBarrier);
        launch.load(5, 1, 1);  // of lane 1's element
        const std::vector<Finding> found = launch.findings();
        ASSERT_EQ(found.empty(), barrier);
        if (!barrier) {
            EXPECT_EQ(found[0].severity, Severity::kWarning);
        }
    }
}

// data, fence, atomic -> atomic, fence, data: the last block sums up, or a lock.
TEST(GlobalRaces, AnAtomicBehindOneAccessAndBeforeTheOtherMayOrderThem) {
    for (const bool before : {false, true}) {
        Launched launch;
        launch.segment(0);
        launch.store(3, 0, 1);
        launch.atomic(4);
        launch.segment(1);
        if (before) launch.atomic(4);
        launch.load(6, 0);
        if (!before) launch.atomic(4);
        EXPECT_EQ(launch.findings().empty(), before);
    }
}

TEST(GlobalRaces, AVolatileFlagMayOrderTwoBlocks) {
    for (const bool is_volatile : {false, true}) {
        Launched launch;
        if (is_volatile) launch.volatiles = {4, 5};
        launch.segment(0);
        launch.store(3, 0, 1);
        launch.access(4, Operation::kStore, launch.flag, 0);
        launch.segment(1);
        launch.access(5, Operation::kLoad, launch.flag, 0);
        launch.load(6, 0);
        EXPECT_EQ(launch.findings().empty(), is_volatile);
    }
}

TEST(GlobalRaces, ABarrierOfTheGridOrdersBlocksAndABarrierOfTheBlockDoesNot) {
    for (const BarrierKind kind : {BarrierKind::kBlock, BarrierKind::kGrid}) {
        Launched launch;
        for (std::uint32_t block = 0; block < 2; ++block) {
            launch.segment(block, 0);
            if (block == 0) launch.store(3, 0, 1);
            launch.barrier(4);
            launch.segment(block, 1);
            if (block == 1) launch.load(5, 0);
        }
        // The variety of a barrier's site is its kind.
        launch.volatiles = kind == BarrierKind::kGrid ? std::vector<std::uint32_t>{4}
                                                      : std::vector<std::uint32_t>{};
        EXPECT_EQ(launch.findings().empty(), kind == BarrierKind::kGrid);
    }
}

TEST(GlobalRaces, APlainResetOfACounterThatOtherBlocksIncreaseIsARace) {
    Launched launch;
    launch.segment(0);
    launch.access(3, Operation::kStore, launch.flag, 0);
    launch.atomic(4);
    launch.segment(1);
    launch.atomic(4);
    ASSERT_THAT(launch.findings(), SizeIs(1));
}

// The last block resets the counter after its own atomic.
TEST(GlobalRaces, AResetBehindAnAtomicIsNone) {
    Launched launch;
    launch.segment(0);
    launch.atomic(4);
    launch.segment(1);
    launch.atomic(4);
    launch.access(5, Operation::kStore, launch.flag, 0);
    EXPECT_THAT(launch.findings(), IsEmpty());
}

TEST(GlobalRaces, EqualValuesDoNotRaceAndReadingThemIsAWarning) {
    for (const bool equal : {true, false})
        for (const bool read : {true, false}) {
            Launched launch;
            for (std::uint32_t block = 0; block < 3; ++block) {
                launch.segment(block);
                if (read && block == 2)
                    launch.load(4, 0);
                else
                    launch.store(3, 0, equal ? 1 : block);
            }
            const std::vector<Finding> found = launch.findings();
            ASSERT_EQ(found.empty(), equal && !read);
            if (!found.empty()) {
                EXPECT_EQ(found[0].severity, equal ? Severity::kWarning : Severity::kError);
            }
        }
}

TEST(GlobalRaces, LanesThatStoreDifferentValuesByOneInstructionAreAnError) {
    for (const bool equal : {true, false}) {
        TraceBuilder builder;
        const ArrayId out = builder.add_array("out", Space::kGlobal, 1, 4);
        builder.begin_segment(0, 0, 0);
        builder.set_line(3);
        builder.access(
            Operation::kStore, out, [](int lane) { return lane < 4 ? 4u : 8u; }, 0x3f);
        Trace trace = builder.take();
        trace.records.site[0] |= Records::kHasValues;
        trace.words = equal ? std::vector<std::uint32_t>{1, 1, 1, 1, 2, 2}
                            : std::vector<std::uint32_t>{1, 1, 1, 1, 2, 3};
        trace.segments.value_begin.back() = 6;
        const std::vector<Finding> found = find_hazards(trace);
        ASSERT_EQ(found.empty(), equal);
        if (equal) continue;
        EXPECT_EQ(found[0].hazard, Hazard::kDifferentValues);
        EXPECT_EQ(found[0].first.thread, 4u);
        EXPECT_EQ(found[0].second.thread, 5u);
        EXPECT_THAT(sentence_of(trace, found[0]), HasSubstr("store different values to out[0][2]"));
    }
}

TEST(GlobalRaces, AnArrayInPartsGivesTheSameAccesses) {
    Launched launch;
    for (std::uint32_t block = 0; block < 4; ++block) {
        launch.segment(block);
        launch.store(3, 100 * block, block, 0xffffffff);
    }
    launch.findings();
    const auto cells = [&](std::uint64_t most) {
        std::vector<std::uint64_t> all;
        for_each_global_access(
            launch.trace,
            [&](const std::vector<GlobalAccess>& part, std::uint32_t) {
                for (const GlobalAccess& access : part) all.push_back(access.cell);
            },
            most);
        return all;
    };
    EXPECT_THAT(cells(1000), SizeIs(128));
    EXPECT_EQ(cells(1000), cells(10));
}

}  // namespace
}  // namespace tilereel::global_races_test
