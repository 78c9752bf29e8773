// A trace that goes from one process to another in a memory file.
#include "instrumentation/trace/handed_trace.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/trace/same_trace.h"
#include "tests/trace/sample_trace.h"

namespace tilereel::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;

TEST(HandedTrace, ArrivesAsItWas) {
    const Result<MemoryFile> file = MemoryFile::make();
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(hand_over(sample_trace(), file->descriptor()));
    const Result<Trace> taken = take_over(file->descriptor(), kEnough);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(first_difference(*taken, sample_trace()), "");
}

TEST(HandedTrace, LongColumnsArriveAsTheyWere) {
    Trace trace = sample_trace();
    for (std::uint32_t i = 0; i < 1'000'003; ++i) {
        trace.words.push_back(i * 2654435761u);
        trace.records.site.push_back(static_cast<std::uint16_t>(i % 7));
    }
    for (std::uint64_t i = 0; i < 70'001; ++i) trace.segments.record_begin.push_back(i << 20);
    const Result<MemoryFile> file = MemoryFile::make();
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(hand_over(trace, file->descriptor()));
    const Result<Trace> taken = take_over(file->descriptor(), kEnough);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->words, trace.words);
    EXPECT_EQ(taken->records.site, trace.records.site);
    EXPECT_EQ(taken->segments.record_begin, trace.segments.record_begin);
}

// The other process was stopped while it wrote.
TEST(HandedTrace, IsRefusedIfItIsNotWhole) {
    const Result<MemoryFile> file = MemoryFile::make();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_FALSE(take_over(file->descriptor(), kEnough));
    ASSERT_TRUE(hand_over(sample_trace(), file->descriptor()));
    struct stat facts {};
    ASSERT_EQ(fstat(file->descriptor(), &facts), 0);
    for (const off_t missing : {off_t{1}, off_t{8}, off_t{100}, facts.st_size - 4}) {
        ASSERT_EQ(ftruncate(file->descriptor(), facts.st_size - missing), 0);
        const Result<Trace> taken = take_over(file->descriptor(), kEnough);
        ASSERT_FALSE(taken) << missing;
        EXPECT_THAT(taken.error().message, HasSubstr("record it again"));
    }
}

TEST(HandedTrace, IsRefusedIfItIsLargerThanTheLimit) {
    const Result<MemoryFile> file = MemoryFile::make();
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(hand_over(sample_trace(), file->descriptor()));
    const Result<Trace> taken = take_over(file->descriptor(), 1000);
    ASSERT_FALSE(taken);
    EXPECT_THAT(taken.error().message, HasSubstr("the limit is"));
}

}  // namespace
}  // namespace tilereel::testing
