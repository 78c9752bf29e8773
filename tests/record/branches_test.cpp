// Warps whose lanes diverge, blocks whose threads return early, and barriers that not all threads
// reach (programs/branches.cu). The expected records follow from each kernel's text: diverged lanes
// run one branch after the other, in either order, and reconverge after them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "tests/record/recorded_programs.h"

namespace tilereel::branches_test {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;

constexpr std::uint32_t kAll = 0xffffffff, kEven = 0x55555555, kOdd = 0xaaaaaaaa;

// The contents of the arrays before each launch (programs/arrays.h).
float a(std::uint32_t i) { return static_cast<float>(i); }
float b(std::uint32_t i) { return static_cast<float>(2000 + i); }

TEST(Branches, RunOneAfterTheOtherThenReconverge) {
    const Trace& trace = trace_of("two_branches");
    const Did even{'l', "A", kEven}, odd{'l', "B", kOdd}, all{'s', "C", kAll};
    EXPECT_THAT(what_happened(trace),
                AnyOf(ElementsAre(even, odd, all), ElementsAre(odd, even, all)));
    const std::vector<float> c = stored_in_c(trace, 32);
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], i % 2 == 0 ? a(i) : b(i));
}

// Which branch runs first follows from the text, not from which lanes take it.
TEST(Branches, RunInTheOrderOfTheSource) {
    const std::vector<Did> even_first = what_happened(trace_of("two_branches"));
    const std::vector<Did> odd_first = what_happened(trace_of("lowest_lane_goes_second"));
    ASSERT_EQ(even_first.size(), 3u);
    ASSERT_EQ(odd_first.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(even_first[i].array, odd_first[i].array);
    EXPECT_EQ(even_first[0].lanes, ~odd_first[0].lanes);
}

TEST(Branches, LanesThatSkipAnAccessStayInStep) {
    EXPECT_THAT(what_happened(trace_of("some_lanes_load")),
                ElementsAre(Did{'l', "A", 0x1f}, Did{'l', "B", kAll}, Did{'s', "C", kAll},
                            Did{'l', "A", 0x3f}, Did{'l', "B", kAll}, Did{'s', "C", kAll},
                            Did{'l', "A", 0x7f}, Did{'l', "B", kAll}, Did{'s', "C", kAll}));
}

// Iteration i is executed by the lanes that are still in the loop, all on one line.
TEST(Branches, LoopsOfDifferentLengthAlignIterationByIteration) {
    std::vector<Did> expected;
    for (const std::uint32_t lanes : {kAll, 0xeeeeeeeeu, 0xccccccccu, 0x88888888u})
        for (const Did& did : {Did{'l', "A", lanes}, Did{'l', "B", lanes}, Did{'m', "", lanes}})
            expected.push_back(did);
    EXPECT_EQ(what_happened(trace_of("different_trip_counts")), expected);
}

TEST(Branches, ReconvergeInEachIterationOfALoop) {
    const std::vector<Did> even{{'l', "A", kEven}, {'s', "C", kEven}};
    const std::vector<Did> odd{{'l', "B", kOdd}, {'s', "C", kOdd}};
    std::vector<Did> even_first, odd_first;
    for (int k = 0; k < 3; ++k)
        for (const auto& [first, second, all] :
             {std::tuple(&even, &odd, &even_first), std::tuple(&odd, &even, &odd_first)})
            for (const std::vector<Did>* const branch : {first, second})
                all->insert(all->end(), branch->begin(), branch->end());
    EXPECT_THAT(what_happened(trace_of("branches_in_a_loop")), AnyOf(even_first, odd_first));
}

TEST(Branches, EveryLaneKeepsItsOwnOrder) {
    const Trace& trace = trace_of("scatter");
    for (std::uint32_t i = 0; i < 32; ++i) {
        std::vector<std::pair<char, std::uint32_t>> expected, recorded;  // what, byte offset
        for (std::uint32_t k = 0; k < i * 7 % 5; ++k) {
            expected.emplace_back('l', 4 * ((i + k) % 3 == 0 ? i * k : (i * 37 + k * 11) % 100));
            if ((i ^ k) % 2 == 0) {
                expected.emplace_back('s', 4 * i);
            } else if (k > 1) {
                expected.emplace_back('l', 4 * k);
                expected.emplace_back('s', 4 * (i + 32));
            }
        }
        for (std::size_t r = 0; r < trace.records.size(); ++r) {
            const LaneOffsets lanes = lane_offsets(trace, r);
            if ((lanes.mask >> i & 1u) == 0) continue;
            const Site& site = site_at(trace, r);
            recorded.emplace_back(site.operation == Operation::kLoad ? 'l' : 's', lanes.bytes[i]);
        }
        EXPECT_EQ(recorded, expected) << "lane " << i;
    }
}

TEST(Branches, ThreadsThatReturnedAreNotWaitedFor) {
    const Trace& trace = trace_of("early_exit");
    constexpr std::uint32_t kStay = 0x77777777;
    EXPECT_THAT(what_happened(trace),
                ElementsAre(Did{'l', "A", kStay}, Did{'s', "Tile", kStay}, Did{'b', "", kStay},
                            Did{'l', "A", kStay}, Did{'s', "Tile", kStay}, Did{'b', "", kStay},
                            Did{'l', "Tile", kStay}, Did{'s', "C", kStay}));
    EXPECT_EQ(trace.segments.size(), 3u);  // warp 1 does nothing in epoch 1
    EXPECT_EQ(stored_in_c(trace, 32)[6], a(38));
}

TEST(Branches, ABarrierThatHalfAWarpReachesOpensWhenTheRestReturned) {
    EXPECT_THAT(what_happened(trace_of("half_wait")),
                ElementsAre(Did{'s', "C", 0xffff0000}, Did{'b', "", 0xffff}, Did{'l', "A", 0xffff},
                            Did{'s', "C", 0xffff}));
}

TEST(Branches, BarriersOnDifferentLinesDoNotHang) {
    const std::vector<Did> did = what_happened(trace_of("two_barriers"));
    ASSERT_FALSE(did.empty());
    EXPECT_EQ(did.back(), (Did{'s', "C", kAll}));
}

TEST(Branches, LastWarpMayBePartial) {  // 42 threads
    EXPECT_THAT(what_happened(trace_of("copy")),
                ElementsAre(Did{'l', "A", kAll}, Did{'s', "C", kAll}, Did{'l', "A", 0x3ff},
                            Did{'s', "C", 0x3ff}));
}

TEST(Branches, WarpBarriersOrderTheLanesOfAWarp) {
    const Trace& trace = trace_of("pass_along");
    const std::vector<float> c = stored_in_c(trace, 192);
    for (std::uint32_t warp = 0; warp < 2; ++warp)
        for (std::uint32_t k = 0; k < 3; ++k)
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                EXPECT_EQ(c[(warp * 3 + k) * 32 + lane], a(k * 32 + (lane + 1) % 32));
    EXPECT_EQ(trace.segments.size(), 2u);  // warp barriers end no epoch
    const std::vector<Did> did = what_happened(trace);
    ASSERT_EQ(did.size(), 2u * 3 * 6);
    EXPECT_EQ(did[2], (Did{'w', "", kAll}));
    for (const Array& array : trace.arrays)
        if (array.name == "Row") {
            EXPECT_EQ(array.rows, 2u);
            EXPECT_EQ(array.columns, 32u);
        }
}

TEST(Branches, WideAccessesAreOneRecord) {
    const Trace& trace = trace_of("wide");
    EXPECT_THAT(what_happened(trace),
                ElementsAre(Did{'l', "A", kAll}, Did{'s', "Row", kAll}, Did{'b', "", kAll},
                            Did{'l', "Row", kAll}, Did{'s', "C", kAll}));
    EXPECT_EQ(trace.sites[0].width_bytes, 16);
    EXPECT_EQ(trace.words.size(), 2u * 32 * 4);  // two stores of four floats a lane
    EXPECT_EQ(lane_offsets(trace, 0).bytes[31], 0u);
    EXPECT_EQ(lane_offsets(trace, 0).bytes[0], 31u * 16);
    const std::vector<float> c = stored_in_c(trace, 128);
    for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(c[i], a((31 - i / 4) * 4 + i % 4));
}

TEST(Branches, DynamicSharedMemoryMovesLikeAPointer) {
    const Trace& trace = trace_of("dynamic");
    EXPECT_EQ(trace.launch.shared_bytes, 256u);
    const std::vector<float> c = stored_in_c(trace, 32);
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], a(31 - i));
}

TEST(Branches, IrregularOffsetsAreKeptLaneByLane) {
    const Trace& trace = trace_of("squares");
    EXPECT_EQ(trace.irregular_offsets.size(), 1u);  // the same in every block
    for (std::uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(lane_offsets(trace, 0).bytes[i], i * i % 64 * 16 % 1000 * 4);
}

// The last sum of the epoch into each accumulator keeps its value, although more of the epoch
// follows it.
TEST(Branches, LastSumsOfAnEpochAreKeptAcrossWarpBarriers) {
    const std::vector<Trace> launches = record_programs(100)["sums_and_warp_barriers"];
    ASSERT_EQ(launches.size(), 1u);
    const Trace& trace = launches.front();
    EXPECT_EQ(trace.accumulators, 2u);
    const std::vector<float> c = stored_in_c(trace, 96);
    std::vector<std::pair<std::uint32_t, bool>> sums;  // accumulator, kept
    const std::uint32_t* value = trace.words.data();
    for (std::size_t r = 0; r < trace.records.size(); ++r) {
        const bool kept = has_values(trace, r);
        if (site_at(trace, r).operation == Operation::kMultiplyAdd) {
            const std::uint32_t accumulator = trace.records.base[r];
            sums.emplace_back(accumulator, kept);
            for (std::uint32_t i = 0; kept && i < 32; ++i)  // the final sum, which C holds too
                EXPECT_EQ(std::bit_cast<float>(value[i]), c[accumulator * 32 + i]);
        }
        if (kept) value += value_count(trace, r);
    }
    EXPECT_EQ(value, trace.words.data() + trace.words.size());
    EXPECT_THAT(sums, ElementsAre(std::pair(0u, false), std::pair(0u, true), std::pair(1u, false),
                                  std::pair(1u, false), std::pair(1u, true)));
}

TEST(SharedMemory, IsNotANumberAtTheStartOfEveryBlock) {
    const std::vector<float> c = stored_in_c(trace_of("reads_before_writing"), 128);
    for (const float value : c) EXPECT_TRUE(std::isnan(value));
}

TEST(Blocks, ABlockWithoutRecordsIsInACompleteTrace) {
    const Trace& trace = trace_of("one_block_idles");
    EXPECT_TRUE(trace.complete);
    EXPECT_EQ(trace.launch.blocks(), 2u);
    EXPECT_TRUE(trace.chosen_blocks.empty()) << "all were recorded";
}

}  // namespace
}  // namespace tilereel::branches_test
