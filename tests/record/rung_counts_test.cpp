// Compares the recording of each rung with the counts that follow from its index arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/trace/views.h"
#include "tests/record/tally.h"

namespace tilereel::rung_counts_test {
namespace {

// Distinct aligned units of `bytes` that one record touches.
std::size_t units(const Trace& trace, std::size_t record, std::uint32_t bytes) {
    const LaneOffsets lanes = lane_offsets(trace, record);
    std::set<std::uint32_t> touched;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        if ((lanes.mask >> lane & 1u) != 0) touched.insert(lanes.bytes[lane] / bytes);
    return touched.size();
}

template <class Visit>
void for_each_access(const Trace& trace, const std::string& array, Operation operation,
                     Visit&& visit) {
    std::size_t visited = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        if (site.operation != operation || site.array == kNoArray ||
            trace.arrays[site.array].name != array)
            continue;
        visit(i);
        ++visited;
    }
    EXPECT_GT(visited, 0u) << array;
}

TEST(RungCounts, GuideSimpleUsesFourBytesOfASector) {
    const Trace trace = record("03_guide_simple", {.m = 32, .n = 32, .k = 16, .tile = 16});
    for_each_access(trace, "A", Operation::kLoad, [&](std::size_t i) {
        EXPECT_EQ(units(trace, i, 32), 2u);  // a sector each for the warp's two rows
        EXPECT_EQ(units(trace, i, 4), 2u);   // of which one word is used
    });
    Tallies counts = tally(trace);
    EXPECT_EQ(counts[kGlobalLoad].accesses, 2u * 32 * 32 * 16);
    EXPECT_EQ(counts[kBarrier].requests, 0u);
    EXPECT_EQ(trace.launch.shared_bytes, 0u);
}

TEST(RungCounts, GuideASharedReadsAOnceWithoutABlockBarrier) {
    for (const int tile : {2, 4, 8, 16, 32}) {
        const Trace trace =
            record("04_guide_a_shared", {.m = 64, .n = 64, .k = tile, .tile = tile});
        Tallies counts = tally(trace);
        EXPECT_EQ(counts[kBarrier].requests, 0u);
        const std::uint64_t warps = trace.launch.blocks() * std::uint64_t{trace.launch.warps()};
        EXPECT_EQ(counts[kWarpBarrier].requests, warps);
        EXPECT_EQ(counts[kSharedStore].accesses, 64u * 64);
        EXPECT_EQ(counts[kSharedLoad].accesses, 64u * 64 * unsigned(tile));
        EXPECT_EQ(counts[kGlobalLoad].accesses, 64u * 64 + 64u * 64 * unsigned(tile));
        // A warp reads no word that another one wrote: nothing needs a block barrier.
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint16_t> writer;  // block, byte
        for (const Operation operation : {Operation::kStore, Operation::kLoad})
            for (std::size_t s = 0; s < trace.segments.size(); ++s)
                for (const std::uint64_t r : records_of(trace.segments, s)) {
                    const Site& site = site_at(trace, r);
                    if (site.array != 3 || site.operation != operation) continue;
                    const LaneOffsets lanes = lane_offsets(trace, r);
                    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
                        if ((lanes.mask >> lane & 1u) == 0) continue;
                        const std::pair cell{trace.segments.block[s], lanes.bytes[lane]};
                        if (operation == Operation::kStore)
                            writer[cell] = trace.segments.warp[s];
                        else
                            ASSERT_EQ(writer.at(cell), trace.segments.warp[s]) << tile;
                    }
                }
    }
}

TEST(RungCounts, GuideABSharedReadsBOnceWithABarrier) {
    const Trace trace = record("05_guide_ab_shared", {.m = 64, .n = 32, .k = 16, .tile = 16});
    Tallies counts = tally(trace);
    EXPECT_EQ(counts[kGlobalLoad].accesses, 2u * 64 * 32);
    EXPECT_EQ(counts[kSharedLoad].accesses, 2u * 64 * 32 * 16);
    EXPECT_EQ(counts[kBarrier].requests, 4u * 2 * 8);  // blocks x warps
}

TEST(RungCounts, SingleBlockLoadsEachElementOnce) {
    const Trace trace = record("06_single_block", {.m = 20, .n = 40, .k = 9, .tile = 16, .pad = 1});
    Tallies counts = tally(trace);
    EXPECT_EQ(trace.launch.blocks(), 1u);
    EXPECT_EQ(counts[kGlobalLoad].accesses, 20u * 9 + 9 * 40);
    EXPECT_EQ(counts[kSharedStore].accesses, 20u * 9 + 9 * 40);
    EXPECT_EQ(counts[kSharedLoad].accesses, 2u * 20 * 40 * 9);
    EXPECT_EQ(counts[kBarrier].requests, 20u * 40 / 32);  // one a warp
}

// Neighbouring lanes of a warp read elements of B that lie N floats apart. A line has 32 floats, so
// with N = 64 each lane touches a line of its own.
TEST(RungCounts, AnUncoalescedTileLoadTouchesOneLinePerLane) {
    const KernelParameters p{.m = 64, .n = 64, .k = 64, .tile = 32, .pad = 0};
    const Trace trace = record("07_tiled_b_uncoalesced", p);
    for_each_access(trace, "B", Operation::kLoad, [&](std::size_t i) {
        EXPECT_EQ(units(trace, i, 32), 32u);
        EXPECT_EQ(units(trace, i, 128), 32u);
    });
    const Trace along = record("08_tiled_b_transposed", p);
    for_each_access(along, "B", Operation::kLoad,
                    [&](std::size_t i) { EXPECT_EQ(units(along, i, 32), 4u); });
    EXPECT_EQ(tally(trace)[kGlobalLoad].requests, tally(along)[kGlobalLoad].requests);
}

TEST(RungCounts, TilesLoadTileTimesLessThanNaive) {
    for (const int tile : {2, 4, 8, 16, 32}) {
        const KernelParameters p{.m = 64, .n = 32, .k = 96, .tile = tile, .pad = 0};
        const std::uint64_t naive = tally(record("02_naive", p))[kGlobalLoad].accesses;
        EXPECT_EQ(naive, 2u * 64 * 32 * 96);
        for (const char* kernel :
             {"07_tiled_b_uncoalesced", "09_tiled", "10_tiled_any_size", "11_tiled_dynamic"})
            EXPECT_EQ(tally(record(kernel, p))[kGlobalLoad].accesses * unsigned(tile), naive)
                << kernel;
    }
}

// The 3x3 product in 2x2 tiles, block (1,1): only thread (0,0) is inside C.
TEST(RungCounts, AnySizeMasksLanesOutsideTheMatrix) {
    const Trace trace = record("10_tiled_any_size", {.m = 3, .n = 3, .k = 3, .tile = 2, .pad = 0});
    const SegmentRange last = segments_of_block(trace, 3);
    std::map<std::string, std::vector<std::uint32_t>> masks;  // of loads and stores, in order
    for (std::uint64_t r = trace.segments.record_begin[last.first];
         r < trace.segments.record_begin[last.last]; ++r) {
        const Site& site = site_at(trace, r);
        if (site.array == kNoArray) continue;
        const char* what = site.operation == Operation::kLoad ? "load " : "store ";
        masks[what + trace.arrays[site.array].name].push_back(
            trace.patterns[trace.records.pattern[r]].mask);
    }
    using Masks = std::vector<std::uint32_t>;
    EXPECT_EQ(masks["load A"], (Masks{0b0011, 0b0001}));  // A[2][0..1], then A[2][2]
    EXPECT_EQ(masks["load B"], (Masks{0b0101, 0b0001}));  // B[0..1][2], then B[2][2]
    EXPECT_EQ(masks["store As"], (Masks{0b1111, 0b1111}));
    EXPECT_EQ(masks["store Bs"], (Masks{0b1111, 0b1111}));
    EXPECT_EQ(masks["load As"], (Masks{0b1111, 0b1111, 0b1111, 0b1111}));
    EXPECT_EQ(masks["store C"], (Masks{0b0001}));
}

TEST(RungCounts, InAnySizeEveryThreadStoresInEveryPhase) {
    const Trace trace =
        record("10_tiled_any_size", {.m = 37, .n = 21, .k = 19, .tile = 8, .pad = 0});
    Tallies counts = tally(trace);
    const std::uint64_t threads = 5u * 3 * 64, phases = 3;
    EXPECT_EQ(counts[kSharedStore].accesses, 2 * threads * phases);
    EXPECT_EQ(counts[kSharedStore].requests, 2 * threads / 32 * phases);
    EXPECT_EQ(counts[kGlobalLoad].accesses, 3u * 37 * 19 + 5u * 19 * 21);
    EXPECT_EQ(counts[kGlobalStore].accesses, 37u * 21);
    EXPECT_EQ(counts[kMultiplyAdd].accesses, threads * 24);
    std::size_t kept_values = 0;
    for_each_access(trace, "As", Operation::kStore,
                    [&](std::size_t i) { kept_values += has_values(trace, i); });
    EXPECT_EQ(kept_values, threads / 32 * phases);  // every store's values are kept
}

TEST(RungCounts, TheDynamicTileMakesTheAccessesOfTheStaticOne) {
    for (const int pad : {0, 1, 2}) {
        const KernelParameters p{.m = 32, .n = 64, .k = 48, .tile = 16, .pad = pad};
        const Trace fixed = record("09_tiled", p), dynamic = record("11_tiled_dynamic", p);
        ASSERT_EQ(fixed.records.size(), dynamic.records.size());
        for (std::size_t i = 0; i < fixed.records.size(); ++i) {
            const LaneOffsets one = lane_offsets(fixed, i), other = lane_offsets(dynamic, i);
            ASSERT_EQ(one.mask, other.mask);
            ASSERT_EQ(one.bytes, other.bytes);
        }
        EXPECT_EQ(fixed.launch.shared_bytes, dynamic.launch.shared_bytes);
    }
}

TEST(RungCounts, OuterProductReadsOneSharedOperand) {
    const KernelParameters p{.m = 32, .n = 128, .k = 48, .tile = 16, .pad = 0};
    const std::uint64_t multiply_adds = 32u * 128 * 48;
    Tallies outer = tally(record("12_outer_product", p));
    EXPECT_EQ(outer[kMultiplyAdd].accesses, multiply_adds);
    EXPECT_EQ(outer[kSharedLoad].accesses, multiply_adds);
    EXPECT_EQ(tally(record("09_tiled", p))[kSharedLoad].accesses, 2 * multiply_adds);
    // A once for each 64 columns of C, B once for each 16 rows.
    EXPECT_EQ(outer[kGlobalLoad].accesses, 32u * 48 * 2 + 48u * 128 * 2);
    EXPECT_EQ(outer[kSharedStore].accesses, 32u * 48 * 2);
    EXPECT_EQ(outer[kBarrier].requests, 4u * 2 * 2 * 3);  // blocks, warps, a phase, phases
    EXPECT_EQ(outer[kGlobalStore].accesses, 32u * 128);
}

TEST(RungCounts, UnrolledMakesTheSameAccesses) {
    const KernelParameters p{.m = 32, .n = 128, .k = 48, .tile = 16, .pad = 1};
    const Trace rolled = record("12_outer_product", p);
    const Trace unrolled = record("13_outer_product_unrolled", p);
    ASSERT_EQ(rolled.records.size(), unrolled.records.size());
    for (std::size_t i = 0; i < rolled.records.size(); ++i) {
        const Site& one = site_at(rolled, i);
        const Site& other = site_at(unrolled, i);
        ASSERT_EQ(one.operation, other.operation);
        ASSERT_EQ(one.array, other.array);
        ASSERT_EQ(lane_offsets(rolled, i).bytes, lane_offsets(unrolled, i).bytes);
    }
    EXPECT_EQ(rolled.words, unrolled.words);
    EXPECT_EQ(rolled.accumulators, 16u);
}

TEST(RungCounts, PrefetchHasOneBarrierPerPhase) {
    for (const int k : {16, 48, 80}) {
        const KernelParameters p{.m = 16, .n = 64, .k = k, .tile = 16, .pad = 0};
        const Trace trace = record("14_outer_product_prefetch", p);
        Tallies counts = tally(trace);
        Tallies plain = tally(record("12_outer_product", p));
        EXPECT_EQ(counts[kBarrier].requests, 2u * (unsigned(k) / 16 + 1));  // of 2 warps
        for (const auto& what : {kGlobalLoad, kSharedStore, kSharedLoad, kMultiplyAdd})
            EXPECT_EQ(counts[what].accesses, plain[what].accesses);
        // The next tile's loads lie in the epoch of this tile's compute; the last has none.
        std::map<std::uint32_t, std::size_t> loads_of_a;  // by epoch
        for (std::size_t s = 0; s < trace.segments.size(); ++s)
            for (const std::uint64_t r : records_of(trace.segments, s)) {
                const Site& site = site_at(trace, r);
                if (site.array == 0) ++loads_of_a[trace.segments.epoch[s]];
            }
        EXPECT_EQ(loads_of_a.size(), unsigned(k) / 16);
        for (const auto& [epoch, loads] : loads_of_a) {
            EXPECT_LT(epoch, unsigned(k) / 16);
            EXPECT_EQ(loads, 2u * 4);
        }
    }
}

struct SharedLayout {
    std::string name;
    std::uint32_t rows, columns, leading_dimension, base_bytes;
    bool operator==(const SharedLayout&) const = default;
};
std::vector<SharedLayout> shared_arrays(const std::string& kernel, const KernelParameters& p) {
    std::vector<SharedLayout> laid;
    for (const Array& a : record(kernel, p).arrays)
        if (a.space == Space::kShared)
            laid.push_back({a.name, a.rows, a.columns, a.leading_dimension, a.base_bytes});
    return laid;
}

TEST(RungArrays, HaveTheNamesAndShapesOfTheirDeclarations) {
    const KernelParameters deep{.m = 16, .n = 16, .k = 8, .tile = 8, .pad = 1};
    EXPECT_TRUE(shared_arrays("03_guide_simple", {.m = 16, .n = 16, .k = 8, .tile = 8}).empty());
    EXPECT_EQ(shared_arrays("04_guide_a_shared", deep),
              (std::vector<SharedLayout>{{"As", 8, 8, 9, 0}}));
    const std::vector<SharedLayout> two{{"As", 8, 8, 9, 0}, {"Bs", 8, 8, 9, 8 * 9 * 4}};
    for (const char* kernel :
         {"05_guide_ab_shared", "07_tiled_b_uncoalesced", "10_tiled_any_size", "11_tiled_dynamic"})
        EXPECT_EQ(shared_arrays(kernel, deep), two) << kernel;
    EXPECT_EQ(shared_arrays("06_single_block", {.m = 20, .n = 40, .k = 9, .tile = 16, .pad = 2}),
              (std::vector<SharedLayout>{{"As", 20, 9, 11, 0}, {"Bs", 9, 40, 42, 20 * 11 * 4}}));
    const KernelParameters wide{.m = 16, .n = 64, .k = 32, .tile = 16, .pad = 1};
    EXPECT_EQ(shared_arrays("12_outer_product", wide),
              (std::vector<SharedLayout>{{"As", 16, 16, 17, 0}}));
    EXPECT_EQ(shared_arrays("14_outer_product_prefetch", wide),  // one buffer below the other
              (std::vector<SharedLayout>{{"As", 32, 16, 17, 0}}));
    const Array buffers = record("14_outer_product_prefetch", wide).arrays[3];
    EXPECT_EQ(buffers.outer_extents, std::vector<std::uint32_t>{2});
    EXPECT_EQ(buffers.rows_of_plane(), 16u);
    EXPECT_TRUE(record("12_outer_product", wide).arrays[3].outer_extents.empty());
}

// Rows of As and Bs have 128 bytes, a line of all banks: the 8 rows of each 8 x 8 matrix begin in
// one bank and take 8 wavefronts. With PAD 8 a row begins 16 bytes further than the row before, and
// the 8 rows lie in different banks. 2 phases, 4 warps, 4 times 16 k: 2 loads of As and 2 of Bs,
// of four matrices each.
TEST(RungCounts, MmaLdmatrixMeetsOneSlotUntilItsRowsArePadded) {
    for (const auto& [pad, wavefronts_of_matrix] : {std::pair{0, 8u}, {8, 1u}}) {
        const Trace trace =
            record("22_mma_ldmatrix", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = pad});
        EXPECT_EQ(trace.wrong_elements, 0u);
        constexpr std::uint64_t kRequests = 2 * 4 * 4 * (2 + 2);
        const AccessCounts loads = count_kernel(trace).shared_load;
        EXPECT_EQ(loads.requests, kRequests);
        EXPECT_EQ(loads.wavefronts, kRequests * 4 * wavefronts_of_matrix);
        EXPECT_EQ(loads.bank_conflicts, kRequests * 4 * (wavefronts_of_matrix - 1));
        // A product of 16 x 8 x 16 for each warp, 16 k, 2 rows and 4 columns of products.
        std::uint64_t products = 0;
        for (std::size_t i = 0; i < trace.records.size(); ++i)
            products += site_at(trace, i).operation == Operation::kMatrixProduct;
        EXPECT_EQ(products, 2u * 4 * 4 * 2 * 4);
    }
}

// 23 has such loads without conflicts and without PAD: an XOR separates the pieces of 8 rows.
TEST(RungCounts, MmaPipelineHasNoConflictsWithoutPadding) {
    for (const int tile : {64, 256}) {
        const Trace trace = record("23_mma_pipeline", {.m = 256, .n = 128, .k = 192, .tile = tile});
        EXPECT_EQ(trace.wrong_elements, 0u);
        const AccessCounts loads = count_kernel(trace).shared_load;
        EXPECT_EQ(loads.wavefronts, loads.requests * 4) << tile;
        EXPECT_EQ(loads.bank_conflicts, 0u) << tile;
    }
}

// No lane loads from shared memory: the TMA copies A once for each column of blocks and B once for
// each row of blocks, and the stores of C are the block's own.
TEST(RungCounts, WgmmaCopiesEachTileOnceABlock) {
    for (const int tile : {64, 128}) {
        const Trace trace = record("24_wgmma", {.m = 256, .n = 128, .k = 192, .tile = tile});
        EXPECT_EQ(trace.wrong_elements, 0u);
        const KernelCounts counts = count_kernel(trace);
        EXPECT_EQ(counts.shared_load.requests, 0u);
        EXPECT_EQ(counts.global_load.bytes_requested,
                  2u * 192 * (256 * (128 / tile) + 128 * (256 / tile)));
        EXPECT_EQ(counts.global_store.bytes_requested, 4u * 256 * 128);
    }
}

// Two blocks of a cluster share each box of B: it is read once for both. The TMA stores C, 16 bytes
// a piece, in whole sectors.
TEST(RungCounts, WarpSpecialisedReadsBOnceACluster) {
    for (const int tile : {64, 256}) {
        const Trace trace =
            record("25_warp_specialised", {.m = 512, .n = 512, .k = 192, .tile = tile});
        EXPECT_EQ(trace.wrong_elements, 0u);
        const KernelCounts counts = count_kernel(trace);
        EXPECT_EQ(counts.global_load.bytes_requested,
                  2u * 192 * (512 * (512 / tile) + 512 * (512 / 256)));
        EXPECT_EQ(counts.global_store.bytes_requested, 4u * 512 * 512);
        EXPECT_EQ(counts.global_store.sectors, 4u * 512 * 512 / 32);
    }
}

// A wait finds five copies complete, two of them of the other block: all lanes wait
// together, once a phase, whatever the lane that looked first has recorded of the copies.
TEST(RungCounts, TheLanesOfAConsumerWaitTogether) {
    const Trace trace = record("25_warp_specialised", {.m = 256, .n = 256, .k = 192, .tile = 256});
    const std::string_view source = find_kernel("25_warp_specialised")->source;
    const auto line =
        std::ranges::count(source.substr(0, source.find("&full[slot], parity)")), '\n') + 1;
    std::uint32_t waits = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        if (site.operation != Operation::kWaitPhase || site.line != line) continue;
        ++waits;
        EXPECT_EQ(trace.patterns[trace.records.pattern[i]].mask, 0xffffffffu);
    }
    EXPECT_EQ(waits, 2u * 8 * 3);  // blocks, warps, phases
}

// Whole products in bfloat16: random integers from 0 to 5 are exact.
TEST(RungCounts, WmmaLoadsEachTileFromGlobalMemory) {
    for (const int tile : {16, 32, 64}) {
        const Trace trace = record("21_wmma", {.m = 64, .n = 128, .k = 48, .tile = tile});
        EXPECT_EQ(trace.wrong_elements, 0u);
        EXPECT_EQ(trace.arrays[0].element_bytes, 2u);
        // Each of the 4 x 8 warps reads 16 x 48 of A and 48 x 16 of B.
        EXPECT_EQ(count_kernel(trace).global_load.bytes_requested, 4u * 8 * (2 * 16 * 48) * 2);
    }
}

}  // namespace
}  // namespace tilereel::rung_counts_test
