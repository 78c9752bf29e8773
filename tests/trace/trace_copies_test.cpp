// Asynchronous copies in the trace model and its file.
#include <gmock/gmock.h>

#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/trace/same_trace.h"
#include "tests/trace/sample_trace.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::trace_copies_test {
namespace {

using ::testing::HasSubstr;

constexpr SiteId kLoad = 5, kStore = 6, kCommit = 7, kWait = 8;

// The sample with one copy of 8 lanes, of B into As, at the end of the last warp's last epoch.
Trace with_copies() {
    Trace trace = sample_trace();
    trace.sites.push_back({2, 1, Operation::kCopyLoad, 4});
    trace.sites.push_back({2, 3, Operation::kCopyStore, 4});
    trace.sites.push_back({2, kNoArray, Operation::kCommitCopies, 4});
    trace.sites.push_back({3, kNoArray, Operation::kWaitCopies, 4});
    trace.segments.record_begin.pop_back();
    trace.segments.value_begin.pop_back();
    add_record(trace, kLoad, 1, 64, 0);
    add_record(trace, kStore, 1, 128, 0);
    trace.records.site.back() |= Records::kHasValues;
    for (int i = 0; i < 8; ++i)
        trace.words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i)));
    add_record(trace, kCommit, 1, 0, 0);
    add_record(trace, kWait, 1, 3, 0);
    trace.segments.record_begin.push_back(trace.records.size());
    trace.segments.value_begin.push_back(trace.words.size());
    trace.records.clock.resize(trace.records.size(), 5000);
    return trace;
}

std::string fault(const Trace& trace) {
    const Status checked = check_trace(trace);
    return checked ? "" : checked.error().message;
}

TEST(TraceCopies, AreSoundAndComeBackFromAFile) {
    const Trace trace = with_copies();
    EXPECT_EQ(fault(trace), "");
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(trace, folder / "copies.npz"));
    const Result<Trace> read = read_trace(folder / "copies.npz");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(first_difference(*read, trace), "");
}

TEST(TraceCopies, CountAsOneAccessALane) {
    EXPECT_EQ(access_count(with_copies()), access_count(sample_trace()) + 8);
}

TEST(TraceCopies, MustBeWhole) {
    const std::size_t first = sample_trace().records.size();
    Trace trace = with_copies();  // a load without its store
    std::swap(trace.records.site[first + 1], trace.records.site[first + 2]);
    std::swap(trace.records.base[first + 1], trace.records.base[first + 2]);
    EXPECT_THAT(fault(trace), HasSubstr("half a copy"));
    trace = with_copies();  // a store without its load
    trace.records.site[first] = kCommit;
    EXPECT_THAT(fault(trace), HasSubstr("half a copy"));
    trace = with_copies();  // a load at the end
    trace.records.site.back() = kLoad;
    trace.records.base.back() = 64;
    EXPECT_THAT(fault(trace), HasSubstr("half a copy"));
    trace = with_copies();  // the load has other lanes than the store
    trace.patterns.push_back({0x0f, {4, 8, 0, 0, 0}, Pattern::kRegular});
    trace.records.pattern[first] = static_cast<std::uint32_t>(trace.patterns.size() - 1);
    EXPECT_THAT(fault(trace), HasSubstr("half a copy"));
    trace = with_copies();  // the load is on another line than the store
    trace.sites[kLoad].line = 1;
    EXPECT_THAT(fault(trace), HasSubstr("half a copy"));
}

// A box wholly outside the matrix: lane 0 starts a copy that only stores zeros, on `line`.
Trace with_zeros(std::uint32_t line) {
    Trace trace = with_copies();
    const std::size_t first = sample_trace().records.size();
    trace.sites.push_back({line, kNoArray, Operation::kStartBulkCopy, 4});
    trace.patterns.push_back({1, {}, Pattern::kRegular});
    trace.records.site[first] = static_cast<std::uint16_t>(trace.sites.size() - 1);
    trace.records.pattern[first] = static_cast<std::uint32_t>(trace.patterns.size() - 1);
    trace.records.base[first] = 0;
    std::fill(trace.words.end() - 8, trace.words.end(), 0u);
    return trace;
}

TEST(TraceCopies, ABoxOutsideTheMatrixOnlyStoresZeros) {
    EXPECT_EQ(fault(with_zeros(2)), "");
    EXPECT_THAT(fault(with_zeros(1)), HasSubstr("half a copy"));  // another line's copy
}

TEST(TraceCopies, GoFromGlobalToSharedMemoryInBounds) {
    const std::size_t first = sample_trace().records.size();
    Trace trace = with_copies();
    trace.sites[kLoad].array = 3;
    EXPECT_THAT(fault(trace), HasSubstr("from global to shared"));
    trace = with_copies();
    trace.sites[kStore].array = 1;
    EXPECT_THAT(fault(trace), HasSubstr("from global to shared"));
    trace = with_copies();
    trace.sites[kStore].array = 77;
    EXPECT_THAT(fault(trace), HasSubstr("array that does not exist"));
    trace = with_copies();
    trace.records.base[first + 1] = 4;  // As begins at 128
    EXPECT_THAT(fault(trace), HasSubstr("outside its array"));
    trace = with_copies();
    trace.records.base.back() = kMostGroups + 1;
    EXPECT_THAT(fault(trace), HasSubstr("impossible number of groups"));
}

TEST(TraceCopies, KeepTheirValuesWithTheStore) {
    const std::size_t first = sample_trace().records.size();
    Trace trace = with_copies();
    trace.records.site[first + 1] = kStore;
    EXPECT_THAT(fault(trace), HasSubstr("lacks the values"));
    trace = with_copies();
    trace.records.site[first] |= Records::kHasValues;
    EXPECT_THAT(fault(trace), HasSubstr("values where none can be"));
}

TEST(TraceCopies, ALeftOutWaitHasNoRecord) {
    Trace trace = with_copies();
    trace.source = "line one\nline two\n  __pipeline_wait_prior(0);\n";
    trace.launch.removed_barrier = 3;
    EXPECT_THAT(fault(trace), HasSubstr("barrier where it says that there was none"));
    trace.records.site.back() = kCommit;
    trace.records.base.back() = 0;
    trace.sites[kWait].line = 2;
    EXPECT_EQ(fault(trace), "");
    // __pipeline_commit() does not wait.
    trace.source = "line one\nline two\n  __pipeline_commit();\n";
    EXPECT_THAT(fault(trace), HasSubstr("on a line of its source that has none"));
}

}  // namespace
}  // namespace tilereel::tests::trace_copies_test
