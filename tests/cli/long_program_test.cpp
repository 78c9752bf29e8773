// `tilereel report` of a program that takes long: the lines of a launch come as soon as its
// recording is done, and an interrupt keeps what there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/shell_command.h"

namespace tilereel::long_program_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::shell;

// Starts the report of the program, and interrupts it when its output has the words. Prints the
// output and the exit code.
std::string interrupted_at(const std::string& words, const std::string& options = "") {
    return "\"" TILEREEL_PROGRAM "\" report p.cu " + options +
           " > out 2>&1 & id=$!\n"
           "for i in $(seq 1200); do grep -q '" +
           words +
           "' out && break; sleep 0.05; done\n"
           "kill -INT $id; wait $id; code=$?; cat out; echo \"code $code\"";
}

TEST(LongProgram, EachLaunchIsPrintedAtOnceAndAnInterruptKeepsIt) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", R"(#include <unistd.h>
__global__ void put(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    put<<<1, 32>>>(a);
    put<<<2, 32>>>(a);
    for (;;) sleep(1);
}
)");
    const tests::Ended ended = shell(interrupted_at("LAUNCH 1"), folder.path());
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 0: put, p.cu line 6"));
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 1: put, p.cu line 7"));
    EXPECT_THAT(ended.out, HasSubstr("Cancelled.\ncode 130"));
    EXPECT_THAT(ended.out, Not(HasSubstr("did not end in time")));
}

// A hundred thousand blocks of milliseconds. No compiler knows the end of the loop.
constexpr const char* kSlow = R"(
__global__ void slow(int* a) {
    unsigned x = blockIdx.x + 1;
    for (int i = 0; i < 3000000; ++i) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    a[0] = x;
}
int main() {
    int* a;
    cudaMalloc(&a, 4);
    slow<<<100000, 1>>>(a);
}
)";

TEST(LongProgram, WhatTheOtherBlocksNeedIsSaidWhileTheyRun) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", kSlow);
    const tests::Ended ended =
        shell(interrupted_at("The rest of launch", "--accesses 1 --all-blocks"), folder.path());
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 0: slow, p.cu line 10"));
    EXPECT_THAT(ended.out, HasSubstr("blocks run without being recorded, for about "));
    EXPECT_THAT(ended.out, HasSubstr("code 130"));
}

// A block that is being recorded when the interrupt comes.
TEST(LongProgram, AnInterruptedRecordingIsPrintedAsFarAsItGoes) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", R"(
__global__ void first(int* a) { a[threadIdx.x] = 1; }
__global__ void endless(volatile int* a) {
    while (a[threadIdx.x] == 1) {}
}
int main() {
    int* a;
    cudaMalloc(&a, 128);
    first<<<1, 32>>>(a);
    endless<<<1, 32>>>(a);
}
)");
    const tests::Ended ended = shell(interrupted_at("LAUNCH 0"), folder.path());
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 1: endless"));
    EXPECT_THAT(ended.out, HasSubstr("Incomplete: the recording was cut off"));
    EXPECT_THAT(ended.out, HasSubstr("code 130"));
}

// Starts the report as JSON, and interrupts it with the signal when the file `ready` exists, which
// the program makes, which a sandbox would not let it. Prints what the report wrote to its standard
// output, and the exit code behind.
std::string json_interrupted_by(const std::string& signal, const std::string& options = "") {
    return "\"" TILEREEL_PROGRAM "\" report p.cu --trust --json " + options +
           " > out & id=$!\n"
           "for i in $(seq 1200); do [ -e ready ] && break; sleep 0.05; done\n"
           "kill -" +
           signal + " $id; wait $id; code=$?; cat out; exit $code";
}

TEST(LongProgram, TheJsonOfAnInterruptedReportHasWhatIsThere) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", R"(#include <unistd.h>
#include <cstdio>
__global__ void put(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    put<<<1, 32>>>(a);
    put<<<2, 32>>>(a);
    fclose(fopen("ready", "w"));
    for (;;) sleep(1);
}
)");
    for (const auto& [signal, code] : {std::pair("INT", 130), std::pair("TERM", 143)}) {
        const tests::Ended ended =
            shell("(" + json_interrupted_by(signal) + "); echo $? > code; rm ready", folder.path());
        EXPECT_EQ(tests::read_bytes(folder / "code"), std::to_string(code) + "\n");
        const auto json = nlohmann::json::parse(ended.out, nullptr, false);
        ASSERT_TRUE(json.is_object()) << ended.out << ended.err;
        EXPECT_EQ(json["complete"], false);
        EXPECT_TRUE(json["exit_code"].is_null());
        EXPECT_EQ(json["end"], "Cancelled.");
        ASSERT_EQ(json["launches"].size(), 2);
        EXPECT_EQ(json["launches"][1]["report"]["totals"]["global_store"]["requests"], 2);
    }
}

// Starts the report and sends it the signal twice, as a terminal does that is closed, when the
// shell command `until` succeeds. Prints the output and the exit code, and what is left in TMPDIR.
std::string interrupted_twice(const std::string& signal, const std::string& until) {
    return "mkdir -p t; rm -f ready t/*; export TMPDIR=$PWD/t\n"
           "\"" TILEREEL_PROGRAM
           "\" report p.cu --trust > out 2> err & id=$!\n"
           "for i in $(seq 1200); do " +
           until + " && break; sleep 0.02; done\nkill -" + signal + " $id; kill -" + signal +
           " $id 2>&-\n"
           "wait $id; code=$?; cat out err; echo \"code $code\"; ls t";
}

TEST(LongProgram, ASignalThatComesTwiceEndsItWithASentenceAndNothingIsLeft) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", std::string("#include <cstdio>\n#include <unistd.h>\n") +
                                            R"(
__global__ void wait(volatile int* a) { while (*a == 0) {} }
int main() {
    fclose(fopen("ready", "w"));
    for (int i = 0; i < 20; ++i) usleep(20000);
    int* a;
    cudaMalloc(&a, 4);
    cudaMemset(a, 0, 4);
    printf("launches\n");
    fclose(fopen("launches", "w"));
    wait<<<1, 1>>>(a);
    cudaDeviceSynchronize();
}
)");
    struct Case {
        std::string signal, code, until, sentence;
    };
    const std::string compiles = "[[ -n $(ls t) ]]", nothing = "nothing has been recorded\n";
    for (const auto& [signal, code, until, sentence] :
         {Case{"HUP", "129", compiles, nothing}, Case{"TERM", "143", "[[ -e ready ]]", nothing},
          Case{"HUP", "129", "[[ -e launches ]]", "Cancelled.\n"},
          Case{"INT", "130", "[[ -e launches ]]", "Cancelled.\n"}}) {
        const tests::Ended ended =
            shell("rm -f launches\n" + interrupted_twice(signal, until), folder.path());
        // After the file is there, the signal may still come before the launch.
        EXPECT_TRUE(ended.out.ends_with(sentence + "code " + code + "\n") ||
                    ended.out.ends_with(nothing + "code " + code + "\n"))
            << signal << " when " << until << ":\n"
            << ended.out << ended.err;
    }
}

// A stand-in for g++ that links without end, in a process that it starts.
TEST(LongProgram, ASignalWhileTheLinkerRunsEndsTheLinkerAndNothingIsLeft) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", "int main() {}\n");
    tests::write_bytes(folder / "g++",
                       "#!/bin/sh\ncase \"$1 $2\" in\n"
                       "'-o '*/program) sleep 1000 & echo $! $$ > '" +
                           (folder / "linking").string() +
                           "'; wait ;;\n*) exec g++ \"$@\" ;;\nesac\n");
    for (const auto& [signal, code] :
         {std::pair("INT", "130"), std::pair("TERM", "143"), std::pair("HUP", "129")}) {
        const tests::Ended ended =
            shell("chmod +x g++; export TILEREEL_CXX=$PWD/g++; rm -f linking\n" +
                      interrupted_twice(signal, "[[ -s linking ]]") +
                      "\nended() {\n"  // or nobody has asked how it ended
                      "  ! kill -0 $1 2>&- || grep -qs '^State:.Z' /proc/$1/status\n}\n"
                      "for id in $(cat linking); do\n"
                      "  for i in $(seq 1200); do ended $id && break; sleep 0.05; done\n"
                      "  ended $id || echo $id is left\ndone",
                  folder.path());
        EXPECT_EQ(ended.out,
                  std::string("tilereel report: interrupted; nothing has been recorded\ncode ") +
                      code + "\n")
            << signal << ended.err;
    }
}

TEST(LongProgram, TheJsonOfAReportThatWasInterruptedBeforeAnyLaunchIsValid) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", R"(#include <unistd.h>
#include <cstdio>
__global__ void put(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
    fclose(fopen("ready", "w"));
    for (;;) sleep(1);
    put<<<1, 32>>>(nullptr);
}
)");
    const tests::Ended ended = shell(json_interrupted_by("INT"), folder.path());
    const auto json = nlohmann::json::parse(ended.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << ended.out << ended.err;
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["end"], "interrupted; nothing has been recorded");
    EXPECT_TRUE(json["launches"].empty());
}

// A product, then a loop without end.
constexpr const char* kProduct = R"(#include <unistd.h>
__global__ void fill(float* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void multiply(const float* x, const float* y, float* z) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += x[threadIdx.y * 4 + i] * y[i * 4 + threadIdx.x];
    z[threadIdx.y * 4 + threadIdx.x] = sum;
}
int main() {
    float *x, *y, *z;
    cudaMalloc(&x, 64);
    cudaMalloc(&y, 64);
    cudaMalloc(&z, 64);
    fill<<<1, 16>>>(x);
    fill<<<1, 16>>>(y);
    multiply<<<1, dim3(4, 4)>>>(x, y, z);
    for (;;) sleep(1);
}
)";

TEST(LongProgram, AStoppedProgramEndsAfterTheLaunchAsJsonToo) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", kProduct);
    const tests::Ended ended =
        shell("tilereel report p.cu --json --launch 1 && echo; echo >&2 code $?", folder.path());
    EXPECT_THAT(ended.err, HasSubstr("code 0"));
    const auto json = nlohmann::json::parse(ended.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << ended.out << ended.err;
    EXPECT_EQ(json["complete"], true);
    EXPECT_EQ(json["end"], "The program was stopped after launch 1, as --launch asks.");
    ASSERT_EQ(json["launches"].size(), 1);
    EXPECT_EQ(json["launches"][0]["number"], 1);
}

// Grids of one and of eight blocks.
constexpr const char* kTwoGrids = R"(
__global__ void fill(int* a) { a[blockIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 32);
    fill<<<1, 1>>>(a);
    fill<<<8, 1>>>(a);
    cudaFree(a);
}
)";

TEST(LongProgram, BlocksThatNoGridHasAreAWrongCall) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", kTwoGrids);
    for (const char* const json : {"", " --json"}) {
        const tests::Ended ended =
            shell(std::string("tilereel report p.cu --blocks 8,9") + json + "; echo >&2 code $?",
                  folder.path());
        EXPECT_THAT(ended.err, HasSubstr("--blocks: no launch has such a block; the largest grid "
                                         "has blocks 0 to 7\n"));
        EXPECT_THAT(ended.err, HasSubstr("code 2"));
    }
    const tests::Ended one =
        shell("tilereel report p.cu --launch 0 --blocks 7; echo >&2 code $?", folder.path());
    EXPECT_THAT(one.err, HasSubstr("each grid has one block, number 0\ncode 2"));
    for (const char* const text : {"3-1", "-1", "4294967296", "one"})
        EXPECT_THAT(shell(std::string("tilereel report p.cu --blocks ") + text, folder.path()).err,
                    HasSubstr(std::string("takes whole numbers with commas between them, not '") +
                              text + "'"));
}

TEST(LongProgram, ALaunchWithoutTheBlocksSaysWhichItHas) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", kTwoGrids);
    const tests::Ended ended =
        shell("tilereel report p.cu --blocks 7; echo >&2 code $?", folder.path());
    EXPECT_THAT(ended.err, HasSubstr("code 0"));
    EXPECT_THAT(ended.out,
                HasSubstr("Not recorded: its grid has one block, number 0; --blocks asks for "
                          "others\n"));
    EXPECT_THAT(ended.out, HasSubstr("Recorded: 1 of 8 blocks"));
}

TEST(LongProgram, WithAProductLaunchesArePrintedOnceOneHasIt) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", kProduct);
    const tests::Ended ended = shell(interrupted_at("LAUNCH 2", "--product x,y,z"), folder.path());
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 0: fill"));
    EXPECT_THAT(ended.out, HasSubstr("A product: C = A times B with A = x, B = y, C = z"));
    EXPECT_THAT(ended.out, HasSubstr("Cancelled.\ncode 130"));
}

TEST(LongProgram, AnInterruptSaysThatNoLaunchHadTheProduct) {
    const tests::ScratchFolder folder;
    std::string text = kProduct;
    text.replace(text.find("    for (;;) sleep"), 4, "    close(creat(\"ready\", 0600));\n    ");
    text.insert(0, "#include <fcntl.h>\n");
    tests::write_bytes(folder / "p.cu", text);
    const tests::Ended ended =
        shell("\"" TILEREEL_PROGRAM
              "\""
              " report p.cu --trust --product x,y,w > out & id=$!\n"
              "for i in $(seq 1200); do [ -e ready ] && break; sleep 0.05; done\n"
              "kill -INT $id; wait $id; cat out",
              folder.path());
    EXPECT_THAT(ended.out, HasSubstr("LAUNCH 2: multiply"));
    EXPECT_THAT(ended.out, HasSubstr("--product: the launch of fill has no global array"));
    EXPECT_THAT(ended.out, HasSubstr("Cancelled."));
}

TEST(LongProgram, ARecordedFindingIsSaidOnce) {
    const tests::ScratchFolder folder;
    tests::write_bytes(folder / "p.cu", R"(
__global__ void beyond(int* a) { a[threadIdx.x + 8] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    beyond<<<1, 32>>>(a);
    cudaFree(a);
}
)");
    const std::string out = shell("tilereel report p.cu", folder.path()).out;
    const std::size_t first = out.find("writes a[32]");
    ASSERT_NE(first, std::string::npos) << out;
    EXPECT_EQ(out.find("writes a[32]", first + 1), std::string::npos) << out;
}

}  // namespace
}  // namespace tilereel::long_program_test
