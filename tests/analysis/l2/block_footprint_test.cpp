// What blocks access, against the index arithmetic of the ladder's tiled product.
#include "instrumentation/analysis/l2/block_footprint.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "app/ladder/ladder.h"
#include "app/ladder/sample/footprint_sample.h"

namespace tilereel::block_footprint_test {
namespace {

using Element = std::tuple<std::string, bool, std::uint64_t>;  // array, written, element

RecordRequest tiled(int m, int n, int k, const char* kernel = "09_tiled", int tile = 8) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = {.m = m, .n = n, .k = k, .tile = tile, .pad = 0};
    return request;
}

std::set<Element> elements_of(const LaunchFootprint& launch, const std::vector<std::string>& names,
                              std::uint32_t block, std::uint32_t first, std::uint32_t last) {
    std::set<Element> all;
    for (std::uint32_t step = first; step < last; ++step)
        launch.for_each_run(block, step, [&](const TouchedRun& run) {
            for (std::uint64_t byte = run.begin; byte < run.end; byte += 4)
                all.insert({names[run.array], run.written, byte / 4});
        });
    return all;
}

// C = A B in tiles of 8: block (x, y) reads rows 8 y .. 8 y + 7 of A and columns 8 x .. of B.
std::set<Element> expected(int n, int k, std::uint64_t x, std::uint64_t y, std::uint64_t first_k,
                           std::uint64_t last_k) {
    std::set<Element> all;
    for (std::uint64_t i = 0; i < 8; ++i)
        for (std::uint64_t j = first_k; j < last_k; ++j) {
            all.insert({"A", false, (8 * y + i) * static_cast<std::uint64_t>(k) + j});
            all.insert({"B", false, j * static_cast<std::uint64_t>(n) + 8 * x + i});
        }
    if (last_k == static_cast<std::uint64_t>(k))
        for (std::uint64_t i = 0; i < 8; ++i)
            for (std::uint64_t j = 0; j < 8; ++j)
                all.insert({"C", true, (8 * y + i) * static_cast<std::uint64_t>(n) + 8 * x + j});
    return all;
}

TEST(BlockFootprint, IsWhatTheIndicesSay) {
    const auto sample = footprint_sample(tiled(40, 24, 64), 32);
    ASSERT_TRUE(sample) << sample.error().message;
    EXPECT_EQ(sample->launch.grid(), (Dim3{3, 5, 1}));
    EXPECT_FALSE(sample->launch.all_recorded());
    for (std::uint32_t y = 0; y < 5; ++y)
        for (std::uint32_t x = 0; x < 3; ++x)
            EXPECT_EQ(elements_of(sample->launch, sample->names, 3 * y + x, 0, kFootprintSteps),
                      expected(24, 64, x, y, 0, 64))
                << x << ", " << y;
}

// A long K is not recorded whole. Which bytes of it a block accesses, and about when, is still what
// the indices say; K = 704 is no multiple of what is recorded, 24 columns leave a block at the
// edge.
TEST(BlockFootprint, OfALongLoopFollowsFromAShortOne) {
    for (const char* const kernel : {"09_tiled", "02_naive"}) {
        const int k = 704;
        const auto sample = footprint_sample(tiled(40, 24, k, kernel), 32);
        ASSERT_TRUE(sample) << sample.error().message;
        for (const std::uint32_t block : {0u, 4u, 14u}) {
            const std::uint64_t x = block % 3, y = block / 3;
            EXPECT_EQ(elements_of(sample->launch, sample->names, block, 0, kFootprintSteps),
                      expected(24, k, x, y, 0, k))
                << kernel << " " << block;
            const auto half =
                elements_of(sample->launch, sample->names, block, 0, kFootprintSteps / 2);
            EXPECT_TRUE(std::ranges::includes(half, expected(24, k, x, y, 0, k / 2 - 32)));
            EXPECT_FALSE(std::ranges::includes(half, expected(24, k, x, y, 0, k / 2 + 32)));
        }
    }
}

// A product whose B is stored by columns: K runs along the rows of both.
TEST(BlockFootprint, OfALongLoopKnowsHowBIsStored) {
    const auto sample = footprint_sample(tiled(64, 64, 1024, "22_mma_ldmatrix", 64), 32);
    ASSERT_TRUE(sample) << sample.error().message;
    std::map<std::string, std::uint64_t> bytes;
    for (std::uint32_t step = 0; step < kFootprintSteps; ++step)
        sample->launch.for_each_run(0, step, [&](const TouchedRun& run) {
            bytes[sample->names[run.array]] += run.end - run.begin;
        });
    EXPECT_EQ(bytes["A"], 64u * 1024 * 2);
    EXPECT_EQ(bytes["B"], 64u * 1024 * 2);
    EXPECT_EQ(bytes["C"], 64u * 64 * 4);
}

// Each warp makes two loads a phase and one store at the end, 8 phases: 17 requests. After half of
// the steps, the block has come to the middle of K, give or take a tile.
TEST(BlockFootprint, SaysHowFarABlockHasCome) {
    const auto sample = footprint_sample(tiled(40, 24, 64), 32);
    ASSERT_TRUE(sample) << sample.error().message;
    const auto half = elements_of(sample->launch, sample->names, 4, 0, kFootprintSteps / 2);
    const auto contains = [&](const std::set<Element>& part) {
        return std::ranges::includes(half, part);
    };
    EXPECT_TRUE(contains(expected(24, 64, 1, 1, 0, 32)));
    EXPECT_FALSE(contains(expected(24, 64, 1, 1, 0, 48)));
}

TEST(BlockFootprint, OfSomeBlocksIsThatOfAll) {
    for (const RecordRequest& request :
         {tiled(32, 40, 16), tiled(32, 48, 16, "02_naive"), tiled(29, 35, 21, "10_tiled_any_size"),
          tiled(32, 64, 16, "12_outer_product", 16), tiled(64, 96, 32, "21_wmma", 16)}) {
        const auto some = footprint_sample(request, 32);
        if (!some) continue;  // a size that the kernel does not take
        const auto trace = record_ladder(request);
        ASSERT_TRUE(trace) << trace.error().message;
        std::vector<BlockFootprint> recorded;
        for (std::uint32_t block = 0; block < trace->launch.blocks(); ++block)
            recorded.push_back(footprint_of(*trace, block));
        const auto all =
            LaunchFootprint::of(trace->launch.grid, recorded, footprint_arrays(*trace));
        ASSERT_TRUE(all) << all.error().message;
        EXPECT_TRUE(all->all_recorded());
        std::vector<std::string> names;
        for (const Array& array : trace->arrays) names.push_back(array.name);
        for (std::uint32_t block = 0; block < all->blocks(); ++block) {
            const auto known = elements_of(*all, names, block, 0, kFootprintSteps);
            const auto derived = elements_of(some->launch, some->names, block, 0, kFootprintSteps);
            // At the edge of a matrix a block accesses less than one inside.
            EXPECT_TRUE(std::ranges::includes(derived, known)) << request.kernel << " " << block;
            const bool ragged = request.kernel == "10_tiled_any_size";
            if (!ragged) {
                EXPECT_EQ(derived, known) << request.kernel << " " << block;
            }
        }
    }
}

TEST(BlockFootprint, SaysWhatRowsAndColumnsOfBlocksShare) {
    const auto sample = footprint_sample(tiled(40, 24, 16), 32);
    ASSERT_TRUE(sample) << sample.error().message;
    for (ArrayId array = 0; array < sample->names.size(); ++array) {
        const std::string& name = sample->names[array];
        if (name.size() > 1) continue;  // As and Bs: not in global memory
        EXPECT_EQ(sample->launch.differs_along_x(array), name != "A") << name;
        EXPECT_EQ(sample->launch.differs_along_y(array), name != "B") << name;
    }
}

// Handmade footprints of blocks that read 64 bytes each.
BlockFootprint reads(std::uint32_t block, std::uint64_t begin) {
    BlockFootprint made{.block = block, .runs = {{0, false, begin, begin + 64}}, .begin = {0}};
    made.begin.resize(kFootprintSteps + 1, 1);
    return made;
}

TEST(BlockFootprint, OfBlocksThatAreNotAlikeIsNotKnown) {
    const std::vector<FootprintArray> arrays{{.bytes = 1 << 20, .row_bytes = 1 << 20}};
    const Dim3 grid{100, 1, 1};
    EXPECT_TRUE(LaunchFootprint::of(grid, {reads(0, 0), reads(1, 64), reads(50, 3200)}, arrays));
    // One in the middle lies elsewhere, such as in a sparse matrix.
    const auto other =
        LaunchFootprint::of(grid, {reads(0, 0), reads(1, 64), reads(50, 64)}, arrays);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message, "its blocks are not alike");
    const auto missing = LaunchFootprint::of(grid, {reads(0, 0), reads(50, 3200)}, arrays);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "not all blocks are recorded");
    EXPECT_FALSE(LaunchFootprint::of(grid, {}, arrays));
}

}  // namespace
}  // namespace tilereel::block_footprint_test
