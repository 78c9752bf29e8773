// The Pattern lab's model. Expected counts follow from 32 banks of 4 bytes: the wavefronts of a
// request are the most distinct words that one bank must give.
#include "app/workbench/view/pattern_lab.h"

#include <gtest/gtest.h>

namespace tilereel::pattern_lab_test {
namespace {

PatternQuestion in_block(const std::string& expression, std::int64_t x, std::int64_t y) {
    PatternQuestion question;
    question.expression = expression;
    question.block = {x, y, 1};
    return question;
}

std::uint32_t wavefronts(const PatternQuestion& question) {
    PatternLab lab;
    lab.ask(question);
    EXPECT_EQ(lab.problem(), "");
    return lab.answer().cost.wavefronts;
}

TEST(PatternLab, CountsTheClassicalPatterns) {
    EXPECT_EQ(wavefronts(in_block("lane", 32, 8)), 1u);
    EXPECT_EQ(wavefronts(in_block("2*lane", 32, 8)), 2u);       // 16 banks, two words each
    EXPECT_EQ(wavefronts(in_block("tx*32 + ty", 32, 8)), 32u);  // all in one bank
    EXPECT_EQ(wavefronts(in_block("tx*33 + ty", 32, 8)), 1u);
    EXPECT_EQ(wavefronts(in_block("ty*33 + tx", 32, 32)), 1u);
    EXPECT_EQ(wavefronts(in_block("ty*33 + tx", 16, 16)), 2u);  // banks 1 to 15 twice
    EXPECT_EQ(wavefronts(in_block("5", 32, 8)), 1u);            // broadcast
}

TEST(PatternLab, FindsTheLeastPaddingAndSwizzlesWithoutConflicts) {
    PatternLab lab;
    lab.ask(in_block("tx*32 + ty", 32, 8));
    ASSERT_TRUE(lab.answer().least_pad);
    EXPECT_EQ(*lab.answer().least_pad, 1);  // rows of 33 words: 33 is odd
    PatternQuestion next = lab.question();
    next.layout.pad = 1;
    EXPECT_EQ(wavefronts(next), 1u);
    next.layout.pad = 0;
    next.layout.swizzle = 32;  // column x ^ y: each row of a column in another bank
    EXPECT_EQ(wavefronts(next), 1u);
}

// Compute capability 1.x: 16 banks, requests of a half-warp.
TEST(PatternLab, FollowsTheGenerationThatIsChosen) {
    PatternQuestion question = in_block("lane", 32, 8);
    question.generation = "1.1";
    EXPECT_EQ(wavefronts(question), 2u);
    question.generation = "9.0";
    EXPECT_EQ(wavefronts(question), 1u);
}

// 32 lanes a row of 4,096 bytes apart: a sector of 32 bytes each.
TEST(PatternLab, CountsSectorsAndLinesOfGlobalMemory) {
    PatternQuestion question = in_block("tx*1024", 32, 8);
    question.space = Space::kGlobal;
    PatternLab lab;
    lab.ask(question);
    EXPECT_EQ(lab.answer().cost.sectors, 32u);
    EXPECT_EQ(lab.answer().cost.lines, 32u);
    question.expression = "tx";
    lab.ask(question);
    EXPECT_EQ(lab.answer().cost.sectors, 4u);
    EXPECT_EQ(lab.answer().cost.lines, 1u);
    question.expression = "tx + 1";
    lab.ask(question);
    EXPECT_EQ(lab.answer().cost.sectors, 5u);
    EXPECT_EQ(lab.answer().cost.lines, 2u);
}

TEST(PatternLab, AWrongExpressionSaysWhereAndKeepsTheLastAnswer) {
    PatternLab lab;
    lab.ask(in_block("2*lane", 32, 8));
    lab.ask(in_block("2*lane + row", 32, 8));
    EXPECT_NE(lab.problem().find("letter 10 of the expression: 'row'"), std::string::npos)
        << lab.problem();
    ASSERT_TRUE(lab.wrong_at());
    EXPECT_EQ(*lab.wrong_at(), 9u);
    EXPECT_EQ(lab.question().expression, "2*lane + row");
    EXPECT_EQ(lab.answered().expression, "2*lane");
    EXPECT_EQ(lab.answer().cost.wavefronts, 2u);
    lab.ask(in_block("2*(lane", 32, 8));
    EXPECT_NE(lab.problem().find("letter 8 of the expression: ')' is missing"), std::string::npos)
        << lab.problem();
    EXPECT_EQ(lab.wrong_at(), 7u);
    lab.ask(in_block("lane / (tx - tx)", 32, 8));  // a division by 0, without a syntax error
    EXPECT_NE(lab.problem(), "");
    EXPECT_EQ(lab.wrong_at(), std::nullopt);
    lab.ask(in_block("lane", 32, 8));
    EXPECT_EQ(lab.problem(), "");
}

TEST(PatternLab, AdaptsTheWarpAndTheSwizzle) {
    PatternQuestion question = in_block("lane", 32, 32);
    question.warp = 31;
    question.block = {16, 16, 1};  // 8 warps
    question.layout = {.row = 64, .swizzle = 32, .swizzle_unit = 4};
    PatternLab lab;
    lab.ask(question);
    EXPECT_EQ(lab.question().warp, 7u);
    EXPECT_EQ(lab.question().layout.swizzle, 16);  // 16 rows x 4 elements = 64
    question.layout.row = 33;
    lab.ask(question);
    EXPECT_EQ(lab.question().layout.swizzle, 1);
    EXPECT_EQ(lab.problem(), "");
}

// 64 rows of 64 elements of 2 bytes: 8 rows of a matrix meet in one slot of 16 bytes.
TEST(PatternLab, TakesMatrixLoadsOfALayout) {
    PatternQuestion question =
        with_operation(in_block("ty*33 + tx", 16, 16), Operation::kMatrixLoad);
    EXPECT_EQ(question.expression, "(64,64):(64,1)") << "the first preset of matrices";
    EXPECT_EQ(question.width_bytes, 2u);
    PatternLab lab;
    lab.ask(question);
    ASSERT_EQ(lab.problem(), "");
    EXPECT_EQ(lab.answer().requests, 16u);
    EXPECT_EQ(lab.answer().cost.wavefronts, 32u);
    EXPECT_EQ(lab.question().layout.row, 64) << "the rows of the layout";
    for (const PatternNeighbour& each : lab.neighbours()) {
        EXPECT_TRUE(each.question.of_matrices()) << each.title;
        EXPECT_TRUE(each.in_blocks[1]) << each.question.expression;
    }
    question.warp = 99;
    lab.ask(question);
    EXPECT_EQ(lab.question().warp, 15u);
    // PAD keeps the rows aligned to 16 bytes, and a swizzle the rows of a matrix whole.
    question.layout.pad = 13;
    question.layout.swizzle = 8;
    lab.ask(question);
    ASSERT_EQ(lab.problem(), "");
    EXPECT_EQ(lab.question().layout.pad, 8);
    EXPECT_EQ(lab.question().layout.swizzle_unit, 8);
    ASSERT_TRUE(lab.answer().plain);
    EXPECT_EQ(lab.answer().plain->wavefronts, 32u);
    // Back: a layout is also an index of the threads.
    EXPECT_EQ(with_operation(lab.question(), Operation::kStore).expression, "(64,64):(64,1)");
    EXPECT_EQ(with_operation(in_block("lane", 32, 8), Operation::kStore).expression, "lane");
    question.expression = "lane%16*64 + lane/16*8";
    EXPECT_EQ(with_operation(question, Operation::kLoad).expression, pattern_presets()[0].index);
}

TEST(PatternLab, ThePresetsFollowOneAnother) {
    PatternQuestion question;  // pattern_presets()[5]
    question.generation = "1.3";
    const std::size_t count = pattern_presets().size();
    PatternQuestion next = next_preset(question, 1);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(next.expression, pattern_presets()[(i + 6) % count].index);
        EXPECT_EQ(next.generation, "1.3");
        next = next_preset(next, 1);
    }
    EXPECT_EQ(next_preset(next_preset(question, 1), -1).expression, question.expression);
}

}  // namespace
}  // namespace tilereel::pattern_lab_test
