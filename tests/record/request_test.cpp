// Requests that are refused, limits of recordings, and how they are cancelled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>

#include "app/ladder/estimate.h"
#include "app/ladder/ladder.h"
#include "instrumentation/analysis/products/computed_elements.h"
#include "instrumentation/analysis/products/product_reference.h"
#include "kernels/variants.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::request_test {
namespace {

using ::testing::HasSubstr;

Error refused(const RecordRequest& request) {
    const Result<Trace> trace = record_built_in(request);
    EXPECT_FALSE(trace.has_value());
    return trace ? Error{} : trace.error();
}

// Elements of C that are not value(row, column).
template <class Value>
std::size_t elements_that_differ(const Trace& trace, const Value& value) {
    std::size_t differ = 0;
    const MatrixElements c = matrix_of(trace, MatrixRole::kC);
    for (std::size_t i = 0; i < c.size(); ++i)
        differ += c[i] != value(i / trace.launch.n, i % trace.launch.n) ? 1 : 0;
    return differ;
}

TEST(Request, UnknownKernelIsAWrongCall) {
    RecordRequest request;
    request.kernel = "99_magic";
    EXPECT_EQ(refused(request).kind, ErrorKind::kWrongCall);
    EXPECT_THAT(refused(request).message, HasSubstr("99_magic"));
    EXPECT_FALSE(estimate_trace_bytes(request));
}

TEST(Request, BadParametersAreAWrongCall) {
    RecordRequest request;
    request.parameters = {.m = 64, .n = 64, .k = 60, .tile = 16, .pad = 0};
    EXPECT_EQ(refused(request).kind, ErrorKind::kWrongCall);
    EXPECT_THAT(refused(request).message, HasSubstr("use 64"));
    for (const int size : {0, -1, -2147483647, kLargestExtent + 1, 2147483647}) {
        request.parameters = {.m = size, .n = 64, .k = 64, .tile = 16, .pad = 0};
        EXPECT_EQ(refused(request).kind, ErrorKind::kWrongCall);
    }
}

TEST(Request, MatricesOfAnotherSizeAreAWrongCall) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {.m = 2, .n = 2, .k = 2, .tile = 2, .pad = 0};
    request.inputs = {.a = {1, 2, 3, 4}, .b = {1, 2}};
    EXPECT_EQ(refused(request).kind, ErrorKind::kWrongCall);
    EXPECT_EQ(refused(request).message, "B has 2 elements; give 2 x 2");
    request.inputs = {.a = {1, 2, 3, 4}, .b = {}};
    EXPECT_EQ(refused(request).message, "give both A and B, or neither");
}

TEST(Request, WhatATraceCannotAddressIsAWrongCall) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {.m = 1 << 20, .n = 1, .k = 1 << 20, .tile = 32, .pad = 0};
    EXPECT_EQ(refused(request).kind, ErrorKind::kWrongCall);
}

TEST(Request, TooLargeIsRefusedBeforehandWithItsEstimate) {
    RecordRequest request;
    request.parameters = {.m = 16384, .n = 16384, .k = 16384, .tile = 16, .pad = 0};
    const Error error = refused(request);
    EXPECT_EQ(error.kind, ErrorKind::kFailed);
    EXPECT_THAT(error.message, HasSubstr("MiB"));
    EXPECT_THAT(error.message, HasSubstr("limit is 4096 MiB"));
    request.parameters = {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 0};
    request.memory_limit_bytes = 1 << 17;
    EXPECT_EQ(refused(request).kind, ErrorKind::kFailed);
    request.memory_limit_bytes = 0;
    EXPECT_EQ(refused(request).kind, ErrorKind::kFailed);
}

// The estimate is an upper bound and at most 30 % too large, for every TILE of each kernel and
// several values of K.
TEST(Request, TheEstimateIsAnUpperBoundOfTheTrace) {
    std::size_t number = 0;
    for (const KernelInfo& info : catalog())
        for (const int tile : {4, 8, 16, 32}) {
            if (!is_built_in(info, tile, 0)) continue;
            const int k = std::array{1, 6, 10}[number++ % 3];
            RecordRequest request;
            request.kernel = info.id;
            request.parameters = {.m = 96, .n = 64, .k = k * 32, .tile = tile, .pad = 0};
            if (info.id == "06_single_block") request.parameters = {100 / k, k, k, tile, 0};
            if (!validate(info, request.parameters)) request.parameters.k = tile;
            if (!validate(info, request.parameters)) continue;
            const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
            const Result<Trace> trace = record_built_in(request);
            ASSERT_TRUE(estimate && trace);
            EXPECT_GE(*estimate, memory_bytes(*trace)) << info.id << ' ' << tile << ' ' << k;
            EXPECT_LE(double(*estimate), 1.3 * double(memory_bytes(*trace)) + 65536)
                << info.id << ' ' << tile << ' ' << k;
        }
    EXPECT_GT(number, catalog().size());
}

// One thread computes all of C. The estimate samples a part of C and scales it.
TEST(Request, TheEstimateOfASingleThreadGrowsWithC) {
    RecordRequest request;
    request.kernel = "cpu_naive";
    request.accumulator_interval = 16;
    request.parameters = {.m = 4096, .n = 4096, .k = 256, .tile = 16, .pad = 0};
    const Result<std::uint64_t> large = estimate_trace_bytes(request);
    request.parameters.m = request.parameters.n = 64;
    const Result<std::uint64_t> small = estimate_trace_bytes(request);
    ASSERT_TRUE(large && small);
    EXPECT_NEAR(double(*large) / double(*small), 64 * 64, 64 * 64 * 0.1);
    request.parameters = {.m = 1024, .n = 1024, .k = 1024, .tile = 16, .pad = 0};
    EXPECT_THAT(refused(request).message, HasSubstr("the recording would take about"));
}

// While a block's records are added to the trace, they are in memory twice. This recording has only
// one block.
TEST(Request, MemoryBesidesTheTraceCounts) {
    RecordRequest request;
    request.parameters = {.m = 16, .n = 16, .k = 4096, .tile = 16, .pad = 0};
    const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
    ASSERT_TRUE(estimate);
    request.memory_limit_bytes = *estimate * 3 / 2;
    EXPECT_THAT(refused(request).message, HasSubstr("the recording would take about"));
    request.memory_limit_bytes = *estimate * 5 / 2;
    EXPECT_TRUE(record_built_in(request).has_value());
}

// Not all blocks fit: the first one, the one in the middle, the last one, the one that is asked
// for, and others. The other blocks do not run, and C is judged where these ones store it.
TEST(Request, SomeBlocksOfALargeProductAreRecorded) {
    RecordRequest request;
    request.parameters = {.m = 256, .n = 128, .k = 64, .tile = 16, .pad = 0};
    const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
    ASSERT_TRUE(estimate);
    request.memory_limit_bytes = *estimate / 2;
    request.block = 77;
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    const std::vector<std::uint32_t>& blocks = trace->chosen_blocks;
    EXPECT_LT(blocks.size(), 128u);
    for (const std::uint32_t block : {0u, 8 * 8 + 4u, 127u, 77u})
        EXPECT_TRUE(std::ranges::binary_search(blocks, block)) << block;
    EXPECT_EQ(trace->wrong_elements, 0u);
    EXPECT_LE(memory_bytes(*trace), request.memory_limit_bytes);
    RecordRequest whole = request;
    whole.memory_limit_bytes = kDefaultMemoryLimitBytes;
    const Result<Trace> all = record_built_in(whole);
    ASSERT_TRUE(all);
    EXPECT_TRUE(all->chosen_blocks.empty());
    EXPECT_EQ(judged_elements(*all), std::nullopt);
    EXPECT_EQ(judged_elements(*trace), blocks.size() * 16 * 16);
    EXPECT_EQ(elements_that_differ(
                  *trace,
                  [&](std::size_t row, std::size_t column) {
                      const auto block = static_cast<std::uint32_t>(row / 16 * 8 + column / 16);
                      return std::ranges::binary_search(blocks, block)
                                 ? matrix_of(*all, MatrixRole::kC)[row * trace->launch.n + column]
                                 : 0.0f;
                  }),
              0u);
    const auto records_of = [](const Trace& of, std::uint32_t block) {
        const SegmentRange range = segments_of_block(of, block);
        return of.segments.record_begin[range.last] - of.segments.record_begin[range.first];
    };
    EXPECT_EQ(records_of(*trace, 77), records_of(*all, 77));
    EXPECT_EQ(records_of(*trace, 1),
              std::ranges::binary_search(blocks, 1u) ? records_of(*all, 1) : 0u);
}

TEST(Request, AWrongElementOfSomeBlocksIsFound) {
    RecordRequest request;
    request.parameters = {.m = 256, .n = 128, .k = 64, .tile = 16, .pad = 0};
    const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
    ASSERT_TRUE(estimate);
    request.memory_limit_bytes = *estimate / 2;
    Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_FALSE(trace->chosen_blocks.empty());
    add_to_element(trace.value(), MatrixRole::kC, 0, 1);
    add_to_element(trace.value(), MatrixRole::kC, 256 * 128 - 1, 1);
    const auto wrong = wrong_product_elements(*trace);
    ASSERT_EQ(wrong.size(), 2u);
    EXPECT_EQ(wrong[0].expected, wrong[0].found - 1);
    EXPECT_EQ(wrong[1].row, 255u);
    EXPECT_EQ(wrong[1].column, 127u);
}

TEST(Request, SomeBlocksOfEachKernelComputeTheirPartOfC) {
    for (const KernelInfo& info : catalog()) {
        RecordRequest request;
        request.kernel = info.id;
        request.parameters = {.m = 1024, .n = 512, .k = 32, .tile = 16, .pad = 0};
        while (request.parameters.tile < 128 && !is_built_in(info, request.parameters.tile, 0))
            request.parameters.tile *= 2;
        const Result<LaunchShape> shape = validate(info, request.parameters);
        if (!shape || shape->grid_x * shape->grid_y < 64) continue;
        const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
        ASSERT_TRUE(estimate) << info.id;
        request.memory_limit_bytes = std::max(*estimate * 2 / 3, std::uint64_t{12} << 20);
        const Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace) << info.id << ": " << trace.error().message;
        EXPECT_EQ(trace->wrong_elements, 0u) << info.id;
        if (trace->chosen_blocks.empty()) continue;
        if (blocks_need_others(*trace)) {  // cpu_tiled adds to C
            EXPECT_FALSE(judged_elements(*trace)) << info.id;
            continue;
        }
        EXPECT_EQ(judged_elements(*trace).value_or(0) * shape->grid_x * shape->grid_y,
                  trace->chosen_blocks.size() * matrix_of(*trace, MatrixRole::kC).size())
            << info.id;
    }
}

TEST(Request, BlocksThatAddToCOrLoadItNeedTheOthers) {
    const Result<Trace> trace = record_built_in({});
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_FALSE(blocks_need_others(*trace));
    for (const Operation operation : {Operation::kAtomic, Operation::kLoad}) {
        Trace other = *trace;
        for (Site& site : other.sites)
            if (site.array == other.product->c) site.operation = operation;
        EXPECT_TRUE(blocks_need_others(other));
    }
}

// Larger than the memory limit by far: what is recorded does not grow with the product.
TEST(Request, SomeBlocksOfAProductOf2048AreAllThatRuns) {
    RecordRequest request;
    request.parameters = {.m = 2048, .n = 2048, .k = 64, .tile = 32, .pad = 0};
    request.memory_limit_bytes = std::uint64_t{256} << 20;
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(judged_elements(*trace), trace->chosen_blocks.size() * 32 * 32);
    EXPECT_EQ(trace->wrong_elements, 0u);
}

TEST(Request, TheEstimateOfAHugeProductNeedsNoMemory) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {.m = 512, .n = 512, .k = 1 << 20, .tile = 32, .pad = 0};
    const Result<std::uint64_t> estimate = estimate_trace_bytes(request);
    ASSERT_TRUE(estimate);
    // 2^18 x 2^20 multiply-adds: at least three 10-byte records for every 32 of them.
    EXPECT_GT(*estimate, (std::uint64_t{1} << 38) / 32 * 30);
}

TEST(Request, IsCancelledBeforeItRecords) {
    RecordProgress progress;
    progress.cancel = true;
    const Result<Trace> trace = record_built_in({}, &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::kCancelled);
}

TEST(Request, IsCancelledWhileItRecords) {
    RecordRequest request;
    request.parameters = {.m = 512, .n = 512, .k = 512, .tile = 16, .pad = 0};
    request.workers = 2;
    RecordProgress progress;
    std::jthread canceller([&] {
        while (progress.blocks_done == 0) std::this_thread::yield();
        progress.cancel = true;
    });
    const Result<Trace> trace = record_built_in(request, &progress);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::kCancelled);
    EXPECT_LT(progress.blocks_done, progress.blocks);
}

TEST(Request, ProgressCountsBlocks) {
    RecordRequest request;
    request.parameters = {.m = 64, .n = 32, .k = 16, .tile = 16, .pad = 0};
    RecordProgress progress;
    ASSERT_TRUE(record_built_in(request, &progress));
    EXPECT_EQ(progress.blocks, 8u);
    EXPECT_EQ(progress.blocks_done, 8u);
}

}  // namespace
}  // namespace tilereel::request_test
