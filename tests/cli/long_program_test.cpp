// `tilereel report` of a program that takes long: the lines of a launch come as soon as its
// recording is done, and an interrupt keeps what there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"

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
