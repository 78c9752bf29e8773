#pragma once
// Runs the text of a CUDA program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel::plain {

// Block 70, which is not recorded, loops for ever on line 4.
inline constexpr const char* kEndlessLoop = R"(
__global__ void k(volatile int* a) {
    if (blockIdx.x == 70)
        while (a[1] != 2) {
        }
    a[0] = 1;
}
int main() {
    int* a;
    cudaMalloc(&a, 128);
    k<<<100, 32>>>(a);
}
)";

class Program : public testing::Test {
  protected:
    Program() {
        std::string name = (std::filesystem::temp_directory_path() / "plain-test-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~Program() override { std::filesystem::remove_all(folder_); }

    ProgramRun run(const std::string& text) {
        request_.file = folder_ / "program.cu";
        std::ofstream(request_.file) << text;
        Result<ProgramRun> result = run_program(request_);
        EXPECT_TRUE(result) << (result ? "" : result.error().message);
        return result ? *result : ProgramRun{};
    }
    static Trace trace_of(const LaunchSummary& launch) {
        Result<Trace> trace = read_trace(launch.trace);
        EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
        return trace ? *trace : Trace{};
    }
    // Accesses of an array on a line.
    static std::uint64_t accesses(const Trace& trace, std::uint32_t line, const std::string& array,
                                  Operation operation) {
        std::uint64_t sum = 0;
        for (const SiteCounts& counted : count_sites(trace)) {
            const tilereel::Site& site = trace.sites[counted.site];
            if (site.line == line && site.operation == operation && site.array != kNoArray &&
                trace.arrays[site.array].name == array)
                sum += counted.counts.accesses;
        }
        return sum;
    }
    std::filesystem::path folder_;
    ProgramRequest request_;
};

}  // namespace tilereel::plain
