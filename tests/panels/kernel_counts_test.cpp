// The table "Whole kernel": the text for the difference of two counts, and which counts are shown.
#include "app/panels/inspector/kernel_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tilereel::kernel_counts_test {
namespace {

TEST(Difference, IsARatioForLargeChanges) {
    EXPECT_EQ(difference_of(512, 128, true).text,
              "\xc3\xb7"
              "4");
    EXPECT_EQ(difference_of(1280, 512, true).text,
              "\xc3\xb7"
              "2.5");
    EXPECT_EQ(difference_of(0.25, 1.0, false).text,
              "\xc3\x97"
              "4");
    EXPECT_EQ(difference_of(64, 1056, true).text,
              "\xc3\x97"
              "16.5");
    EXPECT_TRUE(difference_of(512, 128, true).counts);
}

TEST(Difference, IsASignedNumberForSmallChangesAndForZero) {
    EXPECT_EQ(difference_of(32736, 0, true).text, "-32,736");
    EXPECT_EQ(difference_of(8192, 8320, true).text, "+128");
    EXPECT_EQ(difference_of(8320, 8192, true).text, "-128");
}

TEST(Difference, EqualAndNewCountsAreNoChanges) {
    EXPECT_EQ(difference_of(0, 0, true).text, "=");
    EXPECT_EQ(difference_of(7, 7, true).text, "=");
    EXPECT_EQ(difference_of(0, 640, true).text, "new");
    EXPECT_FALSE(difference_of(0, 640, true).counts);
}

KernelCounts counts(std::uint64_t conflicts) {
    KernelCounts c;
    c.global_load = {.accesses = 8, .requests = 128, .sectors = 512, .bytes_requested = 8192};
    c.shared_load = {.requests = 2048, .wavefronts = 33792, .bank_conflicts = conflicts};
    c.shared_store = {.requests = 64, .wavefronts = 1056, .bank_conflicts = 0};
    c.multiply_adds = 4096;
    return c;
}

const CountsRow* row(const std::vector<CountsRow>& rows, const std::string& label) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.label == label; });
    return found == rows.end() ? nullptr : &*found;
}

TEST(CountsRows, ShowsWhatPaddingChanges) {
    const std::vector<CountsRow> rows = rows_of_counts({"PAD 0", counts(31744)}, counts(0));
    EXPECT_EQ(rows[0].label, "bank conflicts");
    EXPECT_EQ(rows[1].label, "load wavefronts");
    ASSERT_NE(row(rows, "load wavefronts"), nullptr);
    ASSERT_NE(row(rows, "store wavefronts"), nullptr);
    const CountsRow* conflicts = row(rows, "bank conflicts");
    ASSERT_NE(conflicts, nullptr);
    EXPECT_TRUE(conflicts->conflict_before);
    EXPECT_FALSE(conflicts->conflict_after);
    EXPECT_EQ(conflicts->difference.text, "-31,744");
}

TEST(CountsRows, WithoutAMultiplyAddThereIsNoIntensity) {
    KernelCounts transpose = counts(0);
    transpose.multiply_adds = 0;
    EXPECT_EQ(row(rows_of_counts({}, transpose), "FLOP per byte read"), nullptr);
}

// 2 * 4096 FLOP on 8,192 bytes read.
TEST(CountsRows, FlopPerByteReadCountsBytesOfLoads) {
    const std::vector<CountsRow> rows = rows_of_counts({"02 naive", counts(0)}, counts(0));
    const CountsRow* intensity = row(rows, "FLOP per byte read");
    ASSERT_NE(intensity, nullptr);
    EXPECT_EQ(intensity->after, "1.00");
}

TEST(CountsRows, BeginWithTheCountsThatTilingChanges) {
    const std::vector<CountsRow> rows = rows_of_counts({"02 naive", counts(0)}, counts(0));
    ASSERT_EQ(rows.size(), 10u);
    EXPECT_EQ(rows[0].label, "bank conflicts");
    EXPECT_EQ(rows[1].label, "global load sectors");
    EXPECT_EQ(rows[2].label, "FLOP per byte read");
}

// 8 lanes of 4 requests are on, then 32 of 4.
TEST(CountsRows, LanesOnIsAShare) {
    KernelCounts before, after;
    before.shared_load = {.accesses = 32, .requests = 4, .lanes_off = 96};
    after.shared_load = {.accesses = 128, .requests = 4};
    const std::vector<CountsRow> rows = rows_of_counts({"former replay", before}, after);
    const CountsRow* lanes = row(rows, "lanes on");
    ASSERT_NE(lanes, nullptr);
    EXPECT_EQ(lanes->before, "25%");
    EXPECT_EQ(lanes->after, "100%");
    EXPECT_EQ(lanes->difference.text,
              "\xc3\x97"
              "4");
}

TEST(CountsRows, WithoutFormerCountsThereIsNoDifference) {
    for (const CountsRow& r : rows_of_counts({}, counts(0))) {
        EXPECT_TRUE(r.before.empty());
        EXPECT_TRUE(r.difference.text.empty());
    }
}

TEST(AfterLabel, NamesTheSameParametersAsTheBeforeLabel) {
    Trace trace;
    trace.launch.kernel = "09_tiled";
    trace.launch.tile = 16;
    trace.launch.pad = 1;
    EXPECT_EQ(after_label(trace, "PAD 0"), "PAD 1");
    EXPECT_EQ(after_label(trace, "TILE 8"), "TILE 16");
    EXPECT_EQ(after_label(trace, "TILE 8, PAD 0"), "TILE 16, PAD 1");
    EXPECT_EQ(after_label(trace, "02 naive"), "09 tiled");
}

TEST(AfterLabel, NamesTheGenerationThatIsComparedWithAnother) {
    Trace trace;
    trace.launch.kernel = "09_tiled";
    trace.launch.pad = 1;
    const Generation& old_gpu = *find_generation("1.3");
    EXPECT_EQ(after_label(trace, "H100 (9.0)", old_gpu), "GTX 280 (1.3)");
    EXPECT_EQ(after_label(trace, "PAD 0, H100 (9.0)", old_gpu), "PAD 1, GTX 280 (1.3)");
    EXPECT_EQ(after_label(trace, "02 naive", old_gpu), "09 tiled");
}

}  // namespace
}  // namespace tilereel::kernel_counts_test
