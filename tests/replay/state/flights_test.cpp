// Flights: which element of A or B was copied to which cell of shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <span>

#include "app/replay/replay.h"
#include "instrumentation/trace/views.h"
#include "tests/replay/hand_trace.h"
#include "tests/replay/kernel_script.h"

namespace tilereel::flights_test {
namespace {

// 09: As[ty][tx] comes from A[row][k0 + tx], Bs[ty][tx] from B[k0 + ty][col]. 08 transposes Bs.
void check_ladder_kernel(const std::string& kernel, const ScriptSize& size, const Trace& trace) {
    const auto tile = static_cast<std::uint32_t>(size.tile);
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        const std::uint32_t bx = block % trace.launch.grid.x, by = block / trace.launch.grid.x;
        const Result<Replay> replay = Replay::of_block(trace, block);
        const auto k = static_cast<std::uint32_t>(size.k);
        ASSERT_EQ(replay->flights().size(), std::size_t{2} * tile * k);
        Tick last = 0;
        for (const Flight& flight : replay->flights()) {
            const Step& load = replay->schedule().steps[flight.load_step];
            const Step& store = replay->schedule().steps[flight.store_step];
            ASSERT_LE(last, flight.depart);
            last = flight.depart;
            ASSERT_EQ(flight.depart, load.begin);
            ASSERT_EQ(flight.land, store.end());
            ASSERT_EQ(load.warp, store.warp);
            ASSERT_LT(load.begin, store.begin);
            const std::uint32_t k0 = load.phase * tile;
            if (flight.to == 3) {
                ASSERT_EQ(flight.from, 0);
                ASSERT_EQ(flight.from_row, by * tile + flight.to_row);
                ASSERT_EQ(flight.from_column, k0 + flight.to_column);
                ASSERT_EQ(
                    flight.value,
                    matrix_of(trace, MatrixRole::kA)[flight.from_row * k + flight.from_column]);
                continue;
            }
            const bool transposed = kernel == "08";
            ASSERT_EQ(flight.from, 1);
            ASSERT_EQ(flight.from_row, k0 + (transposed ? flight.to_column : flight.to_row));
            ASSERT_EQ(flight.from_column,
                      bx * tile + (transposed ? flight.to_row : flight.to_column));
        }
    }
}

TEST(Flights, OfTheLadder) {
    for (const std::string kernel : {"08", "09"})
        for (const int tile : {2, 4, 8, 16}) {
            const ScriptSize size{16, 16, 16, tile, 1};
            check_ladder_kernel(kernel, size, trace_of(kernel, size));
        }
}

TEST(Flights, AreRightIfAllElementsAreEqual) {
    const ScriptSize size{16, 16, 16, 8, 0};
    Trace trace = trace_of("09", size);
    for (const MatrixRole input : {MatrixRole::kA, MatrixRole::kB})
        set_matrix(trace, input, std::vector<float>(16 * 16, 1.0f));
    for (std::size_t segment = 0; segment < trace.segments.size(); ++segment) {
        std::uint64_t value = trace.segments.value_begin[segment];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            if (!has_values(trace, record)) continue;
            const Site& site = site_at(trace, record);
            for (std::size_t i = 0; i < value_count(trace, record); ++i, ++value)
                if (site.operation == Operation::kStore && site.array > 2)
                    trace.words[value] = std::bit_cast<std::uint32_t>(1.0f);
        }
    }
    check_ladder_kernel("09", size, trace);
}

TEST(Flights, AreEmptyWithoutSharedMemory) {
    const Trace trace = trace_of("02", {16, 16, 16, 8});
    EXPECT_TRUE(Replay::of_block(trace, 0)->flights().empty());
}

// The outer product reads B into registers while it computes: when the next tile
// of A is loaded, those values are still unstored. They must not be taken for A.
TEST(Flights, UnusedLoadsOfThePreviousEpochAreNotSources) {
    HandTrace hand(1, 32, 64, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 1, 32, 32);
    hand.a.assign(64, 2.0f);
    hand.b.assign(64 * 32, 2.0f);
    const std::vector<float> twos(32, 2.0f);
    for (std::uint32_t phase = 0; phase < 2; ++phase) {
        hand.access(0, 0, 1, 0, Operation::kLoad, strided(phase * 128, 4));
        hand.access(0, 0, 1, tile, Operation::kStore, strided(0, 4), twos);
        hand.barrier(0, 0, 2);
        hand.access(0, 0, 3, 1, Operation::kLoad, strided(phase * 128, 4));
        hand.multiply_add(0, 0, 3, 0xffffffff, 0, twos);
        hand.barrier(0, 0, 4);
    }
    const Trace trace = hand.finish();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->flights().size(), 64u);
    for (const Flight& flight : replay->flights()) EXPECT_EQ(flight.from, 0);
}

// Both tiles are loaded before either is stored, and B's tile is stored first. The values of single
// lanes equal A's by chance; those of the whole warp equal only B's.
TEST(Flights, ALoadThatMatchesTheWholeWarpIsPreferred) {
    HandTrace hand(1, 32, 32, {}, {32, 1, 1});
    const ArrayId as = hand.shared_array("As", 1, 32, 32), bs = hand.shared_array("Bs", 1, 32, 32);
    for (int i = 0; i < 32; ++i) {
        hand.a[i] = static_cast<float>(i % 3);
        hand.b[i] = static_cast<float>(i % 2);
    }
    const std::vector<float> b(hand.b.begin(), hand.b.begin() + 32);
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
    hand.access(0, 0, 2, 1, Operation::kLoad, strided(0, 4));
    hand.access(0, 0, 3, bs, Operation::kStore, strided(128, 4), b);
    hand.access(0, 0, 4, as, Operation::kStore, strided(0, 4), hand.a);
    const Trace trace = hand.finish();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->flights().size(), 64u);
    for (const Flight& flight : replay->flights()) EXPECT_EQ(flight.from, flight.to == as ? 0 : 1);
}

// A value may be loaded in one epoch and stored in the next. Older loads are not considered.
TEST(Flights, ComeFromThePreviousEpochButNotFromOlderOnes) {
    for (const int barriers : {1, 2}) {
        HandTrace hand(1, 32, 32, {}, {32, 1, 1});
        const ArrayId tile = hand.shared_array("As", 1, 32, 32);
        for (int i = 0; i < 32; ++i) hand.a[i] = static_cast<float>(i);
        hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
        for (int i = 0; i < barriers; ++i) hand.barrier(0, 0, 2);
        hand.access(0, 0, 3, tile, Operation::kStore, strided(0, 4), hand.a);
        const Trace trace = hand.finish();
        EXPECT_EQ(Replay::of_block(trace, 0)->flights().size(), barriers == 1 ? 32u : 0u);
    }
}

// A lane at the edge stores a zero that it never loaded: nothing flies there.
TEST(Flights, LanesThatStoreAFillValueHaveNone) {
    HandTrace hand(1, 32, 8, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 1, 32, 32);
    for (int i = 0; i < 8; ++i) hand.a[i] = static_cast<float>(i % 2);
    std::vector<float> stored(32, 0.0f);
    std::ranges::copy(hand.a, stored.begin());
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4, 8));
    hand.access(0, 0, 1, tile, Operation::kStore, strided(0, 4), stored);
    const Trace trace = hand.finish();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->flights().size(), 8u);
    for (const Flight& flight : replay->flights()) EXPECT_EQ(flight.from_column, flight.lane);
}

// The bits of a whole number from 0 to 2047 (IEEE 754 binary16).
std::uint32_t half_bits(std::uint32_t number) {
    if (number == 0) return 0;
    const auto exponent = static_cast<std::uint32_t>(std::bit_width(number) - 1);
    return (exponent + 15) << 10 | ((number << (10 - exponent)) & 1023);
}

// 4 bytes a lane are two values, whether the arrays are of half2 or of half.
TEST(Flights, AHalf2FliesAsTwoCells) {
    for (const std::uint32_t element : {2u, 4u}) {
        HandTrace hand(1, 32, 64, {}, {32, 1, 1});
        hand.trace.product.reset();
        const Array::Shape shape{{128 / element}};
        hand.trace.arrays[0] =
            Array::of("in", Space::kGlobal, ElementType::kFloat16, element, shape);
        const ArrayId tile = hand.shared_array("tile", 1, 128 / element, 128 / element, element);
        hand.trace.arrays[tile].type = ElementType::kFloat16;
        std::vector<float> words;
        for (std::uint32_t i = 0; i < 64; i += 2)
            words.push_back(std::bit_cast<float>(half_bits(i) | half_bits(i + 1) << 16));
        const auto bytes = std::as_bytes(std::span(words));
        hand.trace.arrays[0].first_bytes.assign(bytes.begin(), bytes.end());
        hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 4));
        hand.access(0, 0, 2, tile, Operation::kStore, strided(0, 4), words);
        const Trace trace = hand.finish();
        Result<Replay> replay = Replay::of_block(trace, 0);
        ASSERT_EQ(replay->flights().size(), 64u) << element;
        const SharedArrayState& stored = replay->seek(replay->schedule().ticks).shared.at(0);
        EXPECT_EQ(stored.expected, 128 / element);  // elements
        EXPECT_EQ(stored.landed, 128 / element);
        std::set<std::uint32_t> from;
        for (const Flight& flight : replay->flights()) {
            const std::uint32_t number = flight.from_bytes / 2;
            from.insert(number);
            EXPECT_EQ(flight.value, static_cast<float>(number));
            EXPECT_EQ(flight.from_column, number * 2 / element);
            EXPECT_EQ(flight.to_column, number * 2 / element);
        }
        EXPECT_EQ(from.size(), 64u) << element;
    }
}

// Each of two warps stores 64 of 128 values, two in a word.
TEST(Flights, TheStoredShareCountsElementsOfHalf2) {
    HandTrace hand(1, 32, 64, {}, {64, 1, 1});
    hand.trace.product.reset();
    const auto half = [](const char* name, Space space) {
        return Array::of(name, space, ElementType::kFloat16, 2, {{128}});
    };
    hand.trace.arrays[0] = half("in", Space::kGlobal);
    const ArrayId tile = hand.shared_array("tile", 1, 128, 128, 2);
    hand.trace.arrays[tile] = half("tile", Space::kShared);
    for (const std::uint32_t line : {1u, 2u})
        for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}})
            hand.access(0, warp, line, line == 1 ? ArrayId{0} : tile,
                        line == 1 ? Operation::kLoad : Operation::kStore, strided(128u * warp, 4),
                        line == 1 ? std::vector<float>{} : std::vector<float>(32, 1.0f));
    for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}}) hand.barrier(0, warp, 3);
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    replay->seek(replay->schedule().steps.back().begin);  // warp 1 stores; warp 0 waits
    EXPECT_NE(plain_text(replay->sentence()).find("Warp 0 has stored its half of tile"),
              std::string::npos)
        << plain_text(replay->sentence());
}

// One 16-byte load, stored as four scalars down a column: each word flies on its own.
TEST(Flights, WideLoadsFlyWordByWord) {
    HandTrace hand(1, 32, 128, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 4, 32, 33);
    for (int i = 0; i < 128; ++i) hand.a[i] = static_cast<float>(i);
    hand.access(0, 0, 1, 0, Operation::kLoad, strided(0, 16), {}, 16);
    for (std::uint32_t word = 0; word < 4; ++word) {
        std::vector<float> values;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            values.push_back(static_cast<float>(4 * lane + word));
        hand.access(0, 0, 2, tile, Operation::kStore, strided(word * 33 * 4, 4), values);
    }
    const Trace trace = hand.finish();
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_EQ(replay->flights().size(), 128u);
    std::set<std::uint32_t> sources;
    for (const Flight& flight : replay->flights()) {
        EXPECT_EQ(flight.from_column, 4 * flight.to_column + flight.to_row);
        sources.insert(flight.from_column);
    }
    EXPECT_EQ(sources.size(), 128u);
}

}  // namespace
}  // namespace tilereel::flights_test
