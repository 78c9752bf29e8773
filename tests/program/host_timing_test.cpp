// Host code that times a kernel without waiting for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program_fixture.h"

namespace tilereel::program::host_timing_test {
namespace {

using testing::HasSubstr;

// The warnings about timing of a program whose main() has `body` from line 8 on; x is device memory
// of 64 floats.
class HostTiming : public Program {
  protected:
    std::string warnings(const std::string& body) {
        const ProgramRun ran = run(R"(#include <sys/time.h>
#include <time.h>
#include <chrono>
__global__ void scale(float* x) { x[threadIdx.x] *= 2; }
int main() {
    float* x;
    cudaMalloc(&x, 256); cudaMemset(x, 0, 256);
)" + body + "\n    cudaFree(x);\n}\n");
        EXPECT_EQ(ran.end_sentence, "The program ended.");
        std::string all;
        for (const RecordedFinding& finding : ran.findings) {
            EXPECT_FALSE(finding.error) << finding.what;
            all += finding.what;
        }
        return all;
    }
};

constexpr const char* kNow = "std::chrono::steady_clock::now();";

TEST_F(HostTiming, OfALaunchAloneIsAWarning) {
    const std::string now = kNow;
    EXPECT_EQ(warnings("    auto a = " + now + "\n    scale<<<1, 64>>>(x);\n    auto b = " + now +
                       "\n    (void)a; (void)b;"),
              "Nothing waits for scale (launched on line 9) before the time is read, on line 10.");
    // The first launch counts, and one sentence is enough.
    EXPECT_EQ(warnings("    timespec t; clock_gettime(CLOCK_MONOTONIC, &t);\n"
                       "    for (int i = 0; i < 3; ++i)\n"
                       "        scale<<<1, 64>>>(x);\n"
                       "    clock_gettime(CLOCK_MONOTONIC, &t);\n"
                       "    scale<<<1, 64>>>(x);\n"
                       "    clock_gettime(CLOCK_MONOTONIC, &t);"),
              "Nothing waits for scale (launched on line 10) before the time is read, on line 11.");
    EXPECT_THAT(warnings("    timeval t; gettimeofday(&t, nullptr);\n"
                         "    scale<<<1, 64>>>(x);\n"
                         "    gettimeofday(&t, nullptr);"),
                HasSubstr("(launched on line 9) before the time is read, on line 10."));
}

TEST_F(HostTiming, ThatWaitsIsRight) {
    const std::string now = kNow;
    for (const std::string wait : {"cudaDeviceSynchronize();", "cudaStreamSynchronize(0);",
                                   "float h; cudaMemcpy(&h, x, 4, "
                                   "cudaMemcpyDeviceToHost);"})
        EXPECT_EQ(warnings("    auto a = " + now + "\n    scale<<<1, 64>>>(x);\n    " + wait +
                           "\n    auto b = " + now + "\n    (void)a; (void)b;"),
                  "")
            << wait;
    // The time is not read before the launch: this is no timing of it.
    EXPECT_EQ(warnings("    scale<<<1, 64>>>(x);\n    auto b = " + now +
                       "\n    (void)b; cudaDeviceSynchronize();"),
              "");
    EXPECT_EQ(warnings("    auto a = " + now + "\n    cudaDeviceSynchronize();\n" +
                       "    scale<<<1, 64>>>(x);\n    auto b = " + now + "\n    (void)a; (void)b;"),
              "");
}

TEST_F(HostTiming, ByEventsWaitsForTheSecond) {
    const auto timed = [&](const std::string& wait) {
        return warnings(
            "    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);\n"
            "    cudaEventRecord(a);\n    scale<<<1, 64>>>(x);\n"
            "    cudaEventRecord(b);\n    " +
            wait + " float ms; cudaEventElapsedTime(&ms, a, b);");
    };
    EXPECT_EQ(timed(""),
              "Nothing waits for scale (launched on line 10) before the time between two events is "
              "asked for, on line 12.");
    EXPECT_EQ(timed("cudaEventSynchronize(b);"), "");
    EXPECT_EQ(timed("cudaDeviceSynchronize();"), "");
}

TEST_F(HostTiming, AProgramMayHaveItsOwnClock) {
    const ProgramRun ran = run(R"(#include <cstdio>
#include <ctime>
extern "C" int clock_gettime(clockid_t, timespec* t) noexcept {
    t->tv_sec = 5;
    return 7;
}
__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    timespec t;
    int sum = clock_gettime(CLOCK_REALTIME, &t);
    k<<<1, 32>>>(a);
    sum += clock_gettime(CLOCK_REALTIME, &t);
    printf("%d %d", sum, (int)t.tv_sec);
    cudaFree(a);
})");
    EXPECT_EQ(ran.output, "14 5");
    EXPECT_EQ(ran.launches.size(), 1u);
}

}  // namespace
}  // namespace tilereel::program::host_timing_test
