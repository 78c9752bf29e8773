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
