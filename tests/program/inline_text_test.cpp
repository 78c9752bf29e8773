// The text of asm statements: PTX ISA, "Syntax", "Instruction Operands", "Constants".
#include "instrumentation/cuda/runtime/inline_ptx/inline_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

namespace tilereel::runtime::inline_text_test {
namespace {

PtxText read_all(std::string_view text, std::string_view constraints) {
    const Result<PtxText> read = read_ptx(text, constraints, true);
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return read ? *read : PtxText{};
}
std::string mistake(std::string_view text, std::string_view constraints) {
    const Result<PtxText> read = read_ptx(text, constraints, true);
    return read ? "none" : read.error().message;
}

TEST(InlinePtxText, AnInstructionHasWordsAndOperands) {
    const PtxText text = read_all(
        "{ .reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0 + 8], %1;  // waits\n}",
        "rr");
    ASSERT_EQ(text.instructions.size(), 1u);
    const PtxInstruction& wait = text.instructions[0];
    EXPECT_EQ(wait.words,
              (std::vector<std::string>{"mbarrier", "try_wait", "parity", "shared::cta", "b64"}));
    ASSERT_EQ(wait.operands.size(), 3u);
    EXPECT_EQ(wait.operands[0].slot, 2u);  // behind the two operands
    EXPECT_EQ(wait.operands[0].type, PtxType::kPredicate);
    EXPECT_EQ(wait.operands[1].kind, PtxOperandKind::kAddress);
    EXPECT_EQ(wait.operands[1].terms, 2u);
    EXPECT_EQ(wait.operands[1].parts[1].bits, 8u);
    EXPECT_EQ(wait.text, "mbarrier.try_wait.parity.shared::cta.b64 p, [%0 + 8], %1");
    EXPECT_EQ(text.slots, 3u);
}

TEST(InlinePtxText, PercentSignsAreDoubledOnlyWithOperands) {
    const PtxText text = read_all("mov.u32 %0, %%tid.x;", "r");
    EXPECT_EQ(text.instructions[0].operands[1].name, "%tid.x");
    EXPECT_EQ(text.instructions[0].operands[1].kind, PtxOperandKind::kSpecial);
    EXPECT_TRUE(read_ptx("bar.sync 0;", "", false));
}

TEST(InlinePtxText, GuardsVectorsPairsAndTheSink) {
    const PtxText text = read_all(
        "{.reg .pred p, q; @!p mma.sync.x {%0, %1}, {_, 5}, q|p; @q bra END; END: }", "ff");
    const PtxInstruction& first = text.instructions[0];
    EXPECT_EQ(first.guard, 2);
    EXPECT_TRUE(first.guard_is_negated);
    EXPECT_EQ(first.operands[0].parts[1].slot, 1u);
    EXPECT_EQ(first.operands[1].parts[0].kind, PtxOperandKind::kSink);
    EXPECT_EQ(first.operands[2].kind, PtxOperandKind::kPair);
    EXPECT_EQ(first.operands[2].parts[0].slot, 3u);
    EXPECT_EQ(text.labels.at("END"), 2u);
}

TEST(InlinePtxText, AnInnerScopeHidesARegister) {
    const PtxText text = read_all(
        "{.reg .b32 a<2>; mov.b32 a1, 1; {.reg .b64 a1; mov.b64 a1, 2;} mov.b32 %0, a1;}", "r");
    EXPECT_EQ(text.instructions[0].operands[0].slot, 2u);
    EXPECT_EQ(text.instructions[1].operands[0].slot, 3u);
    EXPECT_EQ(text.instructions[2].operands[1].slot, 2u);
}

TEST(InlinePtxText, NumbersOfEveryKind) {
    const auto number = [](const std::string& text) {
        return read_all("mov.b64 %0, " + text + ";", "l").instructions[0].operands[1];
    };
    EXPECT_EQ(number("0x1F").bits, 31u);
    EXPECT_EQ(number("0b101").bits, 5u);
    EXPECT_EQ(number("017").bits, 15u);
    EXPECT_EQ(number("42U").bits, 42u);
    EXPECT_EQ(number("-1").bits, ~std::uint64_t{0});
    EXPECT_TRUE(number("0f3F800000").is_float);
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(number("-0f3F800000").bits)), -1.0f);
    EXPECT_EQ(std::bit_cast<double>(number("0d4000000000000000").bits), 2.0);
    EXPECT_EQ(std::bit_cast<double>(number("2.5").bits), 2.5);
}

TEST(InlinePtxText, MistakesAreSentences) {
    EXPECT_EQ(mistake("add.s32 %0, %1, %3;", "rrr"), "names the operand %3, but has 3");
    EXPECT_EQ(mistake("add.s32 %0, x, 1;", "r"),
              "uses x, which is neither a register nor a label of the statement");
    EXPECT_EQ(mistake("{ mov.b32 %0, 1;", "r"), "has a { without its }");
    EXPECT_EQ(mistake("mov.b32 %0, 1", "r"), "has its end where \";\" should stand");
    EXPECT_EQ(mistake("mov.b32 %0, 12x;", "r"), "has the number 12x, which PTX does not have");
    EXPECT_EQ(mistake(".shared .b8 s[4];", ""),
              "declares a variable (.shared), which Tilereel does not take in inline PTX: declare "
              "it in CUDA C++");
    EXPECT_EQ(mistake("mov.b32 %0, 1; }", "r"), "has a } without its {");
    EXPECT_EQ(mistake("/* mov", ""), "has a comment that does not end");
    EXPECT_EQ(mistake("@1 mov.b32 %0, 1;", "r"), "has a guard @ that is no register");
}

// Random changes of statements neither crash nor hang.
TEST(InlinePtxText, AnyTextIsReadOrRefused) {
    const std::string whole =
        "{ .reg .pred p; .reg .b32 r<4>; L: setp.lt.s32 p|q, r0, -0x7; @!p bra L; "
        "mma.sync.aligned.m16n8k16 {%0, _}, [%1 + 4 * 2, {r1, r2}], 0f00000000, 1.5e-3; }";
    std::mt19937 random(7);
    std::uint64_t refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = whole;
        for (int change = 0; change < 3; ++change) {
            const std::size_t at = random() % text.size(), count = random() % 6;
            if (random() % 2 == 0)
                text.erase(at, count);
            else
                text.insert(at, whole.substr(random() % whole.size(), count));
            if (text.empty()) text = " ";
        }
        refused += !read_ptx(text, "rl", random() % 2 == 0);
    }
    EXPECT_GT(refused, 10'000u);
}

}  // namespace
}  // namespace tilereel::runtime::inline_text_test
