// What is kept between two starts: recent files, the length of rows and products.
#include "app/workbench/view/kept_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::kept_state_test {
namespace {

using ::testing::ElementsAre;

TEST(KeptState, TheLatestFileComesFirstAndOnce) {
    KeptState state;
    for (const char* file : {"/a/one.cu", "/a/two.cu", "/a/../a/one.cu"}) state.note_opened(file);
    EXPECT_THAT(state.recent_files, ElementsAre(std::filesystem::path("/a/one.cu"),
                                                std::filesystem::path("/a/two.cu")));
    for (int i = 0; i < 100; ++i) state.note_opened("/b/" + std::to_string(i) + ".cu");
    EXPECT_LE(state.recent_files.size(), 20u);
    EXPECT_EQ(state.recent_files.front(), "/b/99.cu");
}

TEST(KeptState, WhatIsWrittenIsReadAgain) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "deep" / "state.json";
    KeptState state;
    state.note_opened("/a/caf\xc3\xa9 \"1\".cu");
    state.keep_rows("/a/one.cu", {{"in", 64}, {"out", 7}});
    state.keep_products("/a/one.cu", {{"multiply", "x,w,y,8,8,4"}});
    ASSERT_TRUE(write_kept_state(state, file));
    const KeptState read = read_kept_state(file);
    EXPECT_EQ(read.recent_files, state.recent_files);
    EXPECT_EQ(read.products_of("/a/./one.cu").at("multiply"), "x,w,y,8,8,4");
    EXPECT_TRUE(read.products_of("/a/two.cu").empty());
    EXPECT_EQ(read.rows, state.rows);
    EXPECT_EQ(read.rows_of("/a/../a/one.cu").at("in"), 64u);
    EXPECT_TRUE(read.rows_of("/a/two.cu").empty());
    state.keep_rows("/a/one.cu", {});
    EXPECT_TRUE(state.rows.empty());
}

TEST(KeptState, ADamagedFileIsReadAsFarAsItMakesSense) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "state.json";
    EXPECT_TRUE(read_kept_state(file).recent_files.empty());
    for (const char* text :
         {"", "{", "[1]", "{\"recent_files\": 3, \"rows\": [2]}",
          "{\"recent_files\": [1, {}], \"rows\": {\"/a.cu\": {\"in\": -4, \"out\": 0}}, "
          "\"products\": {\"/a.cu\": {\"f\": 3}}}"}) {
        std::ofstream(file) << text;
        const KeptState state = read_kept_state(file);
        EXPECT_TRUE(state.recent_files.empty()) << text;
        EXPECT_TRUE(state.rows.empty()) << text;
        EXPECT_TRUE(state.products.empty()) << text;
    }
}

TEST(KeptState, ASizeThatNoWindowHasIsLeftOut) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "state.json";
    for (const char* const size : {"1", "0", "-5", "199", "16385", "1e300", "\"800\"", "null"}) {
        std::ofstream(file) << "{\"width\": " << size << ", \"height\": " << size << "}";
        EXPECT_EQ(read_kept_state(file).width, KeptState{}.width) << size;
        EXPECT_EQ(read_kept_state(file).height, KeptState{}.height) << size;
    }
    std::ofstream(file) << "{\"width\": 800, \"height\": 600}";
    EXPECT_EQ(read_kept_state(file).width, 800);
}

TEST(KeptState, OnlyARegularFileOfModestSizeIsRead) {
    const ScratchFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", folder / "zero");
    std::ofstream(folder / "large") << "{\"width\": 800}" << std::string(5 << 20, ' ');
    std::ofstream(folder / "long_name")
        << "{\"recent_files\": [\"" << std::string(1 << 20, 'n') << "\", \"/a.cu\"]}";
    for (const char* const name : {"pipe", "zero", "large", "."})
        EXPECT_EQ(read_kept_state(folder / name).width, KeptState{}.width) << name;
    EXPECT_EQ(read_kept_state(folder / "long_name").recent_files,
              std::vector<std::filesystem::path>{"/a.cu"});
    for (const char* const name : {"pipe", "zero"})
        EXPECT_FALSE(write_kept_state(KeptState{}, folder / name)) << name;
}

TEST(KeptState, LiesInTheStateFolderOfTheUser) {
    const char* const former = std::getenv("XDG_STATE_HOME");
    const std::string before = former == nullptr ? "" : former;
    setenv("XDG_STATE_HOME", "/somewhere/state", 1);
    EXPECT_EQ(kept_state_file(), "/somewhere/state/tilereel/state.json");
    setenv("XDG_STATE_HOME", "relative", 1);  // to be ignored
    setenv("HOME", "/home/student", 1);
    EXPECT_EQ(kept_state_file(), "/home/student/.local/state/tilereel/state.json");
    if (former == nullptr)
        unsetenv("XDG_STATE_HOME");
    else
        setenv("XDG_STATE_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace tilereel::tests::kept_state_test
