// Matrix loads and stores of layouts and indices. Expected: what an H100 counted
// (tests/hardware/h100_matrix_accesses.csv), and a computation of its own: a row of a matrix is 16
// bytes in one of the 8 slots of a line of 128, and a matrix needs as many wavefronts as rows meet
// in a slot.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "instrumentation/analysis/cost/matrix_loads.h"
#include "instrumentation/analysis/cost/pattern_answer.h"

namespace tilereel::matrix_pattern_test {
namespace {

AccessPattern pattern(const std::string& text, std::uint32_t matrices = 4) {
    AccessPattern made;
    auto index = PatternIndex::parse(text);
    EXPECT_TRUE(index) << text << ": " << (index ? "" : index.error().message);
    if (index) made.index = *std::move(index);
    made.block = {32, 1, 1};
    made.operation = Operation::kMatrixLoad;
    made.width_bytes = 2;
    made.matrices = matrices;
    return made;
}

PatternAnswer answer(const AccessPattern& of, std::uint32_t request = 0) {
    auto made = answer_pattern(of, request, default_generation());
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? *std::move(made) : PatternAnswer{};
}

// The wavefronts of all matrices of 8 rows of 8 elements in a tile, whose element (r, c) lies at
// place(r, c), in elements of 2 bytes.
using Place = std::function<std::int64_t(std::int64_t, std::int64_t)>;
std::uint64_t wavefronts_by_hand(std::int64_t rows, std::int64_t columns, const Place& place) {
    std::uint64_t all = 0;
    for (std::int64_t r0 = 0; r0 < rows; r0 += 8)
        for (std::int64_t c = 0; c < columns; c += 8) {
            std::map<std::int64_t, std::set<std::int64_t>> slots;
            for (std::int64_t r = r0; r < r0 + 8; ++r) {
                const std::int64_t piece = place(r, c) * 2 / 16;
                slots[piece % 8].insert(piece);
            }
            std::size_t most = 0;
            for (const auto& [slot, pieces] : slots) most = std::max(most, pieces.size());
            all += most;
        }
    return all;
}

std::string number(std::int64_t value) { return std::to_string(value); }

TEST(MatrixPattern, CountsTheRowsThatMeetInASlot) {
    for (const std::int64_t rows : {16, 64})
        for (const std::int64_t columns : {16, 32, 64, 128, 256})
            for (const std::int64_t pad : {0, 8, 16, 24, 64})
                for (const std::uint32_t matrices : {1u, 2u, 4u}) {
                    const std::string size = "(" + number(rows) + "," + number(columns) + "):(";
                    const AccessPattern by_stride =
                        pattern(size + number(columns + pad) + ",1)", matrices);
                    AccessPattern by_pad = pattern(size + number(columns) + ",1)", matrices);
                    by_pad.layout.pad = pad;
                    const std::uint64_t expected = wavefronts_by_hand(
                        rows, columns,
                        [&](std::int64_t r, std::int64_t c) { return r * (columns + pad) + c; });
                    const auto requests =
                        static_cast<std::uint64_t>(rows / 8 * columns / 8 / matrices);
                    for (const AccessPattern& each : {by_stride, by_pad}) {
                        const auto cost = block_cost(each, default_generation());
                        ASSERT_TRUE(cost) << cost.error().message;
                        EXPECT_EQ(cost->wavefronts, expected)
                            << rows << " x " << columns << ", " << pad << ", x" << matrices;
                        EXPECT_EQ(cost->requests, requests);
                        EXPECT_EQ(cost->bank_conflicts, expected - requests * matrices);
                    }
                }
}

// Rows of the table of an H100 whose addresses are an index: lane % p * a + lane / p * b.
TEST(MatrixPattern, AgreesWithTheHardware) {
    std::ifstream table(TILEREEL_SOURCE_DIR "/tests/hardware/h100_matrix_accesses.csv");
    std::string line;
    std::getline(table, line);
    std::size_t checked = 0;
    while (std::getline(table, line)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
        constexpr std::size_t kFirstLane = 7;
        const int matrices = std::stoi(fields.at(2));
        std::vector<std::int64_t> bytes;
        for (int lane = 0; lane < 8 * matrices; ++lane)
            bytes.push_back(std::stoll(fields.at(kFirstLane + static_cast<std::size_t>(lane))));
        for (const std::size_t period : {8u, 16u, 32u}) {
            if (period > 8 && bytes.size() < period) continue;
            const std::int64_t a = bytes[1] - bytes[0];
            const std::int64_t b = bytes.size() > period ? bytes[period] - bytes[0] : 0;
            bool fits = a >= 0 && b >= 0;
            for (std::size_t lane = 0; lane < bytes.size(); ++lane)
                fits = fits && bytes[lane] == bytes[0] +
                                                  static_cast<std::int64_t>(lane % period) * a +
                                                  static_cast<std::int64_t>(lane / period) * b;
            if (!fits) continue;
            AccessPattern as_index = pattern(
                number(bytes[0] / 2) + " + lane%" + number(static_cast<std::int64_t>(period)) +
                    "*" + number(a / 2) + " + lane/" + number(static_cast<std::int64_t>(period)) +
                    "*" + number(b / 2),
                static_cast<std::uint32_t>(matrices));
            as_index.operation =
                fields.at(1) == "ldmatrix" ? Operation::kMatrixLoad : Operation::kMatrixStore;
            const PatternAnswer all = answer(as_index);
            EXPECT_EQ(std::to_string(all.cost.wavefronts), fields.at(5)) << "row " << fields.at(0);
            EXPECT_EQ(std::to_string(all.cost.bank_conflicts), fields.at(6));
            ++checked;
            break;
        }
    }
    EXPECT_EQ(checked, 94u) << "rows of the table are an index";
}

// Lane l of x4 names row l % 16, k 8 (l / 16), as in 22 mma_ldmatrix; the loads go down the tile.
TEST(MatrixPattern, ALoadTakesTwoMatricesBelowEachOther) {
    const AccessPattern tile = pattern("(32,32):(32,1)");
    EXPECT_EQ(*requests_of(tile), 4u);
    for (std::uint32_t load = 0; load < 4; ++load) {
        const auto access = access_of(tile, load);
        ASSERT_TRUE(access);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(access->lanes.bytes[lane],
                      2 * (32 * (load % 2 * 16 + lane % 16) + load / 2 * 16 + lane / 16 * 8))
                << load << ", " << lane;
    }
    // 8 rows: four matrices beside each other.
    const auto beside = access_of(pattern("(8,32):(32,1)"), 0);
    ASSERT_TRUE(beside);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(beside->lanes.bytes[lane], 2 * (32 * (lane % 8) + lane / 8 * 8));
    // The columns lie side by side: they are the rows of the matrices.
    const auto by_columns = access_of(pattern("(16,16):(1,16)"), 0);
    ASSERT_TRUE(by_columns);
    EXPECT_EQ(by_columns->lanes.bytes[1], 2 * 16u);
}

// No PAD or swizzle that is smaller than the least one takes all conflicts away, and this one does.
TEST(MatrixPattern, FindsTheLeastPadAndSwizzle) {
    struct Case {
        std::int64_t columns, pad;
        CuteSwizzle swizzle;
    };
    for (const Case& each : {Case{64, 8, {3, 3, 3}},
                             {32, 8, {2, 3, 3}},
                             {128, 8, {3, 3, 4}},
                             {16, 8, {1, 3, 3}},
                             {256, 8, {3, 3, 5}}}) {
        const std::int64_t columns = each.columns;
        const PatternAnswer all =
            answer(pattern("(64," + number(columns) + "):(" + number(columns) + ",1)"));
        ASSERT_TRUE(all.least_pad && all.least_swizzle) << columns;
        EXPECT_EQ(*all.least_pad, each.pad) << columns;
        EXPECT_EQ(*all.least_swizzle, each.swizzle)
            << columns << ": " << swizzle_text(*all.least_swizzle);
        const auto matrices = static_cast<std::uint64_t>(64 / 8 * columns / 8);
        for (std::int64_t pad = 0; pad <= each.pad; pad += 8)
            EXPECT_EQ(wavefronts_by_hand(64, columns,
                                         [&](std::int64_t r, std::int64_t c) {
                                             return r * (columns + pad) + c;
                                         }) == matrices,
                      pad == each.pad);
        for (int bits = 1; bits <= each.swizzle.bits; ++bits)
            for (int base = 3; base < 9; ++base)
                for (int shift = bits; shift < 9; ++shift) {
                    const bool is_free =
                        wavefronts_by_hand(64, columns, [&](std::int64_t r, std::int64_t c) {
                            const std::int64_t offset = r * columns + c;
                            const std::int64_t read =
                                offset >> (base + shift) & ((std::int64_t{1} << bits) - 1);
                            return offset ^ read << base;
                        }) == matrices;
                    if (bits < each.swizzle.bits) {
                        EXPECT_FALSE(is_free) << columns << ": " << bits << base << shift;
                    } else if (CuteSwizzle{bits, base, shift} == each.swizzle) {
                        EXPECT_TRUE(is_free) << columns;
                    }
                }
    }
    const PatternAnswer free = answer(pattern("(64,64):(72,1)"));
    EXPECT_EQ(free.least_pad, 0);
    EXPECT_EQ(free.least_swizzle, CuteSwizzle{});
}

// 23 mma_pipeline: piece p of row r of As, with 64 bytes a row, lies at p XOR r / 2 % 4.
TEST(MatrixPattern, SaysWhatTheSwizzleSaves) {
    const PatternAnswer all = answer(pattern("Swizzle<2,3,3> o (64,32):(32,1)"), 3);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t row = 48 + lane % 16, piece = lane / 16;
        EXPECT_EQ(all.access.lanes.bytes[lane], 64 * row + 16 * (piece ^ row / 2 % 4));
    }
    EXPECT_EQ(all.cost.wavefronts, 4u);
    ASSERT_TRUE(all.plain);
    EXPECT_EQ(all.plain->wavefronts, 16u) << "8 rows in 2 slots";
    EXPECT_EQ(all.sentence,
              "Load 3 reads 4 matrices of 8 rows of 16 bytes; the rows of a matrix lie in 8 slots "
              "of the banks, so it takes 4 wavefronts, one a matrix, and no conflict.");
    EXPECT_EQ(answer(pattern("(64,64):(64,1)")).sentence,
              "Load 0 reads 4 matrices of 8 rows of 16 bytes; up to 8 rows of a matrix meet in one "
              "slot of 16 bytes, so it takes 32 wavefronts where 4 would do: 28 conflicts.");
    EXPECT_FALSE(answer(pattern("(64,64):(64,1)")).plain) << "it has no PAD and no swizzle";
}

TEST(MatrixPattern, OrdinaryAccessesHaveALeastSwizzleToo) {
    AccessPattern by_column = pattern("tx*32 + ty");
    by_column.block = {32, 8, 1};
    by_column.operation = Operation::kLoad;
    by_column.width_bytes = 4;
    EXPECT_EQ(answer(by_column).least_swizzle, (CuteSwizzle{5, 0, 5}));
    // Thread t of a layout accesses what has coordinate t: 8 rows of 32 words, column by column.
    AccessPattern by_layout = by_column;
    by_layout.index = *PatternIndex::parse("(8,32):(32,1)");
    const PatternAnswer all = answer(by_layout);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(all.access.lanes.bytes[lane], 4 * (lane % 8 * 32 + lane / 8));
    EXPECT_EQ(all.cost.wavefronts, 8u) << "4 columns: 8 words in each of 4 banks";
    EXPECT_EQ(all.least_pad, 4) << "rows 4 banks apart";
    EXPECT_EQ(all.least_swizzle, (CuteSwizzle{3, 2, 3}));
}

TEST(MatrixPattern, MistakesAreSentences) {
    const auto expect = [](const AccessPattern& of, const char* words,
                           const char* generation = "9.0") {
        const auto made = answer_pattern(of, 0, *find_generation(generation));
        ASSERT_FALSE(made) << words;
        EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
    };
    expect(pattern("lane*9"),
           "row 1 of matrix 0 (lane 1 of warp 0) begins at byte 18, no multiple");
    expect(pattern("lane - 8"), "lane 0 of warp 0 names no row");
    expect(pattern("(64,64):(68,1)"), "no multiple of 16");
    expect(pattern("64:8"), "a layout of two modes");
    expect(pattern("(64,64):(128,2)"), "no elements of the layout lie side by side");
    expect(pattern("(12,64):(64,1)"), "a tile of 12 rows of 64 elements has no whole matrices");
    expect(pattern("(8,8):(8,1)"), "use fewer matrices a load");
    expect(pattern("Swizzle<1,0,-3> o (64,64):(64,1)"), "keeps 8 of them together (M of 3");
    AccessPattern global = pattern("(64,64):(64,1)");
    global.space = Space::kGlobal;
    expect(global, "access shared memory");
    expect(pattern("(64,64):(64,1)"), "V100 (7.0) has no ldmatrix", "7.0");
    AccessPattern store = pattern("(64,64):(64,1)");
    store.operation = Operation::kMatrixStore;
    expect(store, "came with compute capability 9.0", "8.0");
    const auto beyond = answer_pattern(pattern("(64,64):(64,1)"), 16, default_generation());
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().message, "the tile has 16 loads; use load 0 to 15");
}

}  // namespace
}  // namespace tilereel::matrix_pattern_test
