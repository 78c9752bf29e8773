#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "instrumentation/analysis/cost/request_cost.h"
#include "tests/analysis/random_access.h"

namespace tilereel::bank_service_test {
namespace {

WarpAccess access_of_offsets(std::uint32_t width_bytes, Operation operation,
                             std::uint32_t (*offset)(std::uint32_t lane)) {
    WarpAccess access{.space = Space::kShared, .operation = operation, .width_bytes = width_bytes};
    access.lanes.mask = 0xffffffff;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) access.lanes.bytes[lane] = offset(lane);
    return access;
}

TEST(BankService, LanesOfOneBankQueueInLaneOrder) {
    const BankService service = bank_service(
        access_of_offsets(4, Operation::kLoad, [](std::uint32_t lane) { return lane * 128; }));
    for (int lane = 0; lane < kWarpSize; ++lane) {
        EXPECT_EQ(service.bank[lane], 0);
        EXPECT_EQ(service.wavefront[lane], lane);
    }
    EXPECT_EQ(service.words_in_bank[0], 32);
    EXPECT_EQ(service.banks_used, 1u);
}

TEST(BankService, LanesThatWantTheSameWordAreServedTogether) {
    // Even lanes read word 0 and odd lanes word 32; both words lie in bank 0.
    const BankService service = bank_service(
        access_of_offsets(4, Operation::kLoad, [](std::uint32_t lane) { return lane % 2 * 128; }));
    for (int lane = 0; lane < kWarpSize; ++lane) EXPECT_EQ(service.wavefront[lane], lane % 2);
    EXPECT_EQ(service.words_in_bank[0], 2);
}

TEST(BankService, WideAccessesAreServedGroupByGroup) {
    const BankService loads = bank_service(
        access_of_offsets(16, Operation::kLoad, [](std::uint32_t lane) { return lane * 16; }));
    for (int lane = 0; lane < kWarpSize; ++lane) EXPECT_EQ(loads.wavefront[lane], lane / 8);
    EXPECT_EQ(loads.banks_used, 32u);
    for (const std::uint8_t words : loads.words_in_bank) EXPECT_EQ(words, 4);
    for (const std::uint8_t words : loads.worst_group_words) EXPECT_EQ(words, 1);
    const BankService pairs = bank_service(
        access_of_offsets(8, Operation::kStore, [](std::uint32_t lane) { return lane * 8; }));
    for (int lane = 0; lane < kWarpSize; ++lane) EXPECT_EQ(pairs.wavefront[lane], lane / 16);
}

// Distinct words, by bank.
using WordsByBank = std::array<std::set<std::uint32_t>, 32>;

bool is_active(const WarpAccess& access, int lane) { return (access.lanes.mask >> lane & 1u) != 0; }

// The words that the active lanes of [first, last) access.
WordsByBank words_of_lanes(const WarpAccess& access, int first, int last) {
    WordsByBank words;
    for (int lane = first; lane < last; ++lane) {
        if (!is_active(access, lane)) continue;
        const std::uint32_t begin = access.lanes.bytes[lane] / 4;
        for (std::uint32_t word = begin; word < begin + access.width_bytes / 4; ++word)
            words[word % 32].insert(word);
    }
    return words;
}

// Whether, for each i, the active ones of the lanes i and i ^ distance have the same address.
bool pairs_agree(const WarpAccess& access, int distance) {
    for (int lane = 0; lane < kWarpSize; ++lane)
        if (is_active(access, lane) && is_active(access, lane ^ distance) &&
            access.lanes.bytes[lane] != access.lanes.bytes[lane ^ distance])
            return false;
    return true;
}

// The rule of an H100: a group of lanes accesses at most 128 bytes, the width of the 32 banks. The
// groups of a wide load are twice as large if its pairs of lanes have the same address.
int lanes_of_group(const WarpAccess& access) {
    const int lanes = static_cast<int>(128 / access.width_bytes);
    const bool twice = access.operation == Operation::kLoad && access.width_bytes > 4 &&
                       (pairs_agree(access, 1) || pairs_agree(access, 2));
    return twice ? 2 * lanes : lanes;
}

// The most words of each bank that one group wants.
std::array<std::uint8_t, 32> most_words_of_a_group(const WarpAccess& access) {
    std::array<std::uint8_t, 32> most{};
    const int size = lanes_of_group(access);
    for (int first = 0; first < kWarpSize; first += size) {
        const WordsByBank words = words_of_lanes(access, first, first + size);
        for (std::size_t bank = 0; bank < 32; ++bank)
            most[bank] = std::max(most[bank], static_cast<std::uint8_t>(words[bank].size()));
    }
    return most;
}

// Holds for any access: a lane's bank is that of its first word, the number of wavefronts is that
// of cost_of(), and each bank has as many words as the lanes want of it, altogether and in the
// group that wants most. A bank gives a group one word in a wavefront.
TEST(BankService, RandomAccessesAreServedAsTheirCostSays) {
    std::mt19937 random(23);
    for (int i = 0; i < 20000; ++i) {
        const WarpAccess access = random_access(random, Space::kShared);
        const BankService service = bank_service(access);
        std::uint32_t wavefronts = 0;
        for (int lane = 0; lane < kWarpSize; ++lane) {
            if (!is_active(access, lane)) {
                ASSERT_EQ(service.bank[lane], BankService::kOff);
                ASSERT_EQ(service.wavefront[lane], BankService::kOff);
                continue;
            }
            ASSERT_EQ(service.bank[lane], access.lanes.bytes[lane] / 4 % 32);
            wavefronts = std::max<std::uint32_t>(wavefronts, service.wavefront[lane] + 1);
        }
        ASSERT_EQ(wavefronts, cost_of(access).wavefronts) << i;
        const WordsByBank words = words_of_lanes(access, 0, kWarpSize);
        ASSERT_EQ(service.banks_used, 32 - std::ranges::count(words, WordsByBank::value_type{}))
            << i;
        for (std::size_t bank = 0; bank < 32; ++bank)
            ASSERT_EQ(service.words_in_bank[bank], words[bank].size()) << i;
        const auto most = most_words_of_a_group(access);
        ASSERT_EQ(service.worst_group_words, most) << i;
        ASSERT_EQ(service.worst_group_wavefronts, most) << i;
    }
}

TEST(BankService, FourByteLanesInOneWavefrontShareNoBankUnlessTheyShareTheWord) {
    std::mt19937 random(24);
    for (int i = 0; i < 20000; ++i) {
        WarpAccess access = random_access(random, Space::kShared);
        access.width_bytes = 4;
        const BankService service = bank_service(access);
        std::map<std::pair<int, int>, std::uint32_t> word_at;  // by wavefront and bank
        std::map<int, int> next_wavefront;                     // of each bank, in lane order
        for (int lane = 0; lane < kWarpSize; ++lane) {
            if (!is_active(access, lane)) continue;
            const int bank = service.bank[lane], wavefront = service.wavefront[lane];
            const std::uint32_t word = access.lanes.bytes[lane] / 4;
            const auto [at, fresh] = word_at.try_emplace({wavefront, bank}, word);
            ASSERT_EQ(at->second, word) << i;
            if (fresh) {
                ASSERT_EQ(wavefront, next_wavefront[bank]++) << i;  // none is skipped
            }
        }
    }
}

}  // namespace
}  // namespace tilereel::bank_service_test
