// Layouts and swizzles of CuTe. Expected: the definition, evaluated here digit by digit and bit by
// bit ("CuTe Layouts" and "CuTe Layout Algebra" of the CUTLASS documentation).
#include "instrumentation/analysis/source/cute_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "instrumentation/analysis/source/pattern_index.h"

namespace tilereel::cute_layout_test {
namespace {

CuteLayout layout(const char* text) {
    auto made = CuteLayout::parse(text);
    EXPECT_TRUE(made) << text << ": " << (made ? "" : made.error().message);
    return made ? *std::move(made) : CuteLayout{};
}

std::int64_t at(const CuteLayout& of, std::int64_t row, std::int64_t column) {
    const std::array coordinate = {row, column};
    return of.offset(coordinate);
}

TEST(CuteLayout, MapsRowsAndColumns) {
    const CuteLayout rows = layout("(8,32):(32,1)");
    EXPECT_EQ(rows.size(), 256);
    for (std::int64_t r = 0; r < 8; ++r)
        for (std::int64_t c = 0; c < 32; ++c) {
            EXPECT_EQ(at(rows, r, c), 32 * r + c);
            EXPECT_EQ(rows.offset(r + 8 * c), 32 * r + c) << "the first mode counts fastest";
        }
}

TEST(CuteLayout, ATupleInAModeIsOneCoordinate) {
    // Blocks of 8 x 8 elements, one below the other and then beside each other.
    const CuteLayout blocks = layout("((8,2),(8,4)):((8,64),(1,128))");
    ASSERT_EQ(blocks.modes().size(), 2u);
    EXPECT_EQ(blocks.size(0), 16);
    EXPECT_EQ(blocks.size(1), 32);
    std::set<std::int64_t> offsets;
    for (std::int64_t r = 0; r < 16; ++r)
        for (std::int64_t c = 0; c < 32; ++c) {
            EXPECT_EQ(at(blocks, r, c), r % 8 * 8 + r / 8 * 64 + c % 8 + c / 8 * 128);
            offsets.insert(at(blocks, r, c));
        }
    EXPECT_EQ(offsets.size(), 512u);
    EXPECT_EQ(*offsets.rbegin(), 511);
}

TEST(CuteLayout, WithoutStridesTheFirstModeIsContiguous) {
    const CuteLayout columns = layout("(4,(2,3))");
    for (std::int64_t i = 0; i < 24; ++i) EXPECT_EQ(columns.offset(i), i);
    EXPECT_EQ(layout("(8,32)").offset(9), layout("(8,32):(1,8)").offset(9));
}

TEST(CuteLayout, TakesWhatCutePrints) {
    EXPECT_EQ(at(layout("(_8,_64):(_64,_1)"), 3, 5), 3 * 64 + 5);
    EXPECT_EQ(layout(" 16 : 4 ").offset(3), 12);
    EXPECT_EQ(layout("((4,2)):((1,8))").offset(5), 9);
}

TEST(CuteLayout, SaysWhatIsWrongAndWhere) {
    const auto expect = [](const char* text, std::size_t where, const char* words) {
        std::size_t wrong_at = 99;
        const auto made = CuteLayout::parse(text, &wrong_at);
        ASSERT_FALSE(made) << text;
        EXPECT_EQ(wrong_at, where) << text;
        EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
    };
    expect("(8,32):(32,1", 12, "',' or ')' is missing, it ends");
    expect("(8,32):", 7, "a stride, or '(' is missing, it ends");
    expect("(8,x):(1,8)", 3, "'x' stands there");
    expect("(8,32):(32)", 7, "do not have the form of the shape");
    expect("(8,(2,16)):(32,1)", 15, "do not have the form of the shape");
    expect("(0,32):(32,1)", 1, "a shape is 1 or more");
    expect("(8,32):(32,1) o", 14, "the end is missing");
    expect("(65536,65536,65536)", 0, "larger than 4 GiB");
    expect("(2,2):(4294967296,1)", 0, "larger than 4 GiB");
    expect("(9999999999999999999,1)", 1, "not from 0 to");
}

// Bit by bit: bit M + i of the result is that bit XOR bit M + S + i.
std::int64_t swizzled_by_bits(std::int64_t offset, int bits, int base, int shift) {
    std::int64_t result = offset;
    for (int i = 0; i < bits; ++i) {
        const int to = shift > 0 ? base + i : base - shift + i;
        const int from = shift > 0 ? base + shift + i : base + i;
        if ((offset >> from & 1) != 0) result ^= std::int64_t{1} << to;
    }
    return result;
}

TEST(CuteSwizzle, XorsTheBitsAboveIntoThoseBelow) {
    for (const auto& [bits, base, shift] :
         {std::array{3, 3, 3}, {2, 3, 3}, {3, 4, 3}, {1, 0, 5}, {5, 0, 5}, {3, 3, -3}, {0, 2, 2}}) {
        const CuteSwizzle swizzle{bits, base, shift};
        std::set<std::int64_t> places;
        for (std::int64_t offset = 0; offset < 4096; ++offset) {
            EXPECT_EQ(swizzle(offset), swizzled_by_bits(offset, bits, base, shift))
                << swizzle_text(swizzle) << " of " << offset;
            places.insert(swizzle(offset));
        }
        EXPECT_EQ(places.size(), 4096u) << "no two elements share a place";
    }
    // Rows of 64 elements in pieces of 8: piece p of row r lies at p XOR r % 8.
    for (std::int64_t r = 0; r < 16; ++r)
        for (std::int64_t p = 0; p < 8; ++p)
            EXPECT_EQ((CuteSwizzle{3, 3, 3}(64 * r + 8 * p)), 64 * r + 8 * (p ^ r % 8));
}

TEST(PatternIndex, ASwizzleStandsBeforeALayoutOrAnIndex) {
    const auto parsed = [](const char* text) {
        auto made = PatternIndex::parse(text);
        EXPECT_TRUE(made) << text << ": " << (made ? "" : made.error().message);
        return *std::move(made);
    };
    const PatternIndex composed = parsed("Swizzle<3,3,3> o (64,64):(64,1)");
    EXPECT_EQ(composed.swizzle(), (CuteSwizzle{3, 3, 3}));
    ASSERT_NE(composed.layout(), nullptr);
    EXPECT_EQ(composed.swizzled(64 + 8), 64);
    const PatternIndex printed = parsed("Sw<3,3,3> o _16 o (_64,_64):(_64,_1)");
    EXPECT_EQ(printed.swizzled(48), 64 + 8) << "16 is added first: 64 XOR 8";
    const PatternIndex index = parsed("Swizzle<1,0,5> o ty*32 + tx");
    ASSERT_NE(index.expression(), nullptr);
    EXPECT_EQ(index.swizzled(33), 32);
    EXPECT_EQ(parsed("tx < 3 ? tx : (ty)").layout(), nullptr) << "a colon, but of a condition";
    EXPECT_EQ(parsed("ty*33 + tx").swizzle(), CuteSwizzle{});
}

TEST(PatternIndex, SaysWhatIsWrongInASwizzle) {
    const auto expect = [](const char* text, std::size_t where, const char* words) {
        std::size_t wrong_at = 99;
        const auto made = PatternIndex::parse(text, &wrong_at);
        ASSERT_FALSE(made) << text;
        EXPECT_EQ(wrong_at, where) << text;
        EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
    };
    expect("Swizzle<3,3> o (8,8)", 11, "',' is missing, '>' stands there");
    expect("Swizzle<3,3,2> o (8,8)", 8, "S is at least B");
    expect("Swizzle<3,3,3> (8,8)", 15, "'o' and a layout or an index is missing");
    expect("Swizzle<99,3,3> o (8,8)", 8, "B from 0 to 16");
    // Letters count from the first one of the whole text.
    expect("Swizzle<3,3,3> o (8,x)", 20, "letter 21 of the expression");
    expect("Swizzle<3,3,3> o tx*", 20, "letter 21 of the expression");
}

TEST(PatternIndex, ATextTakesAnotherSwizzle) {
    EXPECT_EQ(with_swizzle("(64,64):(64,1)", {3, 3, 3}), "Swizzle<3,3,3> o (64,64):(64,1)");
    EXPECT_EQ(with_swizzle("Swizzle<1,3,3> o (64,64):(64,1)", {3, 3, 3}),
              "Swizzle<3,3,3> o (64,64):(64,1)");
    EXPECT_EQ(with_swizzle("Swizzle<3,3,3> o tx", {}), "tx");
    EXPECT_EQ(with_swizzle("Sw<3,3,3> o _16 o (8,8)", {2, 3, 3}), "Swizzle<2,3,3> o 16 o (8,8)");
}

}  // namespace
}  // namespace tilereel::cute_layout_test
