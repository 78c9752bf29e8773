// What a lecturer may write as a check, and what a mistake says.
#include "app/exercise/requirement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tilereel::requirement_test {
namespace {

using ::testing::HasSubstr;
using Kind = Requirement::Kind;

Result<Requirement> read(const std::string& words) {
    return requirement_of_words(words, {"out"}, {"rows", "n"});
}

TEST(Requirement, EachKindIsRead) {
    EXPECT_EQ(read("out is right")->kind, Kind::kRight);
    EXPECT_EQ(read("no findings")->kind, Kind::kNoFindings);
    EXPECT_EQ(read("no errors")->kind, Kind::kNoErrors);
    const Result<Requirement> fewer =
        read("at least 4 x fewer global_load.sectors than handed out");
    ASSERT_TRUE(fewer);
    EXPECT_EQ(fewer->kind, Kind::kFewer);
    EXPECT_EQ(fewer->name, "global_load.sectors");
    EXPECT_EQ(fewer->factor, 4);
}

TEST(Requirement, ACounterHasASignAndALimit) {
    struct Case {
        const char* words;
        const char* name;
        Comparison comparison;
        const char* limit;
    };
    for (const Case& each :
         {Case{"shared.bank_conflicts == 0", "shared.bank_conflicts", Comparison::kEqual, "0"},
          Case{"global_load.sectors<=rows * n/8", "global_load.sectors", Comparison::kAtMost,
               "rows * n/8"},
          Case{"barriers per phase < 3", "barriers per phase", Comparison::kBelow, "3"},
          Case{"lanes on >= 90 %", "lanes on", Comparison::kAtLeast, "90"},
          Case{"launches > 0", "launches", Comparison::kAbove, "0"}}) {
        const Result<Requirement> made = read(each.words);
        ASSERT_TRUE(made) << each.words << ": " << made.error().message;
        EXPECT_EQ(made->name, each.name);
        EXPECT_EQ(made->comparison, each.comparison) << each.words;
        EXPECT_EQ(made->limit, each.limit);
    }
}

TEST(Requirement, AMistakeSaysWhatCanBeWritten) {
    const auto says = [](const std::string& words) {
        const Result<Requirement> made = read(words);
        return made ? std::string("accepted") : made.error().message;
    };
    EXPECT_THAT(says("it is fast"), HasSubstr("\"no findings\""));
    EXPECT_THAT(says("shared.conflicts == 0"), HasSubstr("shared.bank_conflicts"));
    EXPECT_THAT(says("C is right"), HasSubstr("those are: out"));
    EXPECT_THAT(says("barriers <= m"), HasSubstr("the sizes are n, rows"));
    EXPECT_THAT(says("barriers <= 2 2"), HasSubstr("no expression"));
    EXPECT_THAT(says("at least 4 fewer barriers than handed out"), HasSubstr("4 x fewer"));
}

// As C computes them with doubles.
TEST(Requirement, ExpressionsFollowTheRulesOfC) {
    const NamedNumbers sizes = {{"n", 96}, {"rows", 5}};
    for (const auto& [text, value] :
         std::initializer_list<std::pair<const char*, double>>{{"2 + 3 * 4", 14},
                                                               {"(2 + 3) * 4", 20},
                                                               {"n / 8 / 2 - 1", 5},
                                                               {"rows * (n - 16) / 32", 12.5},
                                                               {"1e3", 1000},
                                                               {"-3 + n", 93}}) {
        const Result<double> made = value_of_expression(text, sizes);
        ASSERT_TRUE(made) << text;
        EXPECT_EQ(*made, value) << text;
    }
    for (const std::string& text :
         {std::string("1 / 0"), std::string(""), std::string("n n"), std::string("nan"),
          std::string("("), std::string(1'000'000, '(')})
        EXPECT_FALSE(value_of_expression(text, sizes)) << text.substr(0, 20);
}

}  // namespace
}  // namespace tilereel::requirement_test
