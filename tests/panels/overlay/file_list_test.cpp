// The list of files to open: by keys, without a window.
#include "app/panels/overlay/file_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/panels/overlay/save_dialog.h"
#include "app/panels/source/compiler_error_text.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::file_list_test {
namespace {

using ::testing::HasSubstr;

class Files : public ::testing::Test {
  protected:
    Files() {
        std::filesystem::create_directories(folder_ / "deep");
        for (const char* name : {"a.cu", "b.CU", "notes.txt", ".hidden.cu", "t.tilereel.npz"})
            std::ofstream(folder_ / name) << "x";
        std::ofstream(folder_ / "deep" / "inner.cu") << "x";
    }
    [[nodiscard]] static std::vector<std::string> titles(const FileList& list) {
        std::vector<std::string> found;
        for (const FileRow& row : list.rows())
            if (row.kind != FileRow::Kind::kHeading) found.push_back(row.title);
        return found;
    }
    std::optional<std::filesystem::path> press(FileList& list, Key key) {
        list.taken.reset();
        closed_ = list.take({key, 0, false, false});
        return list.taken;
    }
    void type(FileList& list, const std::string& text) { list.search(list.field().text() + text); }
    ScratchFolder folder_;
    bool closed_ = false;
};

TEST_F(Files, ProgramsAndTracesAreListedFoldersFirst) {
    FileList list({folder_ / "a.cu"});
    EXPECT_EQ(titles(list),
              (std::vector<std::string>{"a.cu", "..", "deep/", "a.cu", "b.CU", "t.tilereel.npz"}));
    EXPECT_EQ(list.rows()[list.chosen()].title, "a.cu");  // the latest file
    EXPECT_EQ(press(list, Key::kEnter), folder_ / "a.cu");
    EXPECT_TRUE(closed_);
}

// Without recent files they come first, so that the first start has something to open.
TEST_F(Files, SamplesAreOfferedWithWhatTheyAre) {
    std::ofstream(folder_ / "deep" / "sums.cu") << "// Sums of eight values.\nint x;\n";
    const std::vector<std::filesystem::path> samples{folder_ / "deep" / "sums.cu"};
    const FileList first({}, samples);
    EXPECT_EQ(first.rows().front().title, "Samples that come with Tilereel");
    EXPECT_EQ(first.rows()[first.chosen()].title, "sums.cu");
    EXPECT_EQ(first.rows()[first.chosen()].detail, "Sums of eight values.");
    FileList later({folder_ / "a.cu"}, samples);
    EXPECT_EQ(titles(later).front(), "a.cu");
    EXPECT_EQ(titles(later).back(), "sums.cu");
    type(later, "SUM");
    EXPECT_EQ(titles(later), std::vector<std::string>{"sums.cu"});
    EXPECT_EQ(later.problem(), "");
    EXPECT_EQ(press(later, Key::kEnter), samples.front());
}

TEST_F(Files, FilesThatAreGoneAreNotOffered) {
    const FileList list({folder_ / "gone.cu", folder_ / "b.CU"});
    EXPECT_EQ(titles(list).front(), "b.CU");
}

TEST_F(Files, WhatIsTypedKeepsTheNamesThatContainIt) {
    FileList list({folder_ / "a.cu"});
    type(list, "tiler");
    EXPECT_EQ(titles(list), std::vector<std::string>{"t.tilereel.npz"});
    EXPECT_EQ(press(list, Key::kEnter), folder_ / "t.tilereel.npz");
    list.search("zzz");
    EXPECT_TRUE(titles(list).empty());
    EXPECT_EQ(list.problem(), "No .cu or .npz file here has \"zzz\" in its name");
    list.search("09_tild");
    EXPECT_THAT(list.problem(), HasSubstr("did you mean 09_tiled?"));
    EXPECT_FALSE(press(list, Key::kEnter).has_value());
    EXPECT_THAT(list.problem(), HasSubstr("did you mean 09_tiled?")) << "after Enter, too";
}

// A file of another kind is not listed. Enter takes it, and a message says what it is.
TEST_F(Files, AFileOfAnotherKindIsTakenByItsName) {
    std::ofstream(folder_ / "notes.txt") << "text";
    FileList list({folder_ / "a.cu"});
    type(list, "notes.txt");
    EXPECT_TRUE(titles(list).empty());
    EXPECT_EQ(press(list, Key::kEnter), folder_ / "notes.txt");
}

TEST_F(Files, FoldersAreEnteredAndLeft) {
    FileList list({folder_ / "a.cu"});
    press(list, Key::kDown);
    press(list, Key::kDown);  // past ".." to "deep/"
    EXPECT_EQ(list.rows()[list.chosen()].title, "deep/");
    EXPECT_FALSE(press(list, Key::kEnter).has_value());
    EXPECT_FALSE(closed_);
    EXPECT_EQ(list.folder().filename(), "deep");
    press(list, Key::kBackspace);
    EXPECT_EQ(list.folder(), std::filesystem::weakly_canonical(folder_.path()));
}

TEST_F(Files, APathThatIsTypedIsGoneTo) {
    FileList list({folder_ / "a.cu"});
    type(list, "deep/");
    EXPECT_FALSE(press(list, Key::kEnter).has_value());
    EXPECT_EQ(list.folder().filename(), "deep");
    type(list, (folder_ / "b.CU").string());
    EXPECT_EQ(press(list, Key::kEnter), folder_ / "b.CU");
    type(list, "/nowhere/x.cu");
    EXPECT_FALSE(press(list, Key::kEnter).has_value());
    EXPECT_THAT(list.problem(), HasSubstr("there is no file"));
}

// While a path is typed, the list is that of its folder: Tab completes the path by the chosen row,
// Enter opens that row if the path names nothing yet.
TEST_F(Files, APathIsCompletedFromItsFolder) {
    std::ofstream(folder_ / "deep" / "other.cu") << "x";
    FileList list({folder_ / "a.cu"});
    list.search((folder_ / "de").string());
    EXPECT_EQ(titles(list), (std::vector<std::string>{"deep/"}));
    press(list, Key::kTab);
    EXPECT_EQ(list.field().text(), (folder_ / "deep").string() + "/");
    EXPECT_EQ(titles(list), (std::vector<std::string>{"..", "inner.cu", "other.cu"}));
    list.search((folder_ / "deep").string() + "/in");
    EXPECT_EQ(titles(list), (std::vector<std::string>{"inner.cu"}));
    EXPECT_EQ(press(list, Key::kEnter), folder_ / "deep" / "inner.cu");
    EXPECT_TRUE(closed_);
    list.search((folder_ / "deep").string() + "/");
    press(list, Key::kDown);
    EXPECT_EQ(press(list, Key::kEnter), folder_ / "deep" / "other.cu");
}

TEST_F(Files, EscapeCloses) {
    FileList list({});
    EXPECT_FALSE(press(list, Key::kEscape).has_value());
    EXPECT_TRUE(closed_);
}

TEST_F(Files, CppFilesAreListedIfCudaIsInThem) {
    std::ofstream(folder_ / "host.cpp") << "int main() {}\n";
    std::ofstream(folder_ / "kernel.CPP") << "__global__ void k() {}\n";
    std::filesystem::create_directories(folder_ / "folder.npz");
    EXPECT_EQ(titles(FileList({folder_ / "a.cu"})),
              (std::vector<std::string>{"a.cu", "..", "deep/", "folder.npz/", "a.cu", "b.CU",
                                        "kernel.CPP", "t.tilereel.npz"}));
}

TEST(CompilerErrorText, ExplainsTheMostCommonErrors) {
    EXPECT_EQ(explain_compiler_error("expected ';' before 'int'"), "A ; is missing");
    EXPECT_EQ(explain_compiler_error(
                  "expected \xe2\x80\x98;\xe2\x80\x99 before \xe2\x80\x98int\xe2\x80\x99"),
              "A ; is missing");
    EXPECT_THAT(explain_compiler_error("'tx' was not declared in this scope"),
                HasSubstr("tx is not declared"));
    EXPECT_THAT(explain_compiler_error("helper.h: No such file or directory"),
                HasSubstr("helper.h"));
    EXPECT_EQ(explain_compiler_error("invalid conversion from 'int' to 'float*'"), "");
}

TEST(PathToSave, AFullPathOrAnExtensionTypedOverTheNameCounts) {
    const auto saved = [](const std::string& typed) {
        SaveDialog dialog;
        dialog.folder = "/home/ada";
        dialog.ending = ".png";
        dialog.path.begin(typed);
        return path_to_save(dialog).string();
    };
    EXPECT_EQ(saved("/home/ada/lecture"), "/home/ada/lecture.png");
    EXPECT_EQ(saved("/home/ada/lecture.png.png"), "/home/ada/lecture.png");
    EXPECT_EQ(saved("/home/ada//tmp/lecture.png.png"), "/tmp/lecture.png");
    EXPECT_EQ(saved("/home/ada//tmp/lecture.jpg"), "/tmp/lecture.jpg");
    EXPECT_EQ(saved("/home//ada/lecture.png"), "/home/ada/lecture.png");
}

}  // namespace
}  // namespace tilereel::tests::file_list_test
