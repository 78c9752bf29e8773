// Which lanes are served together, and which word each bank gives when.
#include "instrumentation/analysis/cost/word_service.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "tests/analysis/cost/hardware_table.h"

namespace tilereel::word_service_test {
namespace {

template <class Byte>
WarpAccess shared_access(std::uint32_t width, Byte&& byte_of_lane,
                         Operation operation = Operation::kLoad) {
    WarpAccess access{.space = Space::kShared, .operation = operation, .width_bytes = width};
    access.lanes.mask = ~0u;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        access.lanes.bytes[lane] = byte_of_lane(lane);
    return access;
}

TEST(WordService, SixteenBytesGoByQuarterWarps) {
    const WordService service =
        word_service(shared_access(16, [](std::uint32_t lane) { return 16 * lane; }));
    EXPECT_EQ(service.lanes_together, 8u);
    EXPECT_FALSE(service.merged);
    ASSERT_EQ(service.groups.size(), 4u);
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(service.groups[i], (LaneGroup{.lanes = 0xffu << 8 * i,
                                                .first_wavefront = static_cast<std::uint8_t>(i),
                                                .wavefronts = 1,
                                                .words = 32}));
    ASSERT_EQ(service.words.size(), 128u);
    for (const ServedWord& served : service.words) {
        EXPECT_EQ(served.bank, (4 * served.lane + served.number) % 32);
        EXPECT_EQ(served.wavefront, served.lane / 8);
    }
}

TEST(WordService, EightBytesGoByHalfWarps) {
    const WordService service =
        word_service(shared_access(8, [](std::uint32_t lane) { return 8 * lane; }));
    EXPECT_EQ(service.lanes_together, 16u);
    ASSERT_EQ(service.groups.size(), 2u);
    EXPECT_EQ(service.groups[1].lanes, 0xffff0000u);
}

TEST(WordService, LoadsMergeGroupsIfPairsOfLanesShareAnAddressStoresDoNot) {
    for (const std::uint32_t distance : {1u, 2u}) {
        const auto alike = [distance](std::uint32_t lane) { return 16 * (lane & ~distance); };
        const WordService load = word_service(shared_access(16, alike));
        EXPECT_TRUE(load.merged);
        EXPECT_EQ(load.lanes_together, 16u);
        EXPECT_EQ(load.groups.size(), 2u);
        const WordService store = word_service(shared_access(16, alike, Operation::kStore));
        EXPECT_FALSE(store.merged);
        EXPECT_EQ(store.groups.size(), 4u);
        EXPECT_EQ(word_service(shared_access(8, alike)).groups.size(), 1u);
    }
}

TEST(WordService, AStrideOf32BytesTakesTwoWavefrontsAGroup) {
    const WordService service =
        word_service(shared_access(16, [](std::uint32_t lane) { return 32 * lane; }));
    ASSERT_EQ(service.groups.size(), 4u);
    for (const LaneGroup& group : service.groups) EXPECT_EQ(group.wavefronts, 2u);
    EXPECT_EQ(service.groups[3].first_wavefront, 6u);
}

// In a wavefront a bank gives one word; every lane gets all of its words; and there are as many
// wavefronts, and groups of lanes, as the hardware counts.
TEST(WordService, ServesEverySharedRowOfTheHardwareTable) {
    for (const HardwareRow& row : hardware_table()) {
        if (row.access.space != Space::kShared) continue;
        SCOPED_TRACE("row " + std::to_string(row.id));
        const WordService service = word_service(row.access);
        std::map<std::pair<int, int>, std::set<std::uint32_t>> given;  // by wavefront and bank
        std::set<std::pair<int, int>> lane_words;
        for (const ServedWord& served : service.words) {
            given[{served.wavefront, served.bank}].insert(served.word);
            lane_words.insert({served.lane, served.number});
            EXPECT_EQ(served.word, row.access.lanes.bytes[served.lane] / 4 + served.number);
        }
        for (const auto& [place, words] : given) EXPECT_EQ(words.size(), 1u);
        EXPECT_EQ(lane_words.size(),
                  static_cast<std::size_t>(std::popcount(row.access.lanes.mask)) *
                      row.access.width_bytes / 4);
        std::uint32_t wavefronts = 0;
        for (const LaneGroup& group : service.groups) {
            EXPECT_EQ(group.first_wavefront, wavefronts);
            wavefronts += group.wavefronts;
        }
        EXPECT_EQ(wavefronts, *row.wavefronts);
        EXPECT_EQ(service.groups.size(), *row.wavefronts - *row.bank_conflicts);
    }
}

}  // namespace
}  // namespace tilereel::word_service_test
