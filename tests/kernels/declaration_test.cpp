#include "kernels/declaration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalog.h"

namespace tilereel::declaration_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A declaration whose [launch] has these lines, from line 4 of its file on.
KernelDeclaration declared(const std::string& lines) {
    std::string text = "// 99 mine: a title\n// Idea   one\n// [launch]\n";
    for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
        text += "// " + lines.substr(at, lines.find('\n', at) - at) + "\n";
    return read_declaration(text + "\n// Idea   of another comment\n");
}

TEST(Declaration, ParagraphsAreProse) {
    const KernelDeclaration read = read_declaration(
        "// 99 mine: a title\n// Idea   two lines, and\n//        the second\n// Watch  this\n"
        "// Next   none\n// Source a book, chapter 3\n\nint x;\n");
    EXPECT_EQ(read.idea, "two lines, and the second");
    EXPECT_EQ(read.watch, "this");
    EXPECT_EQ(read.next, "none");
    EXPECT_EQ(read.from, "a book, chapter 3");
    EXPECT_EQ(read.mistake, "");
    EXPECT_THAT(read.tiles, ElementsAre(16));  // what a file without [launch] has
    EXPECT_THAT(read.pads, ElementsAre(0));
    EXPECT_EQ(needs_text(read.sizes), "any M, N, K");
}

TEST(Declaration, BuiltInValuesAscend) {
    const KernelDeclaration read =
        declared("built = {TILE = [32, 8], PAD = [1, 0]}  # any order\n");
    EXPECT_EQ(read.mistake, "");
    EXPECT_EQ(read.idea, "one");
    EXPECT_THAT(read.tiles, ElementsAre(8, 32));
    EXPECT_THAT(read.pads, ElementsAre(0, 1));
}

TEST(Declaration, SizesAreAlsoSaidInWords) {
    const auto words = [](const std::string& lines) {
        const KernelDeclaration read = declared(lines);
        EXPECT_EQ(read.mistake, "");
        return needs_text(read.sizes);
    };
    EXPECT_EQ(words("multiples = {N = 64, M = \"TILE\", K = \"TILE\"}\n"),
              "M, K multiples of TILE, N of 64");
    EXPECT_EQ(words("multiples = {M = \"TILE\", N = \"TILE\", K = 8}\n"
                    "multiples_with_TILE = {128 = {K = 16}, 64 = {K = 16}}\n"),
              "M, N multiples of TILE, K of 8; TILE 64 or 128: K of 16");
    EXPECT_EQ(words("K_is_TILE = true\nmultiples = {M = \"TILE\", N = \"TILE\"}\n"),
              "K = TILE; M, N multiples of TILE");
    EXPECT_EQ(words("most_elements_of_C = 1024\nwhy_most_elements_of_C = \"a thread each\"\n"
                    "K_at_most_M_and_N = true\n"),
              "M x N at most 1024, a thread each; K at most M and N");
    EXPECT_EQ(words("compute_capability = \"9.0\"\noffset_bits = 64\n"),
              "compute capability 9.0; any M, N, K");
    EXPECT_EQ(words("compute_capability = \"9.0a\"\n"), "compute capability 9.0a; any M, N, K");
}

TEST(Declaration, TilesAndPadsCanBeRestricted) {
    const KernelDeclaration read = declared(
        "takes = {TILE = [8, 16], why_TILE = \"its threads share out each tile\", "
        "PAD_multiple = 4}\n");
    EXPECT_EQ(read.mistake, "");
    EXPECT_THAT(read.variants.tiles, ElementsAre(8, 16));
    EXPECT_EQ(read.variants.why_tiles, "its threads share out each tile");
    EXPECT_EQ(read.variants.pad_unit, 4);
    EXPECT_EQ(read.variants.why_pad, "");
    EXPECT_THAT(declared("").variants.tiles, IsEmpty());
    EXPECT_EQ(declared("takes.PAD_multiple = 4\ntakes.why_PAD = \"alignment\"\n").variants.why_pad,
              "alignment");
}

TEST(Declaration, CapabilitiesAndOffsets) {
    EXPECT_EQ(declared("compute_capability = \"12.0\"\n").sizes.compute_capability, 120);
    EXPECT_EQ(declared("").sizes.compute_capability, 0);
    EXPECT_FALSE(declared("compute_capability = \"9.0\"\n").sizes.architecture_specific);
    const KernelDeclaration specific = declared("compute_capability = \"9.0a\"\n");
    EXPECT_EQ(specific.sizes.compute_capability, 90);
    EXPECT_TRUE(specific.sizes.architecture_specific);
    EXPECT_TRUE(declared("offset_bits = 64\n").sizes.offsets_of_64_bits);
    EXPECT_FALSE(declared("offset_bits = 32\n").sizes.offsets_of_64_bits);
    EXPECT_FALSE(declared("").sizes.offsets_of_64_bits);
}

TEST(Declaration, AMistakeIsSaidWithItsLine) {
    const auto mistake = [](const std::string& lines) { return declared(lines).mistake; };
    EXPECT_EQ(mistake("built = {TILE = [8]}\nNEEDS = 1\n"),
              "line 5: \"NEEDS\" is no key of [launch]");
    for (const char* wrong : {"8", "[]", "[0]", "[\"8\"]", "[9999999]"})
        EXPECT_EQ(mistake("built = {TILE = " + std::string(wrong) + "}\n"),
                  "line 4: TILE must be a list of whole numbers from 1 on, such as [8, 16]")
            << wrong;
    EXPECT_EQ(mistake("built = [8]\n"), "line 4: built must be such as {TILE = [8, 16]}");
    EXPECT_EQ(mistake("built = {N = [8]}\n"), "line 4: \"N\" is no key of built");
    for (const char* wrong : {"multiples = {L = 8}\n", "multiples = {M = \"tile\"}\n",
                              "multiples = {M = 0}\n", "multiples = 8\n"})
        EXPECT_EQ(mistake(wrong),
                  "line 4: multiples must be of M, N or K, each of a whole number or of \"TILE\": "
                  "{M = \"TILE\", K = 8}")
            << wrong;
    for (const char* wrong : {"shared = [[\"As\", \"M\"]]\n", "shared = [[\"As\", \"M\", \"L\"]]\n",
                              "shared = [[\"As\", 0, \"K\"]]\n", "shared = \"As\"\n",
                              "shared = [[\"As\", 8, {}]]\n", "shared = [[\"As\", 8, {x = 8}]]\n",
                              "shared = [[\"As\", 8, 8, \"double\"]]\n", "shared = [[]]\n"})
        EXPECT_EQ(mistake(wrong),
                  "line 4: shared must list arrays by name and extents, which are \"M\", \"N\", "
                  "\"K\", \"TILE\", a number, or numbers by TILE, and maybe a type: "
                  "[[\"As\", \"M\", \"K\"], [\"Bs\", 3, {64 = 8}, \"TILE\", \"float\"]]")
            << wrong;
    for (const char* wrong : {"tile_columns = 8\n", "tile_columns = {x = 8}\n"})
        EXPECT_EQ(mistake(wrong), "line 4: tile_columns must be such as {256 = 128}") << wrong;
    EXPECT_EQ(mistake("tile_rows = [64]\n"), "line 4: tile_rows must be such as {256 = 128}");
    for (const char* wrong :
         {"\"9\"", "\"9.x\"", "\"9.10\"", "\".0\"", "\"0.0\"", "\"\"", "\"9.0b\"", "\"a\""})
        EXPECT_EQ(mistake("compute_capability = " + std::string(wrong) + "\n"),
                  "line 4: compute_capability must be such as \"9.0\" or \"9.0a\"")
            << wrong;
    EXPECT_EQ(mistake("offset_bits = 16\n"), "line 4: offset_bits is 32 or 64");
    EXPECT_EQ(mistake("takes = {PAD = [4]}\n"), "line 4: \"PAD\" is no key of takes");
    EXPECT_EQ(mistake("multiples_with_TILE = {x = {K = 16}}\n"),
              "line 4: multiples_with_TILE: \"x\" is no TILE");
    EXPECT_EQ(mistake("built = [0, 1\n").substr(0, 6), "line 4");
}

TEST(Declaration, AllKernelsHaveASoundOne) {
    for (const KernelInfo& kernel : catalog())
        EXPECT_EQ(read_declaration(kernel.source).mistake, "") << kernel.id;
}

}  // namespace
}  // namespace tilereel::declaration_test
