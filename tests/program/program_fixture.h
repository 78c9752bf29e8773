#pragma once
// Runs the text of a CUDA program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/program/program.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel::program {

// Block 70, which is not recorded, has an endless loop on line 4.
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

// Structures with members of one size, with members of several sizes, and with a base class; and a
// vector type, which is not a structure.
inline constexpr const char* kStructures = R"(#include <cuda_fp16.h>
struct Particle { float x, y; struct { int kind; unsigned flags[2]; } tag; };
struct Mixed { double mass; int id; char letter; __half h; };
struct Base { int key; };
struct Derived : Base { float value; };
__device__ Derived table[4];
__global__ void k(Particle* p, Mixed* m, float4* v) {
    __shared__ Particle s[8];
    int i = threadIdx.x;
    p[i].x = i;
    p[i].tag.kind = -i;
    s[i] = p[i];
    m[i].id = i;
    v[i].w = 1;
    if (i < 4) table[i].value = 2 * s[i].x;
}
int main() {
    Particle* p;
    Mixed* m;
    float4* v;
    cudaMalloc(&p, 8 * sizeof *p);
    cudaMalloc(&m, 8 * sizeof *m);
    cudaMalloc(&v, 8 * sizeof *v);
    cudaMemset(p, 0, 8 * sizeof *p);
    k<<<1, 8>>>(p, m, v);
    cudaFree(p);
    cudaFree(m);
    cudaFree(v);
}
)";

class Program : public testing::Test {
  protected:
    Program() {
        std::string name =
            (std::filesystem::temp_directory_path() / "program-test-XXXXXX").string();
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
    // Checks the trace of kStructures: each member has the declared type and offset.
    void expect_the_types_of_members() {
        const ProgramRun ran = run(kStructures);
        ASSERT_EQ(ran.launches.size(), 1u)
            << ran.end_sentence
            << (ran.compile_errors.empty() ? "" : ran.compile_errors.front().message);
        const Trace trace = trace_of(ran.launches[0]);
        using enum ElementType;
        const std::vector<Component> particle = {{0, 4, kFloat32, "x"},
                                                 {4, 4, kFloat32, "y"},
                                                 {8, 4, kInt32, "tag.kind"},
                                                 {12, 4, kUint32, "tag.flags[0]"},
                                                 {16, 4, kUint32, "tag.flags[1]"}};
        const std::map<std::string, std::pair<ElementType, std::vector<Component>>> expected = {
            {"p", {kFloat32, particle}},
            {"s", {kFloat32, particle}},
            {"m",
             {kBytes,
              {{0, 8, kFloat64, "mass"},
               {8, 4, kInt32, "id"},
               {12, 1, kInt8, "letter"},
               {14, 2, kFloat16, "h"}}}},
            {"v", {kFloat32, {}}},
            {"table", {kInt32, {{0, 4, kInt32, "key"}, {4, 4, kFloat32, "value"}}}}};
        EXPECT_EQ(trace.arrays.size(), expected.size());
        for (const Array& array : trace.arrays) {
            ASSERT_TRUE(expected.contains(array.name)) << array.name;
            const auto& [type, components] = expected.at(array.name);
            EXPECT_EQ(array.type, type) << array.name;
            EXPECT_EQ(array.components, components) << array.name;
        }
        // Five words of a particle are read and written, and the summary counts them.
        EXPECT_EQ(accesses(trace, 12, "s", Operation::kStore), 8u * 5);
        EXPECT_EQ(ran.launches[0].accesses, 8u * (1 + 1 + 5 + 5 + 1 + 1) + 4 * 2);
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

}  // namespace tilereel::program
