// What the cells of global arrays hold, and how long the rows of the picture are.
#include "app/replay/arrays/contents.h"

#include <gtest/gtest.h>

#include <cstring>

#include "app/replay/arrays/row_length.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests::contents_test {
namespace {

ArrayId array_named(const Trace& trace, const std::string& name) {
    for (ArrayId id = 0; id < trace.arrays.size(); ++id)
        if (trace.arrays[id].name == name) return id;
    ADD_FAILURE() << "no array " << name;
    return 0;
}

template <class T>
T value_of(const std::vector<std::byte>& bytes) {
    T value{};
    EXPECT_EQ(bytes.size(), sizeof value);
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::uint32_t end_of(const Replay& replay) {
    return static_cast<std::uint32_t>(replay.schedule().steps.size());
}

TEST(ArrayContents, AnInputKeepsItsValuesAndAnOutputGetsThem) {
    const Trace trace = transpose_trace();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay) << replay.error().message;
    const ArrayContents contents(*replay);
    const ArrayId in = array_named(trace, "in"), out = array_named(trace, "out");
    for (const std::uint32_t cell : {0u, 5u, 17u}) {
        EXPECT_EQ(value_of<int>(contents.bytes(in, cell, 0)), 3 * static_cast<int>(cell) - 50);
        EXPECT_EQ(contents.bytes(in, cell, 0), contents.bytes(in, cell, end_of(*replay)));
    }
    // out[16][8] is the transpose of in[8][16]: of block 0, rows 0 to 7.
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column)
            EXPECT_EQ(value_of<int>(contents.bytes(
                          out, static_cast<std::uint64_t>(row * 8 + column), end_of(*replay))),
                      3 * (column * 16 + row) - 50);
}

TEST(ArrayContents, OnlyCellsThatTheBlockAccessesHaveAUse) {
    const Trace trace = reduction_trace();
    const Result<Replay> replay = Replay::of_block(trace, 1);
    ASSERT_TRUE(replay) << replay.error().message;
    const ArrayContents contents(*replay);
    const ArrayId in = array_named(trace, "in");
    EXPECT_EQ(contents.used(in).first, 64u);
    EXPECT_EQ(contents.used(in).last, 128u);
    EXPECT_EQ(contents.use(in, 3).first, kNoStep);
    EXPECT_NE(contents.use(in, 64).first, kNoStep);
    EXPECT_EQ(contents.use(in, 64).first_written, kNoStep);
    EXPECT_TRUE(contents.bytes(in, 100'000, 0).empty());
}

TEST(ArrayContents, AnAtomicLeavesItsSum) {
    const Trace trace = histogram_trace();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay) << replay.error().message;
    const ArrayContents contents(*replay);
    const ArrayId bins = array_named(trace, "histogram");
    int expected[8] = {100, 100, 100, 100, 100, 100, 100, 100};  // what it held before the launch
    for (int i = 0; i < 64; ++i) ++expected[i * i % 8];
    for (std::uint32_t bin = 0; bin < 8; ++bin)
        EXPECT_EQ(value_of<int>(contents.bytes(bins, bin, end_of(*replay))), expected[bin]) << bin;
}

// What a cell was before a write and is after it.
TEST(ArrayContents, TheLastWriteOfACellIsKnown) {
    const Trace trace = transpose_trace();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const ArrayContents contents(*replay);
    const ArrayId in = array_named(trace, "in"), out = array_named(trace, "out");
    EXPECT_FALSE(contents.last_write(in, 5, end_of(*replay)));
    const std::optional<std::uint32_t> write = contents.last_write(out, 9, end_of(*replay));
    ASSERT_TRUE(write);
    EXPECT_EQ(trace.sites[replay->schedule().steps[*write].site].array, out);
    EXPECT_EQ(contents.bytes(out, 9, *write), contents.bytes(out, 9, 0));
    EXPECT_EQ(value_of<int>(contents.bytes(out, 9, *write + 1)), 3 * (1 * 16 + 1) - 50);
    EXPECT_FALSE(contents.last_write(out, 9, *write));  // it is the only one
}

TEST(RowLength, IsThatOfTheArrayWhereItHasRows) {
    const Trace trace = transpose_trace();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    EXPECT_EQ(row_length_of(*replay, array_named(trace, "in")), 16u);
    EXPECT_EQ(row_length_of(*replay, array_named(trace, "out")), 8u);
}

// The same accesses to arrays of one extent: the threads show what a row is.
TEST(RowLength, FollowsTheThreadsWhereTheArrayHasNone) {
    Trace trace = transpose_trace();
    for (const char* const name : {"in", "out"}) {
        Array& array = trace.arrays[array_named(trace, name)];
        const std::vector<std::byte> first = array.first_bytes;
        array = Array::of(name, Space::kGlobal, ElementType::kInt32, 4, {.extents = {128}});
        array.first_bytes = first;
    }
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay) << replay.error().message;
    EXPECT_EQ(row_length_of(*replay, array_named(trace, "in")), 16u);
    EXPECT_EQ(row_length_of(*replay, array_named(trace, "out")), 8u);
}

TEST(RowLength, IsAWarpIfNothingElseIsKnown) {
    const Trace trace = reduction_trace();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    EXPECT_EQ(row_length_of(*replay, array_named(trace, "in")), kUsualRowLength);
}

// struct { float x; int kind; } and struct { double mass; int id; }, whose cells are whole
// elements.
TEST(CellText, OfAStructureHasTheTypesOfItsMembers) {
    Array pairs = Array::of("pairs", Space::kGlobal, ElementType::kFloat32, 8, {{4}, 0});
    pairs.components = {{0, 4, ElementType::kFloat32, "x"}, {4, 4, ElementType::kInt32, "kind"}};
    const std::int32_t minus_two = -2;
    EXPECT_EQ(cell_bytes(pairs), 4u);
    EXPECT_EQ(cell_text(pairs, 3, std::as_bytes(std::span(&minus_two, 1))), "-2");
    const float half = 0.5f;
    EXPECT_EQ(cell_text(pairs, 2, std::as_bytes(std::span(&half, 1))), "0.5");
    Array mixed = Array::of("mixed", Space::kGlobal, ElementType::kBytes, 16, {{4}, 0});
    mixed.components = {{0, 8, ElementType::kFloat64, "mass"}, {8, 4, ElementType::kInt32, "id"}};
    struct {
        double mass = 0.25;
        std::int32_t id = -7, padding = 0;
    } element;
    EXPECT_EQ(cell_bytes(mixed), 16u);
    EXPECT_EQ(cell_text(mixed, 1, std::as_bytes(std::span(&element, 1))), "{mass 0.25, id -7}");
}

}  // namespace
}  // namespace tilereel::tests::contents_test
