// Kernels of the ladder at a TILE and PAD that are not built in: compiled on the spot. What they do
// follows from their indices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/ladder/kernel_of_trace.h"
#include "app/ladder/ladder.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/file/trace_file.h"
#include "kernels/catalog.h"
#include "tests/trace/matrix_values.h"
#include "tests/trace/same_trace.h"

namespace tilereel::compiled_ladder_test {
namespace {

using ::testing::HasSubstr;

RecordRequest request_for(std::string_view kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.workers = 2;
    return request;
}

// C is `down` x `across` tiles, and K is `deep` tiles. Each thread of 09 and 11 loads and stores
// two elements a phase, and reads two for each multiply-add; their tiles have rows of TILE + PAD.
void expect_tiled(const char* kernel, int down, int across, int deep, int tile, int pad) {
    SCOPED_TRACE(kernel);
    const KernelParameters p{
        .m = down * tile, .n = across * tile, .k = deep * tile, .tile = tile, .pad = pad};
    const Result<Trace> trace = record_ladder(request_for(kernel, p));
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->launch.kernel, kernel);
    EXPECT_EQ(trace->launch.tile, static_cast<std::uint32_t>(tile));
    EXPECT_EQ(trace->launch.pad, static_cast<std::uint32_t>(pad));
    EXPECT_EQ(trace->launch.shared_bytes, static_cast<std::uint32_t>(2 * tile * (tile + pad) * 4));
    EXPECT_EQ(trace->source, find_kernel(kernel)->source);
    EXPECT_EQ(trace->wrong_elements, 0u);
    EXPECT_TRUE(find_hazards(*trace).empty());
    const KernelCounts counts = sum_of(*trace, count_sites(*trace));
    const auto threads = static_cast<std::uint64_t>(p.m * p.n);
    const auto phases = static_cast<std::uint64_t>(deep), depth = static_cast<std::uint64_t>(p.k);
    EXPECT_EQ(counts.multiply_adds, threads * depth);
    EXPECT_EQ(counts.global_load.accesses, threads * phases * 2);
    EXPECT_EQ(counts.shared_store.accesses, threads * phases * 2);
    EXPECT_EQ(counts.shared_load.accesses, threads * depth * 2);
    EXPECT_EQ(counts.global_store.accesses, threads);
    for (const Array& array : trace->arrays)
        if (array.space == Space::kShared) {
            EXPECT_EQ(array.leading_dimension, static_cast<std::uint32_t>(tile + pad));
            EXPECT_EQ(array.columns, static_cast<std::uint32_t>(tile));
        }
}

TEST(CompiledLadder, MakesTheAccessesOfItsTiles) {
    expect_tiled("09_tiled", 2, 3, 2, 13, 3);
    expect_tiled("11_tiled_dynamic", 2, 1, 2, 12, 3);
}

// All threads of 10 compute in all phases, inside C or not; those inside load and store.
TEST(CompiledLadder, TakesAnySize) {
    const Result<Trace> trace = record_ladder(
        request_for("10_tiled_any_size", {.m = 17, .n = 11, .k = 14, .tile = 10, .pad = 16}));
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->wrong_elements, 0u);
    EXPECT_EQ(trace->launch.shared_bytes, 2u * 10 * 26 * 4);
    const KernelCounts counts = sum_of(*trace, count_sites(*trace));
    EXPECT_EQ(counts.multiply_adds, 20u * 20 * 20);
    // A once for each of two columns of blocks, B for each of two rows.
    EXPECT_EQ(counts.global_load.accesses, 2u * 17 * 14 + 2u * 14 * 11);
    EXPECT_EQ(counts.global_store.accesses, 17u * 11);
    EXPECT_TRUE(find_hazards(*trace).empty());
}

TEST(CompiledLadder, PadsKernelsWithAFixedTileOrWithoutTiles) {
    const Result<Trace> single = record_ladder(
        request_for("06_single_block", {.m = 9, .n = 7, .k = 5, .tile = 16, .pad = 5}));
    ASSERT_TRUE(single) << single.error().message;
    EXPECT_EQ(single->wrong_elements, 0u);
    EXPECT_EQ(single->launch.shared_bytes, (9u * (5 + 5) + 5 * (7 + 5)) * 4);
    EXPECT_EQ(sum_of(*single, count_sites(*single)).multiply_adds, 9u * 7 * 5);
    const Result<Trace> wide = record_ladder(
        request_for("16_vectorized", {.m = 32, .n = 16, .k = 16, .tile = 16, .pad = 16}));
    ASSERT_TRUE(wide) << wide.error().message;
    EXPECT_EQ(wide->wrong_elements, 0u);
    const KernelCounts counts = sum_of(*wide, count_sites(*wide));
    EXPECT_EQ(counts.multiply_adds, 32u * 16 * 16);
    EXPECT_EQ(counts.global_load.accesses, (32u * 16 + 2 * 16 * 16) / 4);  // 16 bytes each
    EXPECT_TRUE(find_hazards(*wide).empty());
}

TEST(CompiledLadder, IsTheSameAsBuiltIn) {
    const RecordRequest request =
        request_for("18_warp_tiled", {.m = 64, .n = 32, .k = 24, .tile = 32, .pad = 0});
    const Result<Trace> compiled = record_compiled(request);
    const Result<Trace> built_in = record_built_in(request);
    ASSERT_TRUE(compiled) << compiled.error().message;
    ASSERT_TRUE(built_in) << built_in.error().message;
    EXPECT_EQ(first_difference(*compiled, *built_in), "");
}

TEST(CompiledLadder, OuterProductsAreRightAtOtherTiles) {
    RecordRequest request =
        request_for("14_outer_product_prefetch", {.m = 64, .n = 64, .k = 96, .tile = 32, .pad = 1});
    const Result<Trace> trace = record_ladder(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->wrong_elements, 0u);
    const KernelCounts counts = sum_of(*trace, count_sites(*trace));
    EXPECT_EQ(counts.multiply_adds, 64u * 64 * 96);
    // Each of the two blocks loads its rows of A once and all of B once.
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
    EXPECT_EQ(values_of(*again, MatrixRole::kC), std::vector<float>(6, 24.0f));  // 4 x 2 x 3
    EXPECT_EQ(values_of(*again, MatrixRole::kFirstC), std::vector<float>(6, 7.0f));
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

TEST(CompiledLadder, WithoutAGpuRecordingOnOneFails) {
    RecordRequest request = request_for("09_tiled", {.m = 13, .n = 13, .k = 13, .tile = 13});
    request.recorder = Recorder::kGpu;
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    const Result<Trace> on_gpu = record_ladder(request);
    unsetenv("CUDA_VISIBLE_DEVICES");
    ASSERT_FALSE(on_gpu);
    EXPECT_THAT(on_gpu.error().message, HasSubstr("use the CPU"));
}

// 13 x 13 threads are six warps. If they run one after another, the first reads what the others
// have not stored yet.
TEST(CompiledLadder, RunsWithoutABarrier) {
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
}  // namespace tilereel::compiled_ladder_test
