// The source made ready for the panel: nothing lost, rows no wider than asked, colours by meaning.
#include "app/panels/source/source_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/catalog.h"

namespace tilereel::source_text_test {
namespace {

std::string text_of_row(const SourceText& source, const CodeRow& row) {
    std::string text;
    for (const CodeRun& run : row.runs) {
        text.resize(std::max<std::size_t>(text.size(), run.column), ' ');
        text += source.text_of(run);
    }
    return text;
}

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

CodeColor color_of(const SourceText& source, std::string_view word) {
    for (const CodeRow& row : source.rows)
        for (const CodeRun& run : row.runs)
            if (source.text_of(run) == word) return run.color;
    ADD_FAILURE() << "no run " << word;
    return CodeColor::kPlain;
}

TEST(SourceText, NumbersEveryLineIncludingEmptyOnes) {
    const SourceText source = prepare_source("int a;\n\nint b;\n", {.columns = 40});
    EXPECT_EQ(source.lines, 3u);
    ASSERT_EQ(source.rows.size(), 3u);
    EXPECT_EQ(source.rows[2].line, 3u);
    EXPECT_EQ(source.first_row[3], 2u);
}

TEST(SourceText, ColoursNamesByTheArraysTheyAre) {
    const SourceText source = prepare_source(
        "float total[2] = {}; for (int i = 0; i < n; i += 2 * m)\n"
        "    total[i] += As[ty][k] * Bs[k][tx]; // A is not code here\n    b_now += 8 * n;\n"
        "__syncthreads();\nC[i] = total; AB = A[0] + B[1];\n",
        {.columns = 80});
    EXPECT_EQ(color_of(source, "As"), CodeColor::kA);
    EXPECT_EQ(color_of(source, "Bs"), CodeColor::kB);
    EXPECT_EQ(color_of(source, "A"), CodeColor::kA);
    EXPECT_EQ(color_of(source, "B"), CodeColor::kB);
    EXPECT_EQ(color_of(source, "C"), CodeColor::kC);
    EXPECT_EQ(color_of(source, "total"), CodeColor::kSum);
    for (const CodeRow& row : source.rows)
        for (const CodeRun& run : row.runs) {
            if (run.color != CodeColor::kSum) continue;
            EXPECT_EQ(source.text_of(run), "total");
        }
    EXPECT_EQ(color_of(source, "float"), CodeColor::kKeyword);
    EXPECT_EQ(color_of(source, "__syncthreads"), CodeColor::kBarrier);
    EXPECT_EQ(color_of(source, "// A is not code here"), CodeColor::kComment);
}

TEST(SourceText, EveryKernelKeepsAllItsCodeAtAnyWidth) {
    for (const KernelInfo& kernel : catalog())
        for (const std::uint32_t columns : {12u, 17u, 33u, 50u, 120u}) {
            const SourceText source = prepare_source(kernel.source, {.columns = columns});
            std::string shown, given;
            for (const CodeRow& row : source.rows) {
                EXPECT_LE(text_of_row(source, row).size(), columns) << kernel.id;
                for (const CodeRun& run : row.runs)
                    if (run.color != CodeColor::kComment) shown += source.text_of(run);
            }
            const SourceText whole = prepare_source(kernel.source, {.columns = 500});
            for (const CodeRow& row : whole.rows)
                for (const CodeRun& run : row.runs)
                    if (run.color != CodeColor::kComment) given += whole.text_of(run);
            EXPECT_EQ(without_blanks(shown), without_blanks(given)) << kernel.id << columns;
        }
}

TEST(SourceText, LinesThatAreCommentsWrapBetweenWordsAndLoseNothing) {
    const std::string line = "// Watch the barriers around the compute loop of every phase";
    const SourceText source = prepare_source(line, {.columns = 24});
    std::string shown;
    EXPECT_GT(source.rows.size(), 2u);
    for (const CodeRow& row : source.rows) shown += text_of_row(source, row);
    EXPECT_EQ(without_blanks(shown), without_blanks(line));
}

TEST(SourceText, ACommentBesideCodeWrapsBetweenWordsAndLosesNothing) {
    const std::string line = "int row = 3;  // 0..M-1, the row of C this thread computes";
    const SourceText source = prepare_source(line, {.columns = 34});
    ASSERT_EQ(source.rows.size(), 2u);
    EXPECT_EQ(text_of_row(source, source.rows[0]), "int row = 3;  // 0..M-1, the row");
    EXPECT_EQ(text_of_row(source, source.rows[1]), "  of C this thread computes");
}

TEST(SourceText, AShortCommentBesideCodeGoesToARowOfItsOwnInOnePiece) {
    const SourceText source = prepare_source("int row = 3;  // of C here", {.columns = 20});
    ASSERT_EQ(source.rows.size(), 2u);
    EXPECT_EQ(text_of_row(source, source.rows[1]), "  // of C here");
}

TEST(SourceText, ALineWithACostLeavesRoomForIt) {
    const std::string line = "sum += As[ty][k] * Bs[k][tx];";  // 29 characters
    const SourceText free = prepare_source(line, {.columns = 30});
    EXPECT_EQ(free.rows.size(), 1u);
    const SourceText beside = prepare_source(line, {.columns = 30, .cost_characters = {0, 6}});
    ASSERT_GT(beside.rows.size(), 1u);
    for (const CodeRow& row : beside.rows) EXPECT_LE(text_of_row(beside, row).size(), 23u);
}

TEST(SourceText, TabsAndCarriageReturnsAreHandled) {
    const SourceText source = prepare_source("\tint a;\r\n", {.columns = 40});
    ASSERT_EQ(source.rows.size(), 1u);
    EXPECT_EQ(text_of_row(source, source.rows[0]), "    int a;");
}

}  // namespace
}  // namespace tilereel::source_text_test
