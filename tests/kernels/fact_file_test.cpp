// The file of facts: the meaning of its keys, and the line of each mistake.
#include "kernels/fact_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tilereel::fact_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A file with a valid fact, which begins at line 3 and has its keys in lines 4 to 8. `more`
// follows.
FactsReading reading_with(const std::string& more,
                          const std::string& text = "A {ratio} and {TILE}.",
                          const std::string& document = "paper") {
    return read_facts(
        "[documents]\npaper = \"A Paper\"\n[[fact]]\nid = \"one\"\nkernels = \"09_tiled\"\ntext = "
        "\"" +
        text + "\"\ndocument = \"" + document + "\"\nsection = \"2\"\n" + more);
}

struct Mistake {
    const char* what;
    FactsReading reading;
    int line;
    const char* says;
};

TEST(FactFile, TheShippedFileHasNoMistake) {
    const FactsReading shipped = read_facts(facts_text());
    for (const FileMistake& mistake : shipped.mistakes)
        ADD_FAILURE() << "kernels/facts.toml, line " << mistake.line << ": " << mistake.sentence;
    EXPECT_FALSE(shipped.facts.empty());
}

TEST(FactFile, FiguresAreValuesQuotientsOrComputedForATile) {
    const FactsReading reading = reading_with(
        "figures = [\n{name = \"ratio\", value = 9, over = 4, unit = \"x\"},\n"
        "{name = \"intensity\", computed = \"flop_per_byte\"}]\nrecorded = \"barriers\"\n"
        "recorded_at_tile = 8\ngroup = \"registers\"\n");
    ASSERT_THAT(reading.mistakes, IsEmpty());
    ASSERT_EQ(reading.facts.size(), 1u);
    const Fact at_8 = fact_at_tile(reading.facts[0], 8), at_16 = fact_at_tile(reading.facts[0], 16);
    EXPECT_EQ(at_8.text, "A 2.25 and 8.");
    EXPECT_EQ(at_8.document, "A Paper");
    EXPECT_THAT(at_8.kernels, ElementsAre("09_tiled"));
    EXPECT_TRUE(at_8.about_registers);
    ASSERT_EQ(at_8.figures.size(), 2u);
    EXPECT_EQ(at_8.figures[0].value, 2.25);
    EXPECT_EQ(at_8.figures[0].unit, "x");
    EXPECT_EQ(at_8.figures[1].value, 2);  // 2MNK FLOP for 2MNK / 8 words of 4 bytes
    EXPECT_EQ(at_16.figures[1].value, 4);
    EXPECT_EQ(at_8.recorded, RecordedFigure::kBarriers);
    EXPECT_EQ(at_16.recorded, RecordedFigure::kNone);
}

TEST(FactFile, LinesOfATextAreOneParagraph) {
    const FactsReading reading = read_facts(
        "[documents]\np = \"P\"\n[[fact]]\nid = \"a\"\ntext = \"\"\"\nOne\ntwo.\n\"\"\"\n"
        "document = \"p\"\nsection = \"1\"\n");
    ASSERT_THAT(reading.mistakes, IsEmpty());
    EXPECT_EQ(reading.facts.at(0).text, "One two.");
}

TEST(FactFile, EachMistakeIsReportedWithItsLine) {
    const std::string ratio = "figures = [{name = \"ratio\", value = 1}]\n";
    const std::string plain = "No figure.";
    for (const Mistake& mistake :
         {Mistake{"no TOML", reading_with("figures 3\n"), 9, "this is no TOML"},
          Mistake{"no such document", reading_with(ratio, plain, "book"), 7,
                  "there is no document \"book\""},
          Mistake{"a figure that is not there", reading_with(""), 6, "there is no figure {ratio}"},
          Mistake{"an open brace", reading_with(ratio, "A {ratio."), 6,
                  "there is no figure {ratio."},
          Mistake{"no full stop", reading_with(ratio, "A {ratio}"), 6, "full stop"},
          Mistake{"an unknown key", reading_with(ratio + "until = 3\n"), 10,
                  "\"until\" is no key of a fact"},
          Mistake{"an unknown key of a figure",
                  reading_with("figures = [\n{name = \"ratio\", value = 1, hint = 2}]\n"), 10,
                  "\"hint\" is no key of a figure"},
          Mistake{"a value in words",
                  reading_with("figures = [\n{name = \"ratio\", value = \"one\"}]\n"), 10,
                  "value must be a number"},
          Mistake{"no value", reading_with("figures = [\n{name = \"ratio\"}]\n"), 10,
                  "needs a value"},
          Mistake{"a division by zero",
                  reading_with("figures = [\n{name = \"ratio\", value = 1, over = 0}]\n"), 10,
                  "over is 0"},
          Mistake{"an unknown figure of a recording",
                  reading_with(ratio + "recorded = \"speed\"\n"), 10,
                  "recorded cannot be \"speed\": bytes, "},
          Mistake{"an unknown group", reading_with(ratio + "group = \"banks\"\n"), 10,
                  "group cannot be \"banks\": registers"},
          Mistake{"figures that are no list", reading_with("figures = 3\n", plain), 9,
                  "figures is a list"},
          Mistake{"an unknown table", reading_with(ratio + "[extra]\n"), 10,
                  "\"extra\" is no key of this file"}}) {
        ASSERT_EQ(mistake.reading.mistakes.size(), 1u) << mistake.what;
        EXPECT_EQ(mistake.reading.mistakes[0].line, mistake.line) << mistake.what;
        EXPECT_THAT(mistake.reading.mistakes[0].sentence, HasSubstr(mistake.says)) << mistake.what;
    }
}

TEST(FactFile, AFactWithoutItsKeysSaysWhichAreMissing) {
    const FactsReading reading = read_facts("[[fact]]\nkernels = [\"09_tile\"]\n");
    std::string all;
    for (const FileMistake& mistake : reading.mistakes)
        all += std::to_string(mistake.line) + " " + mistake.sentence + "\n";
    EXPECT_THAT(all, HasSubstr("1 the fact has no id"));
    EXPECT_THAT(all, HasSubstr("1 text ends with a full stop"));
    EXPECT_THAT(all, HasSubstr("1 section says"));
    EXPECT_THAT(all, HasSubstr("1 there is no document \"\""));
    EXPECT_THAT(all, HasSubstr("2 there is no kernel \"09_tile\""));
}

TEST(FactFile, AFileWithoutAFactIsAMistake) {
    EXPECT_EQ(read_facts("").mistakes.at(0).sentence, "there is no fact: begin each with [[fact]]");
}

}  // namespace
}  // namespace tilereel::fact_file_test
