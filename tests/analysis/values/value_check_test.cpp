// check_values() accepts a recording as it was made, and rejects it after a value was changed.
#include "instrumentation/analysis/values/value_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "app/ladder/ladder.h"
#include "kernels/catalog.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::value_check_test {
namespace {

using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// The first size of a few that the kernel takes with its smallest TILE.
KernelParameters small(const KernelInfo& kernel) {
    const int tile = kernel.tiles.front(), pad = kernel.pads.back();
    for (const int edge : {8, 16, 32, 64, 128, 256})
        for (const int k : {edge, tile})
            if (const KernelParameters p{edge, edge, k, tile, pad}; validate(kernel, p)) return p;
    return {};
}

Trace recorded(const std::string& kernel, const KernelParameters& parameters,
               std::uint32_t removed_barrier = 0, std::uint32_t interval = 0) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.removed_barrier = removed_barrier;
    request.order = removed_barrier == 0 ? ThreadOrder::kRoundRobin : ThreadOrder::kWarpsBackward;
    request.accumulator_interval = interval;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << kernel << ": " << (trace ? "" : trace.error().message);
    return trace ? std::move(trace).value() : Trace{};
}

Trace tiled() { return recorded("09_tiled", {16, 16, 16, 4, 0}); }

// The first value that a site of this operation and array keeps.
std::size_t first_value(const Trace& trace, Operation operation, ArrayId array) {
    std::size_t value = 0;
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const Site& site = site_at(trace, record);
        if (site.operation == operation &&
            (operation == Operation::kMultiplyAdd || site.array == array))
            return value;
        if (has_values(trace, record)) value += value_count(trace, record);
    }
    ADD_FAILURE() << "no such record";
    return 0;
}

// Changes a kept value.
void add(Trace& trace, std::size_t value, float more) {
    std::uint32_t& word = trace.words[value];
    word = std::bit_cast<std::uint32_t>(std::bit_cast<float>(word) + more);
}

std::string fault(const Trace& trace) {
    const Status sound = check_values(trace);
    return sound ? "" : sound.error().message;
}

TEST(CheckValues, EveryKernelIsSoundAndExplained) {
    for (const KernelInfo& kernel : catalog()) {
        for (const std::uint32_t interval : {1u, 16u}) {
            const Trace trace = recorded(std::string(kernel.id), small(kernel), 0, interval);
            const ValueCount count = count_values(trace);
            EXPECT_EQ(count.unexplained, 0u) << kernel.id << ": " << count.first;
            // Values of 2 bytes and products of tensor cores are not explained.
            if (kernel.inputs == InputType::kFloat32) {
                EXPECT_GT(count.explained, 0u) << kernel.id;
            }
            EXPECT_EQ(fault(trace), "") << kernel.id;
        }
    }
}

TEST(CheckValues, EveryKernelIsSoundWithoutOneOfItsBarriers) {
    for (const KernelInfo& kernel : catalog())
        for (const KernelBarrier& barrier : kernel.barriers)
            // With clusters such a launch can end with an error, because a block fills a stage of
            // another block too early.
            if (!kernel.clusters) {
                EXPECT_EQ(fault(recorded(std::string(kernel.id), small(kernel),
                                         static_cast<std::uint32_t>(barrier.line))),
                          "")
                    << kernel.id << ' ' << barrier.line;
            }
}

TEST(CheckValues, AChangeOfAnyKeptValueIsFound) {
    const Trace sound = tiled();
    for (std::size_t i = 0; i < sound.words.size(); ++i) {
        Trace trace = sound;
        add(trace, i, 1000);
        EXPECT_NE(fault(trace), "") << i;
    }
}

TEST(CheckValues, AChangedSumOrTileIsNamed) {
    Trace trace = tiled();
    add(trace, first_value(trace, Operation::kMultiplyAdd, kNoArray), 1);
    EXPECT_THAT(fault(trace), HasSubstr("thread (0,0) of warp 0 of block 0,0 has a sum of"));
    trace = tiled();
    add(trace, first_value(trace, Operation::kStore, 3), 7);
    EXPECT_THAT(fault(trace), HasSubstr("stores"));
}

TEST(CheckValues, CHoldsWhatWasStoredLast) {
    Trace trace = tiled();
    add_to_element(trace, MatrixRole::kC, 37, 1);
    EXPECT_THAT(fault(trace), HasSubstr("its C[2][5] is"));
    trace = tiled();
    change_matrix(trace, MatrixRole::kC,
                  [](std::vector<float>& values) { std::ranges::fill(values, kNaN); });
    EXPECT_THAT(fault(trace), HasSubstr("its C[0][0] is NaN"));
}

TEST(CheckValues, AMatrixThatDiffersFromWhatWasLoadedIsFound) {
    for (const MatrixRole matrix : {MatrixRole::kA, MatrixRole::kB}) {
        Trace trace = tiled();
        add_to_element(trace, matrix, 5, 40);
        EXPECT_NE(fault(trace), "");
    }
}

// The copies of 19 are asynchronous.
// The champion reads a copy of B whose rows are padded to 20 floats.
TEST(CheckValues, MatricesOfPaddedRowsAreReadElementByElement) {
    Trace trace = recorded("20_champion", {17, 18, 20, 16, 0});
    ASSERT_EQ(trace.arrays[1].leading_dimension, 20u);
    const Status sound = check_values(trace);
    EXPECT_TRUE(sound) << sound.error().message;
    add_to_element(trace, MatrixRole::kB, 18 * 19 + 17, 1);  // the last element
    EXPECT_FALSE(check_values(trace));
}

TEST(CheckValues, ACopyStoresWhatItLoads) {
    Trace trace = recorded("19_async_pipeline", {8, 8, 8, 8, 0});
    ASSERT_EQ(fault(trace), "");
    add(trace, first_value(trace, Operation::kCopyStore, 3), 1);
    EXPECT_THAT(fault(trace), HasSubstr("where the matrix has"));
}

TEST(CheckValues, ACompleteTraceHasRecordsOfEveryBlock) {
    Trace trace = tiled();
    Segments& segments = trace.segments;
    const SegmentRange last = segments_of_block(trace, 15);
    const auto records = static_cast<std::ptrdiff_t>(segments.record_begin[last.first]);
    trace.records.site.resize(records);
    trace.records.pattern.resize(records);
    trace.records.base.resize(records);
    trace.words.resize(segments.value_begin[last.first]);
    segments.block.resize(last.first);
    segments.epoch.resize(last.first);
    segments.warp.resize(last.first);
    segments.record_begin.resize(last.first + 1);
    segments.value_begin.resize(last.first + 1);
    EXPECT_THAT(fault(trace), HasSubstr("has records of 15 of its 16 blocks"));
    trace.complete = false;
    EXPECT_EQ(fault(trace), "");
}

TEST(CheckValues, ATraceWithoutRecordsIsNotComplete) {
    Trace trace = tiled();
    trace.records = {};
    trace.segments = {};
    trace.segments.record_begin = trace.segments.value_begin = {0};
    trace.words.clear();
    EXPECT_THAT(fault(trace), HasSubstr("has records of 0 of its 16 blocks"));
}

// A kernel that computes in an unusual way has unexplained values when it is recorded. Only a
// change in their number is damage.
TEST(CheckValues, ValuesUnexplainedWhenRecordedAreNotDamage) {
    Trace trace = tiled();
    add(trace, first_value(trace, Operation::kMultiplyAdd, kNoArray), 1);
    trace.unexplained_values = count_values(trace).unexplained;
    ASSERT_GT(*trace.unexplained_values, 0u);
    EXPECT_EQ(fault(trace), "");
    add(trace, first_value(trace, Operation::kStore, 3), 7);
    EXPECT_NE(fault(trace), "");
}

}  // namespace
}  // namespace tilereel::value_check_test
