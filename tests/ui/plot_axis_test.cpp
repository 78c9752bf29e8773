#include "app/ui/draw/plot_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tilereel::plot_axis_test {
namespace {

using testing::ElementsAre;

constexpr AxisScale kScales[] = {AxisScale::kLinear, AxisScale::kLog10, AxisScale::kLog2};

TEST(PlotAxis, ShareIsLinearOrLogarithmic) {
    const Axis linear{AxisScale::kLinear, -10, 30};
    EXPECT_DOUBLE_EQ(linear.share(0), 0.25);
    const Axis decades{AxisScale::kLog10, 1, 1000};
    EXPECT_DOUBLE_EQ(decades.share(10), 1.0 / 3);
    EXPECT_DOUBLE_EQ(decades.share(100), 2.0 / 3);
    const Axis octaves{AxisScale::kLog2, 256, 4096};
    EXPECT_DOUBLE_EQ(octaves.share(1024), 0.5);
    // Equal ratios are equal lengths, whatever the base.
    EXPECT_NEAR(decades.share(6) - decades.share(2), std::log10(3.0) / 3, 1e-12);
}

TEST(PlotAxis, ALogarithmicAxisHasNoPlaceForZeroOrLess) {
    const Axis decades{AxisScale::kLog10, 1, 1000};
    EXPECT_EQ(decades.share(0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(decades.share(-5), -std::numeric_limits<double>::infinity());
}

TEST(PlotAxis, EndsOnRoundNumbersAroundTheValues) {
    // 229 to 66,900 GFLOPS: from 200 to 100,000, as one would by hand.
    const Axis gflops = axis_over(AxisScale::kLog10, 229, 66900);
    EXPECT_DOUBLE_EQ(gflops.low, 200);
    EXPECT_DOUBLE_EQ(gflops.high, 100000);
    const Axis sizes = axis_over(AxisScale::kLog2, 256, 16384);
    EXPECT_DOUBLE_EQ(sizes.low, 256);
    EXPECT_DOUBLE_EQ(sizes.high, 16384);
    const Axis ragged = axis_over(AxisScale::kLog2, 255, 4095);
    EXPECT_DOUBLE_EQ(ragged.low, 128);
    EXPECT_DOUBLE_EQ(ragged.high, 4096);
    const Axis linear = axis_over(AxisScale::kLinear, 229, 8994);
    EXPECT_DOUBLE_EQ(linear.low, 0);
    EXPECT_DOUBLE_EQ(linear.high, 10000);
}

TEST(PlotAxis, AnyTwoValuesMakeAnAxisThatHoldsThem) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> exponent(-9, 9);
    for (int i = 0; i < 3000; ++i) {
        double least = std::pow(10, exponent(random)), most = std::pow(10, exponent(random));
        if (i % 10 == 0) most = least;  // a single value
        for (const AxisScale scale : kScales) {
            const Axis axis = axis_over(scale, least, most);
            ASSERT_LT(axis.low, axis.high);
            for (const double value : {least, most}) {
                ASSERT_GE(axis.share(value), -1e-6);
                ASSERT_LE(axis.share(value), 1 + 1e-6);
            }
            for (const int limit : {2, 5, 9}) {
                const std::vector<double> ticks = ticks_of(axis, limit);
                ASSERT_LE(ticks.size(), static_cast<std::size_t>(limit));
                ASSERT_TRUE(std::is_sorted(ticks.begin(), ticks.end()));
                for (const double tick : ticks) {
                    ASSERT_GE(axis.share(tick), -1e-6);
                    ASSERT_LE(axis.share(tick), 1 + 1e-6);
                }
            }
            ASSERT_GE(ticks_of(axis, 9).size(), 2u) << axis.low << " .. " << axis.high;
        }
    }
}

TEST(PlotAxis, NothingToShowIsStillAnAxis) {
    for (const AxisScale scale : kScales) {
        const Axis axis = axis_over(scale, 0, 0);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_GE(ticks_of(axis, 5).size(), 2u);
    }
}

TEST(PlotTicks, LinearStepsAreOneTwoOrFive) {
    EXPECT_THAT(ticks_of({AxisScale::kLinear, 0, 10000}, 6),
                ElementsAre(0, 2000, 4000, 6000, 8000, 10000));
    EXPECT_THAT(ticks_of({AxisScale::kLinear, 0, 10000}, 5), ElementsAre(0, 5000, 10000));
    EXPECT_THAT(ticks_of({AxisScale::kLinear, -1, 1}, 5), ElementsAre(-1, -0.5, 0, 0.5, 1));
    EXPECT_DOUBLE_EQ(round_step(3), 5);
    EXPECT_DOUBLE_EQ(round_step(0.02), 0.02);
    EXPECT_DOUBLE_EQ(round_step(0.021), 0.05);
    EXPECT_DOUBLE_EQ(round_step(7), 10);
}

TEST(PlotTicks, DecadesAreDividedWhereThereIsRoom) {
    const Axis gflops{AxisScale::kLog10, 200, 100000};
    EXPECT_THAT(ticks_of(gflops, 9),
                ElementsAre(200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000));
    EXPECT_THAT(ticks_of(gflops, 5), ElementsAre(1000, 10000, 100000));
    EXPECT_THAT(ticks_of({AxisScale::kLog10, 1e-6, 1e6}, 5), ElementsAre(1e-6, 1e-3, 1, 1e3, 1e6));
}

TEST(PlotTicks, OctavesAreDoublings) {
    EXPECT_THAT(ticks_of({AxisScale::kLog2, 256, 16384}, 7),
                ElementsAre(256, 512, 1024, 2048, 4096, 8192, 16384));
    EXPECT_THAT(ticks_of({AxisScale::kLog2, 256, 16384}, 4), ElementsAre(256, 1024, 4096, 16384));
    EXPECT_THAT(ticks_of({AxisScale::kLog2, 0.25, 64}, 9),
                ElementsAre(0.25, 0.5, 1, 2, 4, 8, 16, 32, 64));
}

TEST(PlotTicks, ALogarithmicAxisShorterThanAnOctaveHasTicksToo) {
    const auto ticks = ticks_of({AxisScale::kLog2, 1100, 1900}, 5);
    EXPECT_GE(ticks.size(), 2u);
    for (const double tick : ticks) EXPECT_NEAR(std::remainder(tick, 100), 0, 1e-9);
}

TEST(PlotTicks, LabelsAreShort) {
    EXPECT_EQ(axis_label(100000), "100,000");
    EXPECT_EQ(axis_label(0.25), "0.25");
    EXPECT_EQ(axis_label(0), "0");
    EXPECT_EQ(axis_label(-1500), "-1,500");
    EXPECT_EQ(axis_label(0.1 + 0.2), "0.3");
    EXPECT_EQ(axis_label(1.5e-7), "1.5e-07");
}

}  // namespace
}  // namespace tilereel::plot_axis_test
