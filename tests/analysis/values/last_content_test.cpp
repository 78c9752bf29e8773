// What arrays hold after a launch follows from its stores. Each rule is tried with int out[32] of
// one or two stores.
#include "instrumentation/analysis/values/last_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/program_trace_writer.h"
#include "tests/trace/program_traces.h"

namespace tilereel::last_content_test {
namespace {

using ::testing::HasSubstr;
using tests::bytes_of;
using tests::site;
using tests::words_of;

struct Place {
    std::uint32_t block = 0, epoch = 0;
    std::uint16_t warp = 0;
};

// A store to out[lane + shift] by each lane of `mask`.
struct Store {
    Place place;
    int value = 0;
    std::uint32_t mask = tests::kAll;
    bool to_one_element = false;
};

Trace stores(const std::vector<Store>& all, const std::vector<int>& after) {
    tests::ProgramTraceWriter w("fill", "", {2, 1, 1}, {64, 1, 1});
    const ArrayId out =
        w.array("out", Space::kGlobal, ElementType::kInt32, 4, Array::Shape{.extents = {32}});
    w.trace.arrays[out].first_bytes = bytes_of(std::vector<int>(32, -1));
    w.trace.arrays[out].last_bytes = bytes_of(after);
    for (const Store& store : all) {
        w.segment(store.place.block, store.place.epoch, store.place.warp);
        w.access(
            site(3, Operation::kStore, out),
            [&](std::uint32_t lane) { return store.to_one_element ? 0u : 4 * lane; },
            [&](std::uint32_t lane) {
                return words_of(store.value + (store.to_one_element ? static_cast<int>(lane) : 0));
            },
            store.mask);
    }
    return w.finish();
}

bool may_end_as(const std::vector<Store>& all, int value, std::uint32_t changed = tests::kAll) {
    std::vector<int> after(32, -1);
    for (std::size_t i = 0; i < 32; ++i)
        if ((changed >> i & 1) != 0) after[i] = value;
    return bool(check_last_content(stores(all, after)));
}

TEST(LastContent, IsWhatWasStoredLast) {
    const Store once{{0, 0, 0}, 5};
    EXPECT_TRUE(may_end_as({once}, 5));
    EXPECT_FALSE(may_end_as({once}, 6));
    // By one warp: the second. So by two warps with a barrier between them.
    EXPECT_TRUE(may_end_as({once, {{0, 0, 0}, 6}}, 6));
    EXPECT_FALSE(may_end_as({once, {{0, 0, 0}, 6}}, 5));
    EXPECT_FALSE(may_end_as({once, {{0, 1, 1}, 6}}, 5));
}

TEST(LastContent, StoresInUnknownOrderMayBothBeTheLast) {
    const Store once{{0, 0, 0}, 5};
    for (const int end : {5, 6}) {
        EXPECT_TRUE(may_end_as({once, {{0, 0, 1}, 6}}, end)) << "warps";
        EXPECT_TRUE(may_end_as({once, {{1, 0, 0}, 6}}, end)) << "blocks";
        EXPECT_TRUE(may_end_as({once, {{1, 0, 0}, 6}, {{1, 1, 0}, 7}}, end)) << "blocks";
    }
    // Equal values, or a later store after a barrier, leave no doubt.
    EXPECT_FALSE(may_end_as({once, {{1, 0, 0}, 5}}, 6));
    EXPECT_FALSE(may_end_as({once, {{0, 0, 1}, 6}, {{0, 1, 0}, 7}}, 6));
    EXPECT_TRUE(may_end_as({once, {{0, 0, 1}, 6}, {{0, 1, 0}, 7}}, 7));
    // Lanes that store different values to one element at once.
    EXPECT_TRUE(may_end_as({{{0, 0, 0}, 5, 3, true}}, 5, 1));
    EXPECT_TRUE(may_end_as({{{0, 0, 0}, 5, 3, true}}, 6, 1));
}

TEST(LastContent, WhereNothingIsStoredStays) {
    const Store half{{0, 0, 0}, 5, 0xffff};
    EXPECT_TRUE(may_end_as({half}, 5, 0xffff));
    EXPECT_FALSE(may_end_as({half}, 5, 0x1ffff));
    const Status said = check_last_content(stores({half}, std::vector<int>(32, 5)));
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().message, HasSubstr("out[16] has changed, but nothing was stored"));
}

TEST(LastContent, ALaunchOfWhichRecordsAreMissingIsSound) {
    Trace trace = stores({}, std::vector<int>(32, 5));
    EXPECT_FALSE(check_last_content(trace));
    trace.chosen_blocks = {1};
    EXPECT_TRUE(check_last_content(trace));
    trace.chosen_blocks = {};
    trace.complete = false;
    EXPECT_TRUE(check_last_content(trace));
}

// Stores of bytes: neighbours in one word have stores of their own.
TEST(LastContent, BytesOfOneWordAreApart) {
    tests::ProgramTraceWriter w("bytes", "", {2, 1, 1}, {32, 1, 1});
    const ArrayId out =
        w.array("out", Space::kGlobal, ElementType::kUint8, 1, Array::Shape{.extents = {4}});
    w.trace.arrays[out].first_bytes = bytes_of(std::vector<unsigned char>{1, 2, 3, 4});
    for (std::uint32_t block = 0; block < 2; ++block) {
        w.segment(block, 0, 0);
        w.access(
            site(3, Operation::kStore, out, 1), [&](std::uint32_t) { return 1 + block; },
            [&](std::uint32_t) { return words_of(static_cast<int>(10 + block)); }, 1);
    }
    Trace trace = w.finish();
    trace.arrays[out].last_bytes = bytes_of(std::vector<unsigned char>{1, 10, 11, 4});
    EXPECT_TRUE(check_last_content(trace));
    for (std::size_t i = 0; i < 4; ++i) {
        Trace changed = trace;
        changed.arrays[out].last_bytes[i] ^= std::byte{1};
        EXPECT_FALSE(check_last_content(changed)) << i;
    }
}

TEST(LastContent, ProgramsAreSoundAndAChangedByteIsNot) {
    for (const Trace& trace :
         {tests::reduction_trace(), tests::transpose_trace(), tests::histogram_trace(),
          tests::stencil_trace(), tests::six_arrays_trace()}) {
        const Status sound = check_last_content(trace);
        EXPECT_TRUE(sound) << trace.launch.kernel << ": " << sound.error().message;
        for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
            if (trace.arrays[id].space != Space::kGlobal) continue;
            Trace changed = trace;
            if (changed.arrays[id].last_bytes.empty()) continue;
            changed.arrays[id].last_bytes[0] ^= std::byte{1};
            EXPECT_FALSE(check_last_content(changed)) << trace.launch.kernel;
        }
    }
}

}  // namespace
}  // namespace tilereel::last_content_test
