// An option that has no effect in a call is refused: exit code 2 and one line on stderr that says
// what it needs. For each, a call in which it has an effect goes through.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/shell_command.h"

namespace tilereel::tests::ignored_options_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class IgnoredOptions : public ::testing::Test {
  protected:
    void refuses(const std::string& call, const std::string& sentence) {
        const Ended ended = shell("tilereel " + call, folder_.path());
        EXPECT_EQ(ended.exit_code, 2) << call << "\n" << ended.err;
        EXPECT_EQ(ended.out, "") << call;
        EXPECT_THAT(ended.err, StartsWith("tilereel")) << call;
        EXPECT_THAT(ended.err, HasSubstr(sentence)) << call;
        EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << call << "\n" << ended.err;
    }
    void accepts(const std::string& call) {
        const Ended ended = shell("tilereel " + call, folder_.path());
        EXPECT_EQ(ended.exit_code, 0) << call << "\n" << ended.err;
    }
    ScratchFolder folder_;
};

TEST_F(IgnoredOptions, OfALessonThatIsNotShown) {
    refuses("lesson tiling --json", "--json needs --check");
    refuses("lesson tiling --script --json", "--json needs --check");
    refuses("lesson tiling --json --png p.png", "--json needs --check");
    accepts("lesson tiling --check --json");
    accepts("lesson --json");
    refuses("lesson tiling --check --script", "excludes");
    for (const char* option : {"--scene 2", "--size 800x600", "--light", "--text 20"})
        for (const char* call : {"lesson ", "lesson tiling --check ", "lesson tiling --script "})
            refuses(call + std::string(option), "leave them out");
    for (const char* option : {"--frames 2", "--frames 2 --screenshot s.png", "--print-state"})
        for (const char* call : {"lesson ", "lesson tiling --check ", "lesson tiling --png p.png "})
            refuses(call + std::string(option), "are for the window");
}

TEST_F(IgnoredOptions, OfAKernelForAProgram) {
    write_bytes(folder_ / "p.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
    for (const char* option : {"--m 8", "--tile 8", "--seed 2", "--c C.npy", "--memory-limit 1",
                               "--workers 2", "--without-barrier 5"})
        for (const char* call : {"report p.cu ", "trace p.cu -o t.npz ", "export p.cu --csv c.csv ",
                                 "export p.cu --png p.png ", "--frames 1 p.cu "})
            refuses(call + std::string(option), "'p.cu' is a CUDA file: leave out the options of");
    refuses("--frames 1 p.cu --device gpu", "leave out --device");
    refuses("report p.cu --phases", "--phases and --csv take a kernel or a trace file");
    refuses("report p.cu --csv", "--phases and --csv take a kernel or a trace file");
    refuses("run p.cu --product a,b,c", "--product");
    accepts("report p.cu --device cpu");
}

TEST_F(IgnoredOptions, OfAProgramForAnythingElse) {
    accepts("trace 02_naive --m 4 --n 4 --k 4 --tile 4 -o t.npz");
    for (const char* option : {"--launch 1", "-D N=4", "--std c++20", "--product a,b,c"})
        for (const char* call : {"report 02_naive ", "report t.npz ", "export t.npz --csv c.csv ",
                                 "open --frames 1 t.npz ", "open --frames 1 02_naive "})
            refuses(call + std::string(option), "is no CUDA file");
    refuses("open --frames 1 t.npz argument", "is one argument too many");
}

TEST_F(IgnoredOptions, OfReportsAndFacts) {
    refuses("report 02_naive --block 1,0", "--block requires --phases");
    refuses("facts --generation 1.0", "--generation requires KERNEL-OR-FILE");
    refuses("facts --memory-limit 1", "name the kernel");
    accepts("facts 02_naive --generation 1.0 --memory-limit 1");
    refuses("explain --expression tx --swizzle-unit 4", "--swizzle-unit requires --swizzle");
    accepts("explain --expression tx --swizzle 4 --swizzle-unit 4");
}

TEST_F(IgnoredOptions, OfExports) {
    const std::string kernel = "export 02_naive --m 4 --n 4 --k 4 --tile 4 ";
    for (const char* format : {"--png p.png ", "--html p.html ", "--csv c.csv "})
        refuses(kernel + format + "--until 5", "--until is for a film");
    for (const char* format : {"--html p.html ", "--perfetto p.json ", "--csv c.csv "})
        for (const char* option : {"--size 800x600", "--text 20"})
            refuses(kernel + format + option, "--size and --text are for pictures and films");
    for (const char* format : {"--perfetto p.json ", "--csv c.csv "})
        for (const char* option : {"--light", "--tick 3"})
            refuses(kernel + format + option, "--light and --tick are for pictures, films and");
    refuses(kernel + "--csv c.csv --block 0,0", "leave out --block");
    EXPECT_EQ(folder_.file_count(), 0);
    accepts(kernel + "--perfetto p.json --block 0,0");
    accepts(kernel + "--html p.html --light --tick 3 --block 0,0");
    EXPECT_EQ(folder_.file_count(), 2);
}

TEST_F(IgnoredOptions, OfRaces) {
    const std::string saved = "race " TILEREEL_SOURCE_DIR "/assets/races/h100_shapes.json ";
    refuses(saved + "--reference", "leave out the options for a new race");
    refuses("race --gpu --threads 2", "--threads is for a race on the CPU");
    refuses("race cpu_tiled:16 --tile 32", "--tile and --pad are for kernels that are named");
    refuses("race openblas --pad 1", "--tile and --pad are for kernels that are named");
    refuses("race --cpu --tile 7", "no kernel for the CPU is built in with TILE 7");
    refuses("race --cpu --pad 3", "no kernel for the CPU is built in with PAD 3");
    accepts("race cpu_tiled cpu_naive:16 --tile 32 --sizes 32 --repeats 1 --threads 1 --reference");
}

TEST_F(IgnoredOptions, OfTheWindowBeforeACommand) {
    for (const char* command : {"kernels", "report 02_naive", "lesson tiling --check"}) {
        refuses("--tile 4 " + std::string(command), "--tile stands before '");
        refuses("--light " + std::string(command), "--light stands before '");
        refuses("02_naive " + std::string(command), "KERNEL-OR-FILE stands before '");
    }
    const std::string view = "--frames 1 --state kernel=02_naive,m=4,n=4,k=4,tile=4,pad=0 ";
    for (const char* option : {"--tick 2", "--block 0,0", "--compare tile=2", "--speed 2"})
        refuses(view + option, "--state says what is shown");
}

}  // namespace
}  // namespace tilereel::tests::ignored_options_test
