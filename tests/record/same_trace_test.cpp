// A recording is the same, byte for byte, however many workers made it.
#include "tests/trace/same_trace.h"

#include <gtest/gtest.h>

#include "app/ladder/ladder.h"

namespace tilereel::same_trace_test {
namespace {

void expect_same_for_any_workers(const char* kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    request.workers = 1;
    const Result<Trace> one = record_built_in(request);
    ASSERT_TRUE(one) << one.error().message;
    for (const unsigned workers : {2u, 3u, 7u}) {
        request.workers = workers;
        const Result<Trace> many = record_built_in(request);
        ASSERT_TRUE(many) << many.error().message;
        EXPECT_EQ(first_difference(*one, *many), "") << kernel << ", " << workers << " workers";
    }
}

TEST(SameTrace, ForAnyNumberOfWorkers) {
    expect_same_for_any_workers("09_tiled", {.m = 96, .n = 64, .k = 48, .tile = 16, .pad = 1});
    expect_same_for_any_workers("08_tiled_b_transposed",
                                {.m = 40, .n = 24, .k = 16, .tile = 4, .pad = 2});
    expect_same_for_any_workers("02_naive", {.m = 61, .n = 45, .k = 19, .tile = 8, .pad = 0});
    expect_same_for_any_workers("01_naive_by_column",
                                {.m = 33, .n = 90, .k = 7, .tile = 32, .pad = 0});
}

TEST(SameTrace, TableEntriesAppearInOrderOfFirstUse) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {.m = 61, .n = 45, .k = 19, .tile = 8, .pad = 0};
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace);
    std::size_t sites = 0, patterns = 0;
    for (std::size_t i = 0; i < trace->records.size(); ++i) {
        ASSERT_LE(site_of(*trace, i), sites);
        sites = std::max<std::size_t>(sites, site_of(*trace, i) + 1u);
        ASSERT_LE(trace->records.pattern[i], patterns);
        patterns = std::max<std::size_t>(patterns, trace->records.pattern[i] + 1u);
    }
    EXPECT_EQ(sites, trace->sites.size());
    EXPECT_EQ(patterns, trace->patterns.size());
}

TEST(SameTrace, SegmentsAreSortedByBlockEpochWarp) {
    RecordRequest request;
    request.parameters = {.m = 64, .n = 32, .k = 48, .tile = 16, .pad = 0};
    request.workers = 3;
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace);
    const Segments& s = trace->segments;
    ASSERT_EQ(s.record_begin.size(), s.size() + 1);
    ASSERT_EQ(s.value_begin.size(), s.size() + 1);
    for (std::size_t i = 1; i < s.size(); ++i) {
        EXPECT_LT(std::tuple(s.block[i - 1], s.epoch[i - 1], s.warp[i - 1]),
                  std::tuple(s.block[i], s.epoch[i], s.warp[i]));
        EXPECT_LT(s.record_begin[i - 1], s.record_begin[i]);
    }
    EXPECT_EQ(s.record_begin.back(), trace->records.size());
    EXPECT_EQ(s.value_begin.back(), trace->words.size());
}

}  // namespace
}  // namespace tilereel::same_trace_test
