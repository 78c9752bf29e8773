#include "instrumentation/analysis/cost/request_cost.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "tests/analysis/random_access.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::request_cost_test {
namespace {

WarpAccess shared_load(std::uint32_t stride_bytes, std::uint32_t mask = 0xffffffff) {
    WarpAccess access{.space = Space::kShared};
    access.lanes.mask = mask;
    for (int lane = 0; lane < kWarpSize; ++lane)
        access.lanes.bytes[lane] = (mask >> lane & 1u) != 0 ? lane * stride_bytes : 0;
    return access;
}

TEST(RequestCost, AStrideTakesAsManyWavefrontsAsItsCommonDivisorWithTheBanks) {
    // Words at stride s fall into 32 / gcd(s, 32) banks, so gcd(s, 32) words share a bank.
    for (std::uint32_t stride = 1; stride <= 64; ++stride)
        EXPECT_EQ(cost_of(shared_load(stride * 4)).wavefronts, std::gcd(stride, 32u)) << stride;
}

TEST(RequestCost, PaddingByOneWordRemovesA32WayConflict) {
    EXPECT_EQ(cost_of(shared_load(32 * 4)).bank_conflicts, 31u);
    EXPECT_EQ(cost_of(shared_load(33 * 4)).bank_conflicts, 0u);
}

TEST(RequestCost, OtherBlocksSharedMemoryHasNoConflicts) {
    WarpAccess access = shared_load(32 * 4);
    access.space = Space::kSharedCluster;
    const RequestCost cost = cost_of(access);
    EXPECT_EQ(cost.bank_conflicts, 0u);
    EXPECT_EQ(cost.sectors, 0u);
    EXPECT_EQ(cost.bytes_requested, 128u);
}

TEST(RequestCost, ACopysLoadThatAnotherBlockMadeMovesNothing) {
    WarpAccess access = shared_load(16);
    access.space = Space::kGlobal;
    access.operation = Operation::kCopyLoad;
    access.width_bytes = 16;
    access.other_side = access.lanes;
    EXPECT_EQ(cost_of(access).sectors, 16u);
    access.is_of_other_block = true;
    EXPECT_EQ(cost_of(access).sectors, 0u);
}

TEST(RequestCost, BroadcastIsOneWavefront) { EXPECT_EQ(cost_of(shared_load(0)).wavefronts, 1u); }

TEST(RequestCost, NoActiveLaneCostsNothing) {
    for (const Space space : {Space::kShared, Space::kGlobal, Space::kSharedCluster}) {
        const RequestCost cost = cost_of({.space = space});
        EXPECT_EQ(cost, RequestCost{});
    }
}

TEST(RequestCost, CoalescedAndStridedGlobalLoads) {
    WarpAccess access = shared_load(4);
    access.space = Space::kGlobal;
    EXPECT_EQ(cost_of(access).sectors, 4u);
    EXPECT_EQ(cost_of(access).lines, 1u);
    for (std::uint32_t& offset : access.lanes.bytes) offset += 16;  // off the line by half a sector
    EXPECT_EQ(cost_of(access).sectors, 5u);
    EXPECT_EQ(cost_of(access).lines, 2u);
    EXPECT_EQ(cost_of(access).bytes_requested, 128u);
    EXPECT_EQ(cost_of(access).bytes_moved, 160u);
    access.lanes.bytes = shared_load(4096).lanes.bytes;
    EXPECT_EQ(cost_of(access).sectors, 32u);
    EXPECT_EQ(cost_of(access).lines, 32u);
}

TEST(RequestCost, OffsetsNearTheEndOfTheAddressRangeDoNotWrap) {
    WarpAccess access{.space = Space::kGlobal, .width_bytes = 16};
    access.lanes.mask = 1;
    access.lanes.bytes[0] = 0xfffffff0;
    EXPECT_EQ(cost_of(access).sectors, 1u);
    EXPECT_EQ(cost_of(access).lines, 1u);
}

// Computes the rules in another way: for each group of lanes and each bank, the set of its words.
std::uint32_t wavefronts_by_sets(const WarpAccess& access, std::uint32_t& groups) {
    const auto active = [&](int lane) { return (access.lanes.mask >> lane & 1u) != 0; };
    const auto all_equal_to = [&](int bit) {
        bool equal = true;
        for (int lane = 0; lane < kWarpSize; ++lane)
            equal = equal && !(active(lane) && active(lane ^ bit) &&
                               access.lanes.bytes[lane] != access.lanes.bytes[lane ^ bit]);
        return equal;
    };
    const bool halved = access.width_bytes > 4 && access.operation == Operation::kLoad &&
                        (all_equal_to(1) || all_equal_to(2));
    const std::uint32_t group_count = std::max(1u, access.width_bytes / 4 / (halved ? 2 : 1));
    std::map<std::uint32_t, std::map<std::uint32_t, std::set<std::uint32_t>>> words;
    for (int lane = 0; lane < kWarpSize; ++lane) {
        for (std::uint32_t byte = 0; active(lane) && byte < access.width_bytes; ++byte) {
            const std::uint32_t word = (access.lanes.bytes[lane] + byte) / 4;
            words[lane * group_count / kWarpSize][word % 32].insert(word);
        }
    }
    std::uint32_t wavefronts = 0;
    for (const auto& [group, banks] : words) {
        std::size_t worst = 0;
        for (const auto& [bank, set] : banks) worst = std::max(worst, set.size());
        wavefronts += static_cast<std::uint32_t>(worst);
    }
    groups = static_cast<std::uint32_t>(words.size());
    return wavefronts;
}

TEST(RequestCost, RandomSharedAccessesAgreeWithTheRulesSpelledOutBySets) {
    std::mt19937 random(20);
    for (int i = 0; i < 20000; ++i) {
        const WarpAccess access = random_access(random, Space::kShared);
        std::uint32_t groups = 0;
        const std::uint32_t wavefronts = wavefronts_by_sets(access, groups);
        const RequestCost cost = cost_of(access);
        ASSERT_EQ(cost.wavefronts, wavefronts) << i;
        ASSERT_EQ(cost.ideal_wavefronts, groups) << i;
        ASSERT_EQ(cost.bank_conflicts, wavefronts - groups) << i;
    }
}

TEST(RequestCost, RandomGlobalAccessesTouchTheSectorsOfTheirBytes) {
    std::mt19937 random(21);
    for (int i = 0; i < 20000; ++i) {
        const WarpAccess access = random_access(random, Space::kGlobal);
        std::set<std::uint32_t> sectors, lines, bytes;
        for (int lane = 0; lane < kWarpSize; ++lane) {
            for (std::uint32_t byte = 0;
                 (access.lanes.mask >> lane & 1u) != 0 && byte < access.width_bytes; ++byte) {
                bytes.insert(access.lanes.bytes[lane] + byte);
                sectors.insert((access.lanes.bytes[lane] + byte) >> 5);
                lines.insert((access.lanes.bytes[lane] + byte) >> 7);
            }
        }
        const RequestCost cost = cost_of(access);
        ASSERT_EQ(cost.sectors, sectors.size()) << i;
        ASSERT_EQ(cost.lines, lines.size()) << i;
        ASSERT_EQ(cost.bytes_moved, 32 * sectors.size()) << i;
        ASSERT_EQ(cost.bytes_used, bytes.size()) << i;
    }
}

TEST(CostCache, GivesEveryRecordTheCostOfItsOwnLanes) {
    std::mt19937 random(22);
    TraceBuilder builder;
    const ArrayId global = builder.add_array("A", Space::kGlobal, 1024, 1024);
    const ArrayId shared = builder.add_array("As", Space::kShared, 64, 64);
    builder.begin_segment(0, 0, 0);
    for (int i = 0; i < 500; ++i) {
        const WarpAccess access = random_access(random, i % 2 ? Space::kShared : Space::kGlobal);
        if (access.lanes.mask == 0) continue;
        builder.access(
            access.operation, i % 2 ? shared : global,
            [&](int lane) { return access.lanes.bytes[lane]; }, access.lanes.mask,
            static_cast<std::uint8_t>(access.width_bytes));
    }
    Trace trace = builder.take();
    // The same records again, at other bases.
    const std::size_t first = trace.records.size();
    for (std::size_t i = 0; i < first; ++i) {
        trace.records.site.push_back(trace.records.site[i]);
        trace.records.pattern.push_back(trace.records.pattern[i]);
        trace.records.base.push_back(trace.records.base[i] +
                                     16 * static_cast<std::uint32_t>(i % 9));
    }
    CostCache cache(trace);
    for (std::size_t record = 0; record < trace.records.size(); ++record)
        ASSERT_EQ(cache(record), cost_of(access_of(trace, record))) << record;
    EXPECT_LE(cache.slots(), trace.records.size());
}

}  // namespace
}  // namespace tilereel::request_cost_test
