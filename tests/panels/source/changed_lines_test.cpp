// The lines of a source that were edited since it was last shown.
#include "app/panels/changed_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilereel::changed_lines_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(ChangedLines, AChangedLineHasItsFormerPart) {
    EXPECT_THAT(changed_lines("a\n    __shared__ float tile[16][16];\nb\n",
                              "a\n    __shared__ float tile[16][17];\nb\n"),
                ElementsAre(Pair(2u, ChangedLine{"tile[16][16]", false})));
    EXPECT_THAT(changed_lines("a\nx = in[i];\nb\n", "a\nx = in[i] + in[i + 1];\nb\n"),
                ElementsAre(Pair(2u, ChangedLine{"in[i]", false})));
    EXPECT_THAT(changed_lines("a\nint count = 1;\n", "a\nint counter = 1;\n"),
                ElementsAre(Pair(2u, ChangedLine{"count", false})));
}

TEST(ChangedLines, AddedLinesAreNew) {
    EXPECT_THAT(changed_lines("a\nb\nc\n", "a\nfirst\nb\n\nsecond\nc\n"),
                ElementsAre(Pair(2u, ChangedLine{"", true}), Pair(5u, ChangedLine{"", true})));
}

TEST(ChangedLines, RemovedLinesAreNotReported) {
    EXPECT_THAT(changed_lines("a\nb\nc\nd\n", "a\nd\n"), IsEmpty());
}

TEST(ChangedLines, EqualAndUnrelatedTextsHaveNone) {
    EXPECT_THAT(changed_lines("a\nb\n", "a\nb\n"), IsEmpty());
    EXPECT_THAT(changed_lines("a\nb\n", "c\nd\n"), IsEmpty());
    EXPECT_THAT(changed_lines("", "c\nd\n"), IsEmpty());
    EXPECT_THAT(changed_lines("a\n", ""), IsEmpty());
}

TEST(FormerLines, GiveTheFormerNumberOfALine) {
    EXPECT_THAT(former_lines("a\nb\nc\n", "a\nb\nc\n"), ElementsAre(0u, 1u, 2u, 3u));
    // Two lines are added at the top, one is edited, one is removed.
    EXPECT_THAT(former_lines("a\nb = 1;\nc\nd\ne\n", "x\ny\na\nb = 2;\nd\ne\n"),
                ElementsAre(0u, 0u, 0u, 1u, 2u, 4u, 5u));
    EXPECT_THAT(former_lines("a\nb\n", "c\nd\n"), ElementsAre(0u, 0u, 0u));
    EXPECT_THAT(former_lines("", "c\n"), ElementsAre(0u, 0u));
}

}  // namespace
}  // namespace tilereel::changed_lines_test
