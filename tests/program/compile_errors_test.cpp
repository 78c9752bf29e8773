// The messages of the compiler and the linker become errors at the user's lines, whatever names and
// lengths they have.
#include "instrumentation/program/build/compile_errors.h"

#include <gtest/gtest.h>

#include <string>

namespace tilereel::program::compile_errors_test {
namespace {

std::string in_words(const std::vector<CompileError>& errors) {
    std::string text;
    for (const CompileError& error : errors)
        text += error.file + "|" + std::to_string(error.line) + "|" + std::to_string(error.column) +
                "|" + error.message + "\n";
    return text;
}

TEST(CompileErrors, AMessageHasAFileALineAndPerhapsAColumn) {
    EXPECT_EQ(in_words(errors_in("a.cu:12:5: error: 'x' was not declared\n"
                                 "a.cu:3: error: no column\n"
                                 "b.h:1:10: fatal error: c.h: No such file or directory\n"
                                 "a.cu:4:1: note: here\na.cu: In function 'f':\n",
                                 "/ours")),
              "a.cu|12|5|'x' was not declared\na.cu|3|0|no column\n"
              "b.h|1|10|c.h: No such file or directory\n");
}

TEST(CompileErrors, TheNameOfAFileMayHaveColonsNumbersAndQuotes) {
    EXPECT_EQ(in_words(errors_in("a:7:b \"c\": 1.cu:12:5: error: x: 3:4: error: y\n", "/ours")),
              "a:7:b \"c\": 1.cu|12|5|x: 3:4: error: y\n");
}

TEST(CompileErrors, AnErrorInOurHeadersIsTheLaunchs) {
    EXPECT_EQ(in_words(errors_in("a.cu:9:5:   required from here\n"
                                 "/ours/launch.h:3:4: error: no match for tilereel::call\n",
                                 "/ours")),
              "a.cu|9|0|the kernel cannot be launched with these arguments\n");
}

TEST(CompileErrors, NumbersThatNoFileHasAreNoMessages) {
    EXPECT_EQ(in_words(errors_in("a.cu:99999999999999999999: error: x\n"
                                 "a.cu:1:1:error: z\n",
                                 "/ours")),
              "");
}

TEST(CompileErrors, LongLinesAreReadOnceAndCutShort) {
    const std::string many(1 << 20, ':'), numbers = [] {
        std::string text;
        while (text.size() < 1 << 20) text += ":1";
        return text;
    }();
    EXPECT_TRUE(errors_in(many + "\n" + numbers, "/ours").empty());
    const auto errors = errors_in("a.cu:1:2: error: " + std::string(1 << 20, 'x'), "/ours");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].message.size(), 4096u + 3);
}

TEST(LinkErrors, NameWhatIsMissing) {
    EXPECT_EQ(in_words(link_errors("a.o: in function `main':\na.cu:(.text+0x5): undefined "
                                   "reference to `f(int)'\nb.o: undefined reference to ‘g’\n"
                                   "collect2: error: ld returned 1 exit status\n",
                                   "a.cu")),
              "a.cu|0|0|no file of the program defines f(int); give its other files with --with\n"
              "a.cu|0|0|no file of the program defines g; give its other files with --with\n");
}

TEST(LinkErrors, WhatSeveralFilesDefineIsNamed) {
    EXPECT_EQ(in_words(link_errors(
                  "ld.gold: error: 2.o: multiple definition of 'other(char'\n"
                  "/usr/bin/ld: 1.o: in function `g':\nb.cu:2: multiple definition of `g'; "
                  "0.o:a.cu:1: first defined here\n"
                  "ld: 0.o: multiple definition of '_start'\n",
                  "a.cu")),
              "a.cu|0|0|several files of the program define other(char; keep one definition, or "
              "make each static\n"
              "a.cu|0|0|several files of the program define g; keep one definition, or make each "
              "static\n"
              "a.cu|0|0|the program defines _start(), where every program with the C library "
              "begins; write main() in its place\n");
}

// It is no fault of the program.
TEST(LinkErrors, ALibraryThatIsMissingHereIsNamedWithItsPackage) {
    constexpr const char* kContext =
        "a.cu|0|0|the library Boost.Context is missing, which every program is linked with here; "
        "install it: apt-get install libboost-context-dev\n";
    EXPECT_EQ(
        in_words(link_errors("/usr/bin/ld: cannot find -lboost_context: No such file\n", "a.cu")),
        kContext);
    EXPECT_EQ(in_words(link_errors("fiber.o: undefined reference to `jump_fcontext'\n", "a.cu")),
              kContext);
    EXPECT_EQ(in_words(link_errors("/usr/bin/ld.gold: error: cannot find -lz\n", "a.cu")),
              "a.cu|0|0|the library zlib is missing, which every program is linked with here; "
              "install it: apt-get install zlib1g-dev\n");
}

TEST(LinkErrors, ASymbolOf60000LettersIsCutShort) {
    const auto errors =
        link_errors("undefined reference to `" + std::string(60'000, 'f') + "'\n", "a.cu");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_LT(errors[0].message.size(), 500u);
}

TEST(ToolFailure, SaysWhatToDo) {
    const auto told = [](const std::string& output, ProcessEnd end = ProcessEnd::kExit) {
        ProcessResult result;
        result.output = output;
        result.end = end;
        result.code = 1;
        result.stopped_after = 300.4;
        const CompileError failure = failure_of_tool(result, "g++", "a.cu");
        EXPECT_EQ(failure.was_late, end == ProcessEnd::kTimeLimit);
        return failure.message;
    };
    EXPECT_EQ(told("a.s: Fatal error: can't write: No space left on device"),
              "the disk is full, so g++ could not write its files; make room, or set TMPDIR to a "
              "folder on another disk");
    EXPECT_EQ(told("", ProcessEnd::kTimeLimit),
              "g++ was stopped after 300 s; leave out what takes it so long, such as templates "
              "that build on each other");
    EXPECT_EQ(told("virtual memory exhausted: Cannot allocate memory"),
              "g++ ran out of memory; open a smaller file, or leave out what costs so much, such "
              "as templates that build on each other");
    EXPECT_TRUE(told("g++: internal compiler error: Segmentation fault signal terminated program")
                    .starts_with("g++ itself failed on this file; make what is nested deeply "
                                 "simpler."));
    EXPECT_EQ(told("something else"), "something else");
    EXPECT_EQ(told(std::string(1 << 20, 'x')).size(), 4096u + 3);
}

}  // namespace
}  // namespace tilereel::program::compile_errors_test
