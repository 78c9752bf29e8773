#include "instrumentation/gpu/ptx/module/ptx_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"

namespace tilereel::gpu::ptx_text_test {
namespace {

using testing::ElementsAre;

std::vector<PtxKind> kinds(std::string_view text) {
    std::vector<PtxKind> result;
    for (const PtxStatement& statement : ptx_statements(text)) result.push_back(statement.kind);
    return result;
}

TEST(PtxText, AFunctionIsTakenApart) {
    EXPECT_THAT(
        kinds(".version 9.0\n.target sm_90\n.visible .entry k(.param .u64 p)\n{\n"
              ".reg .b32 %r<3>;\n.loc 1 2 3\n$L__BB0_1:\n@!%p1 bra $L__BB0_1;\nret;\n}\n"
              ".file 1 \"a.cu\"\n"),
        ElementsAre(PtxKind::kDirective, PtxKind::kDirective, PtxKind::kFunction, PtxKind::kOpen,
                    PtxKind::kDirective, PtxKind::kLocation, PtxKind::kLabel, PtxKind::kInstruction,
                    PtxKind::kInstruction, PtxKind::kClose, PtxKind::kFile));
}

TEST(PtxText, APrototypeHasNoBody) {
    EXPECT_THAT(kinds(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);"),
                ElementsAre(PtxKind::kPrototype));
}

TEST(PtxText, DoubleColonsBelongToAWordAndSingleOnesToALabel) {
    const auto statements = ptx_statements("a: ld.shared::cta.b32 %r1, [%r2];");
    ASSERT_EQ(statements.size(), 2u);
    EXPECT_EQ(statements[0].kind, PtxKind::kLabel);
    EXPECT_EQ(statements[1].tokens[0], "ld.shared::cta.b32");
}

TEST(PtxText, ALocationEndsWithItsLine) {
    const auto statements =
        ptx_statements(".loc 1 28 13, function_name $L0, inlined_at 2 3 4\nret;");
    ASSERT_EQ(statements.size(), 2u);
    EXPECT_EQ(statements[0].tokens.back(), "4");
    EXPECT_EQ(statements[1].tokens[0], "ret");
}

TEST(PtxText, CommentsAndDebugSectionsAreLeftOut) {
    EXPECT_THAT(kinds("// st.global.b32 [%r1], 1;\n/* ret; */ ret;\n.section .debug_str\n{\n.b8 "
                      "95\n}\nexit;"),
                ElementsAre(PtxKind::kInstruction, PtxKind::kInstruction));
}

TEST(PtxText, BracesWithinAnInstructionOrAnInitialiserOpenNoBlock) {
    EXPECT_THAT(kinds("st.global.v2.f32 [%rd1], {%f1, %f2};\n.global .align 4 .b8 t[2] = {1, 2};"),
                ElementsAre(PtxKind::kInstruction, PtxKind::kVariable));
}

TEST(PtxText, ParsingInvalidTextEnds) {
    EXPECT_LE(ptx_statements("}} ; {{ \" .loc").size(), 16u);  // a character each at most
    EXPECT_TRUE(ptx_statements("").empty());
}

PtxInstruction instruction(std::string_view text) {
    static std::string kept;
    kept = text;
    return ptx_instruction(ptx_statements(kept).at(0));
}

TEST(PtxInstruction, GuardPartsAndOperandsAreRead) {
    const PtxInstruction st = instruction("@!%p3 st.global.v2.f32 [%rd1+-8], {%f1, 0f3F800000};");
    EXPECT_EQ(st.guard, "@!%p3");
    EXPECT_THAT(st.parts, ElementsAre("st", "global", "v2", "f32"));
    ASSERT_EQ(st.operands.size(), 2u);
    EXPECT_EQ(st.operand(1), "{%f1,0f3F800000}");
    EXPECT_EQ(ptx_type(st)->bytes(), 8u);
    EXPECT_EQ(ptx_address(st.operands[0])->base, "%rd1");
    EXPECT_EQ(ptx_address(st.operands[0])->offset, "-8");
}

TEST(PtxInstruction, ABarrierHasNoType) { EXPECT_FALSE(ptx_type(instruction("bar.sync 0;"))); }

}  // namespace
}  // namespace tilereel::gpu::ptx_text_test
