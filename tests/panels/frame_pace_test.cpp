#include "app/shell/frame_pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilereel::frame_pace_test {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

TEST(FramePace, OnlyALateFrameDelaysTheNext) {
    const FramePace::Clock::time_point start{milliseconds(1000)};
    const auto next = [&](int took_ms) {
        return FramePace::next_due(start, start + milliseconds(took_ms), milliseconds(40)) - start;
    };
    EXPECT_EQ(next(0), milliseconds(40));
    EXPECT_EQ(next(39), milliseconds(40));
    EXPECT_EQ(next(40), milliseconds(40));
    EXPECT_EQ(next(41), milliseconds(41));
}

TEST(FramePace, WaitsUntilTheNextFrameIsDue) {
    FramePace pace;
    const auto first = pace.wait(milliseconds(5));
    const auto second = pace.wait(milliseconds(5));
    EXPECT_GE(FramePace::Clock::now(), second);
    EXPECT_GE(second - first, milliseconds(5));
}

TEST(FramePace, StartsAtLeast20FramesASecondDuringACpuRace) {
    EXPECT_LE(kFrameIntervalDuringRace, milliseconds(50));
}

TEST(FrameTimes, ReportsQuantilesAndShares) {
    FrameTimes times;
    EXPECT_EQ(times.quantile(0.5), 0);
    EXPECT_EQ(times.share_over(10), 0);
    for (int i = 1; i <= 100; ++i) times.add(i);
    EXPECT_EQ(times.quantile(0.5), 50);
    EXPECT_EQ(times.quantile(0.95), 95);
    EXPECT_EQ(times.quantile(1.0), 100);
    EXPECT_DOUBLE_EQ(times.share_over(50), 0.5);
    EXPECT_DOUBLE_EQ(times.share_over(16.7), 0.84);
    const std::string report = times.report();
    EXPECT_THAT(report, HasSubstr("median 50.00 ms   95% 95.00 ms   99% 99.00 ms"));
    EXPECT_THAT(report, HasSubstr("over 50 ms: 50.00%"));
    EXPECT_THAT(report, HasSubstr("to   50.0 ms      17"));  // 34 to 50
}

}  // namespace
}  // namespace tilereel::frame_pace_test
