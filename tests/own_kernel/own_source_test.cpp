// Other values for the constants of a user's file. The expected texts are what a reader would
// write.
#include "app/own_kernel/own_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/trace/scratch_folder.h"

namespace tilereel::own_source_test {
namespace {

using ::testing::HasSubstr;

std::string changed(const std::string& text, const std::string& value = "16") {
    const auto result = with_value(text, "TILE", value);
    return result ? *result : result.error().message;
}

TEST(OwnSource, MacrosAndConstantsGetTheValue) {
    EXPECT_EQ(changed("#define TILE 32\nint a[TILE];\n"), "#define TILE 16\nint a[TILE];\n");
    EXPECT_EQ(changed("#  define TILE (4 * 8)\n"), "#  define TILE 16\n");
    EXPECT_EQ(changed("constexpr int TILE = 32;\n"), "constexpr int TILE = 16;\n");
    EXPECT_EQ(changed("static const int kRows = 8, TILE = 32;\n"),
              "static const int kRows = 8, TILE = 16;\n");
    EXPECT_EQ(changed("constexpr int TILE = max(8, 4), W = TILE;\n"),
              "constexpr int TILE = 16, W = TILE;\n");
    EXPECT_EQ(changed("enum { TILE = 32, OTHER };\n"), "enum { TILE = 16, OTHER };\n");
    EXPECT_EQ(changed("#ifndef TILE\n#define TILE 8\n#endif\n"),
              "#ifndef TILE\n#define TILE 16\n#endif\n");
}

// Lines keep their numbers, so that errors stand where they are.
TEST(OwnSource, LinesStay) {
    EXPECT_EQ(changed("constexpr int TILE =\n    32;\nint b;"),
              "constexpr int TILE = 16\n;\nint b;");
    EXPECT_EQ(changed("int a[TILE];\n"), "#define TILE 16\n#line 1\nint a[TILE];\n");
}

TEST(OwnSource, WhatIsNoDefinitionStays) {
    EXPECT_EQ(changed("// #define TILE 4\n#define TILE 8\n"),
              "// #define TILE 4\n#define TILE 16\n");
    EXPECT_EQ(changed("const char* s = \"TILE = 3\";\n#define TILE 8\n"),
              "const char* s = \"TILE = 3\";\n#define TILE 16\n");
    EXPECT_EQ(changed("#define TILE 8\nbool b = TILE == 8;\nint MY_TILE = 3;\n"),
              "#define TILE 16\nbool b = TILE == 8;\nint MY_TILE = 3;\n");
    // The launch has to name a template parameter.
    const std::string kernel = "template <int TILE> __global__ void f(float* x) { x[TILE] = 0; }\n";
    EXPECT_EQ(changed(kernel), kernel);
    EXPECT_THAT(changed("int a;\n"), HasSubstr("no macro or constant TILE"));
    EXPECT_THAT(changed("// TILE\n"), HasSubstr("no macro or constant TILE"));
}

TEST(OwnSource, EachValueIsASourceOfItsOwn) {
    const OwnSource source{.file = "/a/multiply.cu"};
    const auto all = with_values(source, "TILE=8,16,-1");
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 3u);
    EXPECT_EQ(name_of((*all)[1]), "multiply.cu TILE=16");
    EXPECT_EQ(name_of(source), "multiply.cu");
    EXPECT_EQ(with_values(source, "")->size(), 1u);
    for (const char* const wrong :
         {"TILE", "=3", "TILE=", "TILE=8,", "TILE=8;rm", "8=TILE", "TILE=8,8", "TILE= 8"})
        EXPECT_FALSE(with_values(source, wrong)) << wrong;
}

TEST(OwnSource, AValueOfATemplateParameterIsForTheLaunchAlone) {
    const tests::ScratchFolder folder;
    OwnSource source{.file = folder / "x.cu"};
    std::ofstream(source.file) << "template <int TILE> __global__ void f() {}\n";
    source.value = {"TILE", "16"};
    EXPECT_EQ(*definition_after(source), "#define TILE 16\n");
    std::ofstream(source.file) << "constexpr int TILE = 8;\n";
    EXPECT_EQ(*definition_after(source), "");
    const auto text = text_of_source(source);
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("constexpr int TILE = 16;"));
    EXPECT_THAT(*text, HasSubstr("#line 1 \"" + source.file.string() + "\"\n"));
}

}  // namespace
}  // namespace tilereel::own_source_test
