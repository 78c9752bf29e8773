// Files and texts of strangers: what is read of them, how deep they are, and how they are written
// into tables.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/base/files/toml_depth.h"
#include "instrumentation/base/format/csv_text.h"

namespace tilereel::foreign_text_test {
namespace {

TEST(RegularFile, NothingElseIsRead) {
    std::string name = (std::filesystem::temp_directory_path() / "base-test-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(name.data());
    std::ofstream(folder / "file") << "four";
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", folder / "zero");
    EXPECT_EQ(*read_regular_file(folder / "file", 4), "four");
    EXPECT_FALSE(read_regular_file(folder / "file", 3));
    EXPECT_FALSE(read_regular_file(folder / "missing", 4));
    for (const char* const other : {"pipe", "zero", "."})
        EXPECT_NE(read_regular_file(folder / other, 4)
                      .error()
                      .message.find("is a folder, a pipe or a device"),
                  std::string::npos)
            << other;
    std::filesystem::remove_all(folder);
}

std::string repeated(const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

TEST(TomlDepth, DottedKeysAndBracketsAreCounted) {
    EXPECT_EQ(too_deep_line("a = 1\n" + repeated("a.", 60'000) + "a = 1"), 2);
    EXPECT_EQ(too_deep_line("\n\n[" + repeated("\"a\" . ", 65) + "a]"), 3);
    EXPECT_EQ(too_deep_line("a = " + repeated("[", 65)), 1);
    EXPECT_EQ(too_deep_line("a = " + repeated("{b = ", 65)), 1);
    EXPECT_EQ(too_deep_line("a = " + repeated("[\n", 65)), 65);
    EXPECT_EQ(too_deep_line(repeated("a.", 64) + "a = 1"), std::nullopt);
}

TEST(TomlDepth, TextsCommentsAndManyValuesAreNotDeep) {
    for (const std::string& text :
         {"a = \"" + repeated("[.\\\"", 100) + "\"", "a = '" + repeated("[.", 100) + "'",
          "a = '''\n" + repeated("['.\n", 100) + "'''",
          "a = \"\"\"" + repeated(".\"[\n", 100) + "\"\"\"", "# " + repeated("[.", 100),
          "a = [" + repeated("1.5, ", 100) + "]", repeated("[a.b]\nc = 1.5\n", 100)})
        EXPECT_EQ(too_deep_line(text), std::nullopt) << text;
    EXPECT_EQ(too_deep_line("a = \"not closed\n" + repeated("[", 65)), 2);
}

TEST(CsvText, NoNameIsAFormula) {
    for (const char* const formula :
         {"=cmd|' /C calc'!A0", "+1+cmd", "-a", "@SUM(A1)", "\t=1", "\r=1"})
        EXPECT_EQ(csv_name(formula), std::string("'") + formula);
    for (const char* const name : {"", "a.cu", "a=b", "-5", "-1.25", "Äpfel"})
        EXPECT_EQ(csv_name(name), name);
    EXPECT_EQ(csv_field("a\"b,c"), "\"a\"\"b,c\"");
    EXPECT_EQ(csv_field("plain"), "plain");
}

}  // namespace
}  // namespace tilereel::foreign_text_test
