#include "instrumentation/trace/check/trace_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/trace/matrix_values.h"
#include "tests/trace/sample_trace.h"

namespace tilereel::tests::trace_check_test {
namespace {

using ::testing::HasSubstr;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(CheckTrace, TheSampleIsSound) {
    const Status checked = check_trace(sample_trace());
    EXPECT_TRUE(checked) << checked.error().message;
}

TEST(CheckTrace, AnEmptyRecordingIsSound) {
    Trace trace = sample_trace();
    trace.records = {};
    trace.words.clear();
    trace.segments = {{}, {}, {}, {0}, {0}};
    const Status checked = check_trace(trace);
    EXPECT_TRUE(checked) << checked.error().message;
}

// Now the source has a barrier on line 4, and it was left out.
void lose_barrier(Trace& trace) {
    trace.source = "line one\nline two\nline three\n__syncthreads();\n";
    trace.launch.removed_barrier = 4;
}

// A kernel may compute NaN, or read shared memory that nobody had written.
TEST(CheckTrace, ValuesMayBeNaN) {
    Trace trace = sample_trace();
    trace.words[3] = std::bit_cast<std::uint32_t>(kNaN);
    EXPECT_TRUE(check_trace(trace));
    lose_barrier(trace);
    for (const ThreadOrder order : {ThreadOrder::kRoundRobin, ThreadOrder::kLanes}) {
        trace.launch.order = order;
        trace.words[3] = std::bit_cast<std::uint32_t>(kNaN);
        const Status checked = check_trace(trace);
        EXPECT_TRUE(checked) << checked.error().message;
    }
}

struct Damage {
    const char* expected;
    std::function<void(Trace&)> apply;
};

// Each breaks one promise of trace.h.
const std::vector<Damage>& damages() {
    static const std::vector<Damage> all = {
        {"impossible size", [](Trace& t) { t.launch.m = 0; }},
        {"impossible size", [](Trace& t) { t.launch.k = 0xffffffff; }},
        {"sizes of its launch", [](Trace& t) { t.launch.n = 65; }},
        {"content does not have its size", [](Trace& t) { t.arrays[0].first_bytes.pop_back(); }},
        {"lacks its content", [](Trace& t) { t.arrays[0].first_bytes.clear(); }},
        {"lacks its content", [](Trace& t) { t.arrays[2].last_bytes.clear(); }},
        {"sizes of its launch", [](Trace& t) { t.arrays.resize(2); }},
        {"impossible grid",
         [](Trace& t) {
             t.launch.grid = {0xffffffff, 0xffffffff, 2};
         }},
        {"impossible grid", [](Trace& t) { t.launch.grid.y = 0; }},
        {"impossible block", [](Trace& t) { t.launch.block.x = 1025; }},
        {"shared memory", [](Trace& t) { t.launch.shared_bytes = 0xffffffff; }},
        {"accumulators", [](Trace& t) { t.accumulators = 0; }},
        {"accumulators", [](Trace& t) { t.accumulator_interval = 0; }},
        {"beyond the block's shared memory", [](Trace& t) { t.arrays[3].base_bytes = 2000; }},
        {"impossible size", [](Trace& t) { t.arrays[3].leading_dimension = 15; }},
        {"impossible size",
         [](Trace& t) {
             t.arrays[3].rows = t.arrays[3].columns = t.arrays[3].leading_dimension = 0xffffffff;
         }},
        {"do not give its rows", [](Trace& t) { t.arrays[3].outer_extents = {3}; }},
        {"do not give its rows", [](Trace& t) { t.arrays[3].outer_extents = {0}; }},
        {"do not give its rows",
         [](Trace& t) {
             t.arrays[3].outer_extents = {0x10000, 0x10000, 0x10000, 0x10000, 2};
         }},
        {"not a finite number", [](Trace& t) { set_element(t, MatrixRole::kB, 3, kNaN); }},
        {"content does not have its size",
         [](Trace& t) { t.arrays[2].first_bytes.resize(255 * sizeof(float)); }},
        {"more wrong elements", [](Trace& t) { t.wrong_elements = 257; }},
        {"name of more than 200 letters", [](Trace& t) { t.launch.kernel.assign(201, 'k'); }},
        {"name of more than 200 letters", [](Trace& t) { t.source_name.assign(20000, 'k'); }},
        {"name of more than 200 letters", [](Trace& t) { t.arrays[3].name.assign(201, 'k'); }},
        {"name of more than 200 letters", [](Trace& t) { t.recorded_by.device.assign(201, 'k'); }},
        {"impossible order", [](Trace& t) { t.launch.order = ThreadOrder::kLanes; }},
        {"impossible order",
         [](Trace& t) {
             lose_barrier(t);
             t.launch.order = static_cast<ThreadOrder>(4);
         }},
        {"left out on a line of its source that has none",
         [](Trace& t) { t.launch.removed_barrier = 1; }},
        {"left out on a line of its source that has none",
         [](Trace& t) { t.launch.removed_barrier = 0xffffffff; }},
        {"barrier where it says that there was none",
         [](Trace& t) {
             lose_barrier(t);
             t.sites[2].line = t.launch.removed_barrier;
         }},
        {"lines of its source", [](Trace& t) { t.sites[0].line = 5; }},
        {"lines of its source", [](Trace& t) { t.sites[0].line = 0; }},
        {"4, 8 or 16 bytes", [](Trace& t) { t.sites[0].width_bytes = 0; }},
        {"array that does not exist", [](Trace& t) { t.sites[0].array = 4; }},
        {"array that does not exist", [](Trace& t) { t.sites[0].array = kNoArray; }},
        {"operation that does not exist",
         [](Trace& t) {
             t.sites[0].operation = static_cast<Operation>(static_cast<int>(kLastOperation) + 1);
             t.sites[0].width_bytes = 4;
         }},
        {"matrix access that does not exist",
         [](Trace& t) {
             t.sites[0].operation = Operation::kMatrixLoad;
             t.sites[0].width_bytes = 16;
             t.sites[0].variety = 2;
         }},
        {"registers have no width",
         [](Trace& t) {
             t.sites[0].operation = Operation::kMatrixProduct;
             t.sites[0].width_bytes = 0;
         }},
        {"without a lane", [](Trace& t) { t.patterns[0].mask = 0; }},
        {"offsets are missing", [](Trace& t) { t.patterns[2].irregular = 1; }},
        {"equally long", [](Trace& t) { t.records.base.pop_back(); }},
        {"equally long", [](Trace& t) { t.records.clock.pop_back(); }},
        {"one multiprocessor for each block", [](Trace& t) { t.multiprocessors.pop_back(); }},
        {"equally long", [](Trace& t) { t.segments.warp.pop_back(); }},
        {"in order", [](Trace& t) { t.segments.record_begin[3] = 1; }},
        {"in order", [](Trace& t) { t.segments.record_begin.back() -= 1; }},
        {"in order", [](Trace& t) { t.segments.value_begin[0] = 1; }},
        {"in order", [](Trace& t) { t.segments.record_begin.clear(); }},
        {"match its records", [](Trace& t) { t.segments.value_begin[1] -= 1; }},
        {"outside its grid", [](Trace& t) { t.segments.block.back() = 2; }},
        {"outside its block", [](Trace& t) { t.segments.warp.back() = 2; }},
        {"not in order", [](Trace& t) { t.segments.epoch[4] = 1; }},
        {"not in order", [](Trace& t) { t.segments.epoch[7] = 3; }},
        {"not in order", [](Trace& t) { t.segments.warp[1] = 0; }},
        {"not in order", [](Trace& t) { t.segments.block[0] = 1; }},
        {"site that does not exist", [](Trace& t) { t.records.site[0] = 5; }},
        {"pattern that does not exist", [](Trace& t) { t.records.pattern[0] = 4; }},
        {"lanes that the block does not have", [](Trace& t) { t.records.pattern[3] = 0; }},
        {"middle of an epoch", [](Trace& t) { t.records.site[0] = 2; }},
        // B ends at byte 2048 and the warp reads 128 of them.
        {"outside its array", [](Trace& t) { t.records.base[0] = 2048 - 124; }},
        {"outside its array", [](Trace& t) { t.records.base[0] = 0xfffffffc; }},
        {"outside its array", [](Trace& t) { t.records.base[0] = 2; }},
        // As begins at byte 128.
        {"outside its array", [](Trace& t) { t.records.base[1] = 120; }},
        {"outside its array", [](Trace& t) { t.patterns[0].delta_bytes[4] = 1 << 30; }},
        {"outside its array", [](Trace& t) { t.irregular_offsets[0][9] = -8; }},
        {"accumulator that does not exist", [](Trace& t) { t.records.base[6] = 1; }},
        {"values where none", [](Trace& t) { t.records.site[0] |= Records::kHasValues; }},
        {"values of a store", [](Trace& t) { t.records.site[1] &= 0x7fff; }},
    };
    return all;
}

TEST(CheckTrace, EachViolationHasItsOwnMessage) {
    for (std::size_t i = 0; i < damages().size(); ++i) {
        Trace trace = sample_trace();
        damages()[i].apply(trace);
        const Status checked = check_trace(trace);
        ASSERT_FALSE(checked) << "damage " << i << ": " << damages()[i].expected;
        EXPECT_THAT(checked.error().message, HasSubstr(damages()[i].expected)) << i;
    }
}

TEST(CheckTrace, LastByteOfAnArrayMayBeRead) {
    Trace trace = sample_trace();
    trace.records.base[0] = 2048 - 128;
    EXPECT_TRUE(check_trace(trace));
}

}  // namespace
}  // namespace tilereel::tests::trace_check_test
