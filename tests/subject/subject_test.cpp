// What is shown as one text, and that text read again.
#include "app/subject/subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/subject/program_launch.h"
#include "kernels/catalog.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::subject_test {
namespace {

using ::testing::HasSubstr;

void expect_round_trip(const Subject &subject) {
    const std::string text = text_of(subject);
    const Result<Subject> read = parse_subject(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_EQ(*read, subject) << text;
    EXPECT_EQ(text_of(*read), text);
    EXPECT_EQ(text.find_first_of(" '\"$()\\&;|<>*?!#~`\n"), std::string::npos) << text;
}

TEST(Subject, IsReadAsItWasWritten) {
    for (const KernelInfo &kernel : catalog()) {
        Subject rung;
        rung.kernel = kernel.id;
        expect_round_trip(rung);
        rung.m = 1, rung.n = 2, rung.k = 1 << 20, rung.tile = 8, rung.pad = 0;
        rung.seed = 0;
        rung.removed_barrier = 31;
        rung.order = ThreadOrder::kWarpsBackward;
        rung.on_gpu = true;
        rung.generation = "1.3";
        rung.block_y = 65535;
        expect_round_trip(rung);
    }
    Subject program;
    program.file = "/home/a b/caf\xc3\xa9,x=1'%.cu";
    expect_round_trip(program);
    program.arguments = {"--size", "a,b", "", "$(rm)", "x=1"};
    program.defines = {"N=4", "DEBUG"};
    program.include_folders = {"/usr/include/a b", "../include"};
    program.more_files = {"other,file.cpp", "kernel.cu"};
    program.launch_lines = {"saxpy<float> grid=4 block=256 n=1000 x[1000]=random"};
    program.standard = "c++20";
    program.launch = 3;
    program.block_x = 7;
    expect_round_trip(program);
    Subject trace;
    trace.file = "launch.npz";
    trace.generation = "8.6";
    expect_round_trip(trace);
}

TEST(Subject, FieldsAreInAnyOrderAndMayBeMissing) {
    const Result<Subject> read = parse_subject("pad=1,block=2:3,kernel=09_tiled");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->kernel, "09_tiled");
    EXPECT_EQ(read->pad, 1);
    EXPECT_EQ(read->m, std::nullopt);
    EXPECT_EQ(read->block_x, 2u);
    EXPECT_EQ(read->block_y, 3u);
    EXPECT_EQ(read->generation, "");
}

// A program that is dropped on the window, compared or named in a lesson is compiled as one that is
// named on the command line.
TEST(Subject, AProgramIsRunWithTheFlagsOfItsProject) {
    const ScratchFolder folder;
    write_bytes(folder / "compile_commands.json",
                "[{\"directory\": \"" + folder.path().string() +
                    "\", \"file\": \"p.cu\","
                    " \"command\": \"nvcc -std=c++20 -DSIZE=8 -Iheaders -c p.cu\"}]");
    write_bytes(folder / "p.cu", "");
    Subject subject;
    subject.file = folder / "p.cu";
    subject.arguments = {"7"};
    program::ProgramRequest request = program_request(subject);
    EXPECT_EQ(request.file, subject.file);
    EXPECT_EQ(request.arguments, subject.arguments);
    EXPECT_EQ(request.standard, "c++20");
    EXPECT_EQ(request.defines, std::vector<std::string>{"SIZE=8"});
    ASSERT_EQ(request.include_folders.size(), 1u);
    EXPECT_EQ(request.include_folders[0].filename(), "headers");
    EXPECT_EQ(request.generation, "9.0");
    EXPECT_EQ(request.launch, std::nullopt);
    subject.standard = "c++14";
    subject.generation = "7.5";
    request = program_request(subject);
    EXPECT_EQ(request.standard, "c++14");
    EXPECT_EQ(request.generation, "7.5");
}

TEST(Subject, AWrongFieldIsNamedWithWhatItMayBe) {
    struct Case {
        const char *text, *said;
    };
    for (const auto &[text, said] : {
             Case{"", "either a kernel or a file"},
             Case{"kernel=02_naive,file=a.cu", "either a kernel or a file"},
             Case{"kernel=99_none", "kernel is the id of a kernel, not '99_none'"},
             Case{"kernel=02_naive,tile=0", "tile is a whole number from 1 on, not '0'"},
             Case{"kernel=02_naive,m=4x", "not '4x'"},
             Case{"kernel=02_naive,m", "m is a whole number from 1 on, not ''"},
             Case{"kernel=02_naive,block=3", "column:row"},
             Case{"kernel=02_naive,generation=1.7", "compute capability"},
             Case{"file=a.cu,launch=-1", "the number of a launch"},
             Case{"file=a.cu,std=c++98", "c++14, c++17 or c++20"},
             Case{"file=a.cu,with=", "another source file"},
             Case{"file=%2", "file is the path"},
             Case{"file=a.cu,colour=red", "no field 'colour'"},
             Case{"file=a.cu,,launch=1", "no field ''"},
         }) {
        const Result<Subject> read = parse_subject(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::kWrongCall) << text;
        EXPECT_THAT(read.error().message, HasSubstr(said)) << text;
    }
}

}  // namespace
}  // namespace tilereel::tests::subject_test
