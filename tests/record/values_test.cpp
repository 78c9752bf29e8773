// The values that a recording keeps: all stored values, and partial sums at intervals.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "app/ladder/ladder.h"
#include "instrumentation/trace/views.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::values_test {
namespace {

Trace record(const std::string& kernel, const KernelParameters& p, std::uint32_t interval) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    request.accumulator_interval = interval;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace.has_value()) << trace.error().message;
    return trace ? std::move(trace).value() : Trace{};
}

// Calls visit(segment, record, values of the record or nullptr).
template <class Visit>
void for_each_record(const Trace& trace, Visit&& visit) {
    std::vector<float> floats;
    for (const std::uint32_t word : trace.words) floats.push_back(std::bit_cast<float>(word));
    for (std::size_t s = 0; s < trace.segments.size(); ++s) {
        const float* value = floats.data() + trace.segments.value_begin[s];
        for (const std::uint64_t r : records_of(trace.segments, s)) {
            visit(s, r, has_values(trace, r) ? value : nullptr);
            if (has_values(trace, r)) value += value_count(trace, r);
        }
        EXPECT_EQ(value, floats.data() + trace.segments.value_begin[s + 1]);
    }
}

// What thread (warp, lane) of a block with `edge` threads a row computes: row and column of C.
struct Element {
    std::uint32_t row, column;
};
Element element_of(const Trace& trace, std::size_t segment, std::uint32_t lane) {
    const std::uint32_t thread = trace.segments.warp[segment] * 32u + lane;
    const std::uint32_t block = trace.segments.block[segment];
    const std::uint32_t edge = trace.launch.tile;
    return {block / trace.launch.grid.x * edge + thread / edge,
            block % trace.launch.grid.x * edge + thread % edge};
}

double partial_sum(const Trace& trace, const Element& at, std::uint32_t terms) {
    double sum = 0;
    for (std::uint32_t k = 0; k < terms; ++k)
        sum += double(matrix_of(trace, MatrixRole::kA)[at.row * trace.launch.k + k]) *
               double(matrix_of(trace, MatrixRole::kB)[k * trace.launch.n + at.column]);
    return sum;
}

// Every kept sum is the sum of the terms so far; every `interval`-th is kept, and the last of each
// epoch, and no other.
void expect_sums(const Trace& trace, std::uint32_t interval) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> terms_of_warp;
    for_each_record(trace, [&](std::size_t s, std::uint64_t r, const float* values) {
        if (site_at(trace, r).operation != Operation::kMultiplyAdd) return;
        EXPECT_EQ(trace.records.base[r], 0u);
        std::uint32_t& terms = terms_of_warp[{trace.segments.block[s], trace.segments.warp[s]}];
        ++terms;
        bool last_of_epoch = true;
        for (std::uint64_t i = r + 1; i < trace.segments.record_begin[s + 1]; ++i)
            last_of_epoch = last_of_epoch && site_at(trace, i).operation != Operation::kMultiplyAdd;
        ASSERT_EQ(values != nullptr, terms % interval == 0 || last_of_epoch) << terms;
        if (values == nullptr) return;
        const std::uint32_t mask = trace.patterns[trace.records.pattern[r]].mask;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            if ((mask >> lane & 1u) != 0) {
                ASSERT_EQ(double(*values++), partial_sum(trace, element_of(trace, s, lane), terms));
            }
    });
}

TEST(Values, SumsAreKeptAtEachInterval) {
    const KernelParameters p{.m = 16, .n = 24, .k = 40, .tile = 8, .pad = 0};
    for (const std::uint32_t interval : {1u, 3u, 8u, 16u, 1000u}) {
        expect_sums(record("09_tiled", p, interval), interval);
        expect_sums(record("02_naive", {.m = 13, .n = 9, .k = 21, .tile = 8, .pad = 0}, interval),
                    interval);
    }
}

// Each thread has 16 sums. Of the multiply-adds of a warp into one sum, every fifth is kept, and
// the last of each epoch.
TEST(Values, EachOfManySumsIsKeptAtItsInterval) {
    const Trace trace = record("15_register_tile", {.m = 32, .n = 16, .k = 48, .tile = 16}, 5);
    EXPECT_EQ(trace.accumulators, 16u);
    using Sum =
        std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // block, warp, accumulator
    std::map<Sum, std::uint32_t> done;
    std::map<std::pair<Sum, std::uint32_t>, std::uint64_t> last;  // of an epoch
    const auto sum_of = [&](std::size_t s, std::uint64_t r) {
        return Sum{trace.segments.block[s], trace.segments.warp[s], trace.records.base[r]};
    };
    const auto is_sum = [&](std::uint64_t r) {
        return site_at(trace, r).operation == Operation::kMultiplyAdd;
    };
    for_each_record(trace, [&](std::size_t s, std::uint64_t r, const float*) {
        if (is_sum(r)) last[{sum_of(s, r), trace.segments.epoch[s]}] = r;
    });
    for_each_record(trace, [&](std::size_t s, std::uint64_t r, const float* values) {
        if (!is_sum(r)) return;
        const bool due = ++done[sum_of(s, r)] % 5 == 0;
        const bool is_last = last.at({sum_of(s, r), trace.segments.epoch[s]}) == r;
        EXPECT_EQ(values != nullptr, due || is_last) << r;
    });
    for (const auto& [sum, count] : done) EXPECT_EQ(count, 48u);
}

TEST(Values, DefaultIntervalKeepsAllOfASmallProduct) {
    EXPECT_EQ(record("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 16}, 0).accumulator_interval,
              1u);
    EXPECT_EQ(record("09_tiled", {.m = 128, .n = 128, .k = 64, .tile = 16}, 0).accumulator_interval,
              1u);  // 2^20 multiply-adds exactly
    EXPECT_EQ(record("09_tiled", {.m = 128, .n = 128, .k = 80, .tile = 16}, 0).accumulator_interval,
              16u);
}

// Each store's values are what the array then holds: A's and B's elements in As and Bs, C's in C.
TEST(Values, StoresKeepWhatWasStored) {
    const Trace trace = record("09_tiled", {.m = 8, .n = 12, .k = 8, .tile = 4, .pad = 1}, 1);
    std::size_t stores = 0;
    for_each_record(trace, [&](std::size_t s, std::uint64_t r, const float* values) {
        const Site& site = site_at(trace, r);
        if (site.operation != Operation::kStore) return;
        ASSERT_NE(values, nullptr);
        const LaneOffsets lanes = lane_offsets(trace, r);
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            if ((lanes.mask >> lane & 1u) == 0) continue;
            const Element at = element_of(trace, s, lane);
            const std::uint32_t k0 = trace.segments.epoch[s] / 2 * 4;  // two epochs a phase
            float expected = 0;
            if (site.array == 2)
                expected = matrix_of(trace, MatrixRole::kC)[lanes.bytes[lane] / 4];
            else if (trace.arrays[site.array].name == "As")
                expected = matrix_of(trace, MatrixRole::kA)[at.row * 8 + k0 + lane % 4];
            else
                expected = matrix_of(trace, MatrixRole::kB)[(k0 + lane / 4) * 12 + at.column];
            EXPECT_EQ(*values++, expected);
            ++stores;
        }
    });
    EXPECT_EQ(stores, 8u * 12 * (2 * 2 + 1));  // two tiles a phase, two phases, C
}

TEST(Values, TraceHoldsInputsSourceAndLaunch) {
    RecordRequest request;
    request.kernel = "02_naive";
    request.parameters = {.m = 2, .n = 3, .k = 1, .tile = 4, .pad = 0};
    request.inputs = {.a = {0.5f, -2.0f}, .b = {1.0f, 2.0f, -4.0f}};
    const Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace);
    EXPECT_EQ(values_of(*trace, MatrixRole::kC),
              (std::vector<float>{0.5f, 1.0f, -2.0f, -2.0f, -4.0f, 8.0f}));
    EXPECT_EQ(values_of(*trace, MatrixRole::kA), request.inputs.a);
    EXPECT_EQ(values_of(*trace, MatrixRole::kB), request.inputs.b);
    EXPECT_EQ(trace->launch.seed, 0u);
    EXPECT_EQ(trace->launch.kernel, "02_naive");
    EXPECT_EQ(trace->source_name, "02_naive.cu");
    EXPECT_EQ(trace->source, find_kernel("02_naive")->source);
    EXPECT_TRUE(trace->complete);
    EXPECT_EQ(trace->recorded_by.recorder, "cpu");
    EXPECT_EQ(trace->accumulators, 1u);
}

// A site's line is the line of the source text that holds its access.
TEST(Values, SitesNameTheLinesOfTheSource) {
    const Trace trace = record("09_tiled", {.m = 4, .n = 4, .k = 4, .tile = 4, .pad = 0}, 1);
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < trace.source.size();) {
        const std::size_t end = trace.source.find('\n', at);
        lines.push_back(trace.source.substr(at, end - at));
        at = end + 1;
    }
    for (const Site& site : trace.sites) {
        const std::string& line = lines.at(site.line);
        if (site.operation == Operation::kBarrier)
            EXPECT_NE(line.find("__syncthreads()"), std::string::npos) << site.line;
        else if (site.operation == Operation::kMultiplyAdd)
            EXPECT_NE(line.find("sum +="), std::string::npos) << site.line;
        else
            EXPECT_NE(line.find(trace.arrays[site.array].name + "["), std::string::npos)
                << site.line;
    }
    EXPECT_EQ(trace.sites.size(), 10u);
}

}  // namespace
}  // namespace tilereel::values_test
