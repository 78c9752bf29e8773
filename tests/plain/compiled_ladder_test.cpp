// Kernels of the ladder at a TILE and PAD that are not built in: compiled on the spot, against the
// dialect's kernel, instantiated here with the same TILE and PAD and recorded by the emulator.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/plain/ladder.h"
#include "instrumentation/record/emulated_kernel.h"
#include "instrumentation/record/kernel_of_trace.h"
#include "instrumentation/record/record_plan.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/variants.h"
#include "ladder_kernels.h"
#include "tests/plain/same_trace.h"

namespace tilereel::plain {
namespace {

using ::testing::HasSubstr;

RecordRequest request_for(std::string_view kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.workers = 2;
    return request;
}

// As the emulator records the dialect's kernel, whether or not it is built in.
Trace emulated(const RecordRequest& request, KernelBody body) {
    const Result<RequestedLaunch> launch = launch_of(request);
    EXPECT_TRUE(launch) << (launch ? "" : launch.error().message);
    EmulatedLaunch emulated;
    emulated.launch = traced_launch(*launch, request);
    emulated.body = body;
    emulated.dynamic_shared_bytes = launch->shape.dynamic_shared_bytes;
    Result<Trace> trace = emulate(emulated, inputs_of(request));
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
    return std::move(trace).value();
}

void compare(const char* kernel, const KernelParameters& parameters, KernelBody body) {
    SCOPED_TRACE(std::string(kernel) + " TILE " + std::to_string(parameters.tile) + " PAD " +
                 std::to_string(parameters.pad));
    const RecordRequest request = request_for(kernel, parameters);
    const Result<Trace> compiled = record_ladder(request);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_EQ(compiled->launch.kernel, kernel);
    EXPECT_EQ(compiled->launch.tile, static_cast<std::uint32_t>(parameters.tile));
    EXPECT_EQ(compiled->launch.pad, static_cast<std::uint32_t>(parameters.pad));
    EXPECT_EQ(compiled->source, find_kernel(kernel)->plain_source);
    EXPECT_EQ(compiled->wrong_elements, 0u);
    const Trace expected = emulated(request, body);
    EXPECT_EQ(compiled->launch.shared_bytes, expected.launch.shared_bytes);
    expect_same_launch(*compiled, expected);
    expect_same_pitches(*compiled, expected);
    expect_same_events(events_of(*compiled), events_of(expected));
}

TEST(CompiledLadder, RecordsWhatTheEmulatorWould) {
    compare("09_tiled", {.m = 26, .n = 39, .k = 26, .tile = 13, .pad = 3}, body_of<tiled<13, 3>>);
    compare("10_tiled_any_size", {.m = 17, .n = 11, .k = 14, .tile = 10, .pad = 16},
            body_of<tiled_any_size<10, 16>>);
    compare("11_tiled_dynamic", {.m = 24, .n = 12, .k = 24, .tile = 12, .pad = 3},
            body_of<tiled_dynamic<3>>);
    compare("06_single_block", {.m = 9, .n = 7, .k = 5, .tile = 16, .pad = 5},
            body_of<single_block<5>>);
    compare("16_vectorized", {.m = 32, .n = 16, .k = 16, .tile = 16, .pad = 16},
            body_of<vectorized<16, 16>>);
}

// What the dialect has no loop for: its outer products load with TILE 16 only.
TEST(CompiledLadder, OuterProductsAreRightAtOtherTiles) {
    RecordRequest request =
        request_for("14_outer_product_prefetch", {.m = 64, .n = 64, .k = 96, .tile = 32, .pad = 1});
    const Result<Trace> trace = record_ladder(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->wrong_elements, 0u);
    const KernelCounts counts = sum_of(*trace, count_sites(*trace));
    EXPECT_EQ(counts.multiply_adds, 64u * 64 * 96);
    // Each of the two blocks loads its rows of A once, and each k of B for each of its rows' tiles.
    EXPECT_EQ(counts.global_load.accesses, 64u * 96 + 2 * 96 * 64);
    EXPECT_TRUE(find_hazards(*trace).empty());
}

// Going back to a TILE compiles nothing: even without a compiler it is recorded, for other sizes
// and matrices, too.
TEST(CompiledLadder, KeepsWhatItHasCompiled) {
    RecordRequest request = request_for("02_naive", {.m = 6, .n = 7, .k = 5, .tile = 5});
    ASSERT_TRUE(record_ladder(request));
    setenv("TILEREEL_CXX", "/no/such/compiler", 1);
    request.parameters = {.m = 3, .n = 2, .k = 4, .tile = 5};
    request.inputs = {.a = std::vector<float>(12, 2.0f),
                      .b = std::vector<float>(8, 3.0f),
                      .c = std::vector<float>(6, 7.0f)};
    const Result<Trace> again = record_ladder(request);
    request.parameters.tile = 6;
    const Result<Trace> other = record_ladder(request);
    unsetenv("TILEREEL_CXX");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->c, std::vector<float>(6, 24.0f));  // 4 x 2 x 3
    EXPECT_EQ(again->c_before, std::vector<float>(6, 7.0f));
    EXPECT_EQ(again->launch.seed, 0u);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("apt-get install g++"));
}

TEST(CompiledLadder, IsReadBackAsThatKernelOrRefused) {
    const RecordRequest request = request_for("02_naive", {.m = 6, .n = 7, .k = 5, .tile = 5});
    Result<Trace> trace = record_ladder(request);
    ASSERT_TRUE(trace) << trace.error().message;
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("ladder-" + std::to_string(getpid()) + ".npz");
    ASSERT_TRUE(write_trace(*trace, file));
    const Result<Trace> read = open_trace(file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(kernel_of_trace(*read), find_kernel("02_naive"));
    (*trace).launch.tile = 33;
    ASSERT_TRUE(write_trace(*trace, file));
    const Result<Trace> broken = open_trace(file);
    std::filesystem::remove(file);
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().message, HasSubstr("33 x 33 = 1,089 threads"));
}

TEST(CompiledLadder, ACancelledCompilationIsCancelled) {
    RecordProgress progress;
    progress.cancel = true;
    const Result<Trace> trace =
        record_ladder(request_for("02_naive", {.m = 6, .n = 6, .k = 6, .tile = 6}), &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::kCancelled);
}

TEST(CompiledLadder, WithoutAGpuNoneIsRecordedOn) {
    RecordRequest request = request_for("09_tiled", {.m = 13, .n = 13, .k = 13, .tile = 13});
    request.recorder = Recorder::kGpu;
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    const Result<Trace> on_gpu = record_ladder(request);
    unsetenv("CUDA_VISIBLE_DEVICES");
    ASSERT_FALSE(on_gpu);
    EXPECT_THAT(on_gpu.error().message, HasSubstr("use the emulator"));
}

// 13 x 13 threads are six warps. If they run one after another, the first reads what the others
// have not stored yet.
TEST(CompiledLadder, WhatIsNotBuiltInCanLoseABarrier) {
    RecordRequest request = request_for("09_tiled", {.m = 13, .n = 13, .k = 13, .tile = 13});
    request.removed_barrier = static_cast<std::uint32_t>(find_kernel("09_tiled")->barriers[0].line);
    request.order = ThreadOrder::kWarpsForward;
    const Result<Trace> without = record_ladder(request);
    ASSERT_TRUE(without) << without.error().message;
    EXPECT_EQ(without->launch.removed_barrier, request.removed_barrier);
    EXPECT_GT(without->wrong_elements, 0u);
    EXPECT_FALSE(find_hazards(*without).empty());
}

}  // namespace
}  // namespace tilereel::plain
