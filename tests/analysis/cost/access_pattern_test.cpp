// Patterns of an index expression. Expected counts follow from the rule of the banks: word w lies
// in bank w mod 32, and a wavefront serves each bank one word.
#include "instrumentation/analysis/cost/access_pattern.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tilereel::access_pattern_test {
namespace {

AccessPattern pattern(const char* index, std::array<std::int64_t, 3> block = {32, 8, 1}) {
    AccessPattern made;
    made.index = *PatternIndex::parse(index);
    made.block = block;
    return made;
}

// Of 4-byte accesses: the most distinct words in one bank.
std::uint32_t wavefronts_by_hand(const std::vector<std::int64_t>& words) {
    std::map<std::int64_t, std::set<std::int64_t>> banks;
    for (const std::int64_t word : words) banks[word % 32].insert(word);
    std::size_t most = 0;
    for (const auto& [bank, wanted] : banks) most = std::max(most, wanted.size());
    return static_cast<std::uint32_t>(most);
}

TEST(AccessPattern, CountsTheWordsOfEachBank) {
    for (std::int64_t row = 1; row <= 40; ++row) {
        AccessPattern by_column = pattern("tx", {32, 1, 1});
        by_column.index = *PatternIndex::parse("tx*" + std::to_string(row));
        std::vector<std::int64_t> words;
        for (std::int64_t lane = 0; lane < 32; ++lane) words.push_back(lane * row);
        const Result<WarpAccess> access = access_of(by_column, 0);
        ASSERT_TRUE(access);
        EXPECT_EQ(cost_of(*access).wavefronts, wavefronts_by_hand(words)) << row;
    }
}

TEST(AccessPattern, ALaneIsOneThreadOfTheBlockInLinearOrder) {
    // 16 x 16: lanes 16 to 31 are the second row, from word 33 on.
    const Result<WarpAccess> access = access_of(pattern("ty*33 + tx", {16, 16, 1}), 0);
    ASSERT_TRUE(access);
    EXPECT_EQ(access->lanes.bytes[15], 15u * 4);
    EXPECT_EQ(access->lanes.bytes[16], 33u * 4);
    EXPECT_EQ(cost_of(*access).wavefronts, 2u);
    EXPECT_EQ(access_of(pattern("ty*33 + tx", {16, 16, 1}), 1)->lanes.bytes[0], 2u * 33 * 4);
    EXPECT_EQ(warps_of(pattern("tx", {16, 16, 1})), 8u);
    EXPECT_EQ(warps_of(pattern("tx", {5, 7, 1})), 2u);
    EXPECT_EQ(access_of(pattern("tx", {5, 7, 1}), 1)->lanes.mask, 0b111u);  // 35 threads
}

TEST(AccessPattern, LanesWithANegativeIndexAreInactive) {
    const Result<WarpAccess> access = access_of(pattern("lane < 4 ? lane : -1"), 0);
    ASSERT_TRUE(access);
    EXPECT_EQ(access->lanes.mask, 0xfu);
    const AccessPattern none = pattern("-1");
    EXPECT_EQ(pattern_sentence(none, 0, *access_of(none, 0), default_generation()),
              "Warp 0 takes no part: every index is negative.");
}

TEST(AccessPattern, PaddingShiftsEachRowToOtherBanks) {
    AccessPattern by_column = pattern("tx*32 + ty");
    EXPECT_EQ(cost_of(*access_of(by_column, 0)).wavefronts, 32u);
    EXPECT_EQ(**least_pad(by_column, default_generation()), 1);
    by_column.layout.pad = 1;
    EXPECT_EQ(access_of(by_column, 0)->lanes.bytes[3], 3u * 33 * 4);
    EXPECT_EQ(cost_of(*access_of(by_column, 0)).wavefronts, 1u);
    by_column.layout.pad = 2;  // 34 words a row: rows 16 apart meet
    EXPECT_EQ(cost_of(*access_of(by_column, 0)).wavefronts, 2u);
}

TEST(AccessPattern, ASwizzleRemovesConflictsWithoutPadding) {
    AccessPattern by_column = pattern("tx*32 + ty");
    by_column.layout.swizzle = 32;
    const Result<WarpAccess> access = access_of(by_column, 3);  // ty is 3
    ASSERT_TRUE(access);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(access->lanes.bytes[lane], (lane * 32 + (3 ^ lane)) * 4);
    EXPECT_EQ(cost_of(*access).wavefronts, 1u);
    // Rows, too, are still read without a conflict.
    AccessPattern by_row = pattern("ty*32 + tx");
    by_row.layout.swizzle = 32;
    EXPECT_EQ(block_cost(by_row, default_generation())->bank_conflicts, 0u);
}

TEST(AccessPattern, PaddingDoesNotRemoveConflictsWithinARow) {
    // Two words 32 apart in one row, whatever follows it.
    AccessPattern halves = pattern("ty*64 + tx % 2 * 32", {32, 1, 1});
    halves.layout.row = 64;
    const auto pad = least_pad(halves, default_generation());
    ASSERT_TRUE(pad);
    EXPECT_FALSE(pad->has_value());
}

TEST(AccessPattern, TheBlockIsTheSumOfItsWarps) {
    const PatternCost cost = *block_cost(pattern("tx*32 + ty"), default_generation());
    EXPECT_EQ(cost.requests, 8u);
    EXPECT_EQ(cost.wavefronts, 8u * 32);
    EXPECT_EQ(cost.bank_conflicts, 8u * 31);
    AccessPattern global = pattern("tx*1024 + ty");
    global.space = Space::kGlobal;
    EXPECT_EQ(block_cost(global, default_generation())->sectors, 8u * 32);
}

TEST(AccessPattern, SaysWhatItCosts) {
    const auto sentence = [](AccessPattern of, Space space = Space::kShared) {
        of.space = space;
        return pattern_sentence(of, 0, *access_of(of, 0), default_generation());
    };
    EXPECT_EQ(
        sentence(pattern("tx")),
        "Warp 0 reads 32 words in 32 banks; no bank serves two words, so it takes 1 wavefront.");
    EXPECT_EQ(sentence(pattern("0")),
              "Warp 0 reads 1 word in 1 bank; no bank serves two words, so it takes 1 wavefront.");
    EXPECT_EQ(sentence(pattern("ty*33 + tx", {16, 16, 1})),
              "Warp 0 reads 32 words in 17 banks; 15 banks serve 2 words one after the other, so "
              "it takes 2 wavefronts where 1 would do: 1 conflict.");
    EXPECT_EQ(sentence(pattern("tx"), Space::kGlobal),
              "Warp 0 reads 128 bytes and moves 128 bytes, 4 sectors: 100 % of them are used.");
    EXPECT_EQ(sentence(pattern("2*tx"), Space::kGlobal),
              "Warp 0 reads 128 bytes and moves 256 bytes, 8 sectors: 50 % of them are used.");
}

TEST(AccessPattern, RefusesImpossibleBlocksAndLayouts) {
    const auto problem = [](const AccessPattern& of) {
        const Status sound = check_pattern(of);
        return sound ? std::string("sound") : sound.error().message;
    };
    EXPECT_EQ(problem(pattern("tx", {64, 32, 1})),
              "a block of 2,048 threads; a GPU takes at most 1,024");
    EXPECT_EQ(problem(pattern("tx", {0, 1, 1})), "a block is 0 threads wide; use 1 to 1,024");
    AccessPattern odd = pattern("tx");
    odd.layout = {.row = 24, .swizzle = 8};
    EXPECT_NE(problem(odd).find("powers of 2"), std::string::npos);
    odd.layout = {.row = 32, .swizzle = 16, .swizzle_unit = 4};
    EXPECT_NE(problem(odd).find("does not fit a row of 32"), std::string::npos);
    odd.layout = {.row = 0};
    EXPECT_NE(problem(odd), "sound");
    EXPECT_NE(access_of(pattern("tx * 4294967296"), 0).error().message.find("beyond 4 GiB"),
              std::string::npos);
}

TEST(AccessPattern, ThePresetsAreSound) {
    for (const PatternPreset& preset : pattern_presets()) {
        AccessPattern of = pattern(preset.index, preset.block);
        of.space = preset.space;
        of.width_bytes = preset.width_bytes;
        of.layout.row = preset.row;
        EXPECT_TRUE(check_pattern(of)) << preset.title;
        EXPECT_TRUE(block_cost(of, default_generation())) << preset.title;
    }
}

}  // namespace
}  // namespace tilereel::access_pattern_test
