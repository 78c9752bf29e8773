// What lies around an access out of bounds, a misaligned one and a read of what was never written.
#include "app/workbench/recording/invalid_access.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/analysis/trace_builder.h"

namespace tilereel::invalid_access_test {
namespace {

// a: 64 ints of global memory, 100 to 163; t: 2 x 3 floats of shared memory. Thread 0 has written
// t[0][0] and t[0][2], thread 1 reads t[0][1].
Trace trace_of_two_arrays() {
    TraceBuilder builder;
    const ArrayId a = builder.add_array("a", Space::kGlobal, 1, 64);
    const ArrayId t = builder.add_array("t", Space::kShared, 2, 3);
    builder.begin_segment(0, 0, 0);
    builder.set_line(3);
    builder.access(
        Operation::kLoad, a, [](int) { return 0u; }, 1);
    builder.set_line(4);
    builder.access(
        Operation::kStore, t, [](int lane) { return lane == 0 ? 0u : 8u; }, 3);
    builder.set_line(5);
    builder.access(
        Operation::kLoad, t, [](int) { return 4u; }, 2);
    Trace trace = builder.take();
    trace.product.reset();
    trace.arrays[a].type = ElementType::kInt32;
    trace.arrays[a].one_extent = true;
    for (int i = 100; i < 164; ++i) {
        std::byte bytes[4];
        std::memcpy(bytes, &i, 4);
        trace.arrays[a].first_bytes.insert(trace.arrays[a].first_bytes.end(), bytes, bytes + 4);
    }
    return trace;
}

// "a[63]=163 [a[64]]-": accessed in brackets; "-": not there; "?": never written.
std::string text_of(const InvalidAccess& access) {
    std::string text;
    for (std::size_t i = 0; i < access.cells.size(); ++i) {
        const InvalidAccess::Cell& cell = access.cells[i];
        if (access.left_out > 0 && i == access.gap_before)
            text += "..." + std::to_string(access.left_out) + "... ";
        text += cell.accessed ? "[" + cell.name + "]" : cell.name;
        text += !cell.exists ? "-" : !cell.written ? "?" : "=" + cell.value;
        if (i + 1 < access.cells.size()) text += ' ';
    }
    return text;
}

class AnInvalidAccess : public testing::Test {
  protected:
    std::optional<InvalidAccess> of(RecordedFindingKind kind, std::int64_t offset,
                                    std::uint8_t width, ArrayId array = 0) {
        return invalid_access_of(*replay_, {.kind = kind,
                                            .line = 3,
                                            .block = 0,
                                            .thread = 33,
                                            .array = array,
                                            .width_bytes = width,
                                            .offset_bytes = offset,
                                            .count = 25,
                                            .what = {},
                                            .advice = {}});
    }
    std::string text(std::int64_t offset, std::uint8_t width = 4) {
        const auto access = of(RecordedFindingKind::kOutOfBounds, offset, width);
        return access ? text_of(*access) : "none";
    }

    Trace trace_ = trace_of_two_arrays();
    Result<Replay> replay_ = Replay::of_block(trace_, 0);
};

TEST_F(AnInvalidAccess, BeyondTheEndStandsBehindTheLastElements) {
    EXPECT_EQ(text(64 * 4), "a[61]=161 a[62]=162 a[63]=163 [a[64]]-");
    EXPECT_EQ(text(65 * 4), "a[61]=161 a[62]=162 a[63]=163 a[64]- [a[65]]-");
    EXPECT_EQ(text(80 * 4), "a[61]=161 a[62]=162 a[63]=163 ...16... [a[80]]-");
    const auto access = of(RecordedFindingKind::kOutOfBounds, 64 * 4, 4);
    EXPECT_EQ(access->caption, "a has 64 elements, a[0] to a[63]");
    EXPECT_EQ(access->others, "the first of 25 accesses");
    EXPECT_EQ(access->thread, 33u);
}

TEST_F(AnInvalidAccess, BeforeTheStartStandsBeforeTheFirstElements) {
    EXPECT_EQ(text(-8), "[a[-2]]- a[-1]- a[0]=100 a[1]=101 a[2]=102");
    EXPECT_EQ(text(-400), "[a[-100]]- ...99... a[0]=100 a[1]=101 a[2]=102");
}

TEST_F(AnInvalidAccess, CanBePartlyInside) {
    EXPECT_EQ(text(62 * 4, 16),
              "a[59]=159 a[60]=160 a[61]=161 [a[62]]=162 [a[63]]=163 [a[64]]- [a[65]]-");
    EXPECT_EQ(text(63 * 4 + 2), "a[60]=160 a[61]=161 a[62]=162 [a[63]]=163 [a[64]]-");
}

TEST_F(AnInvalidAccess, IsMisalignedBetweenTwoPlaces) {
    const auto access = of(RecordedFindingKind::kMisaligned, 1028, 8);
    ASSERT_TRUE(access);
    ASSERT_EQ(access->cells.size(), 2u);
    EXPECT_EQ(access->cells[0].name, "bytes 1,024 to 1,031");
    EXPECT_EQ(access->cells[1].name, "bytes 1,032 to 1,039");
    EXPECT_EQ(access->from, 0.5);
    EXPECT_EQ(access->to, 1.5);
}

TEST_F(AnInvalidAccess, OfWhatWasNeverWrittenHasItsNeighbours) {
    replay_->seek(replay_->schedule().ticks);
    Finding finding{.hazard = Hazard::kNeverWritten, .array = 1, .row = 0, .column = 1};
    for (std::uint32_t i = 0; i < trace_.sites.size(); ++i)
        if (trace_.sites[i].line == 5) finding.first.site = static_cast<std::uint16_t>(i);
    const auto access = invalid_access_of(*replay_, finding);
    ASSERT_TRUE(access);
    ASSERT_EQ(access->cells.size(), 3u);
    EXPECT_EQ(access->cells[1].name, "t[0][1]");
    EXPECT_FALSE(access->cells[1].written);
    EXPECT_TRUE(access->cells[0].written && access->cells[2].written);
    EXPECT_EQ(access->line, 5u);
}

TEST_F(AnInvalidAccess, HasNoPictureWithoutAnArrayOrAThread) {
    EXPECT_FALSE(of(RecordedFindingKind::kOutOfBounds, 0, 4, kNoArray));
    EXPECT_FALSE(of(RecordedFindingKind::kOutOfBounds, 0, 0));
    EXPECT_FALSE(of(RecordedFindingKind::kAssertion, 0, 4));
    EXPECT_FALSE(of(RecordedFindingKind::kOutOfBounds, std::int64_t{1} << 60, 4));
    EXPECT_FALSE(of(RecordedFindingKind::kOutOfBounds, -(std::int64_t{1} << 60), 4));
    using Offset = std::numeric_limits<std::int64_t>;  // of a damaged trace
    for (const std::int64_t offset : {Offset::min(), Offset::max()}) {
        EXPECT_FALSE(of(RecordedFindingKind::kOutOfBounds, offset, 16));
        EXPECT_FALSE(of(RecordedFindingKind::kMisaligned, offset, 8));
    }
}

}  // namespace
}  // namespace tilereel::invalid_access_test
