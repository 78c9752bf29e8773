// Compares recordings of 15 to 18 with their index arithmetic: shared reads for each multiply-add,
// wavefronts by the rule of lane groups (tests/hardware/README.md), conflicts by PAD and by XOR.
#include <gtest/gtest.h>

#include <set>

#include "instrumentation/analysis/cost/counters.h"
#include "tests/record/tally.h"

namespace tilereel::register_tiles_test {
namespace {

struct Product {
    int m, n, k, tile;
    [[nodiscard]] KernelParameters parameters(int pad = 0) const { return {m, n, k, tile, pad}; }
    [[nodiscard]] std::uint64_t edge() const { return tile < 64 ? 4 : 8; }  // of a thread's tile
    [[nodiscard]] std::uint64_t depth() const { return tile < 128 ? 8 : 16; }
    [[nodiscard]] std::uint64_t multiply_adds() const {
        return std::uint64_t(m) * unsigned(n) * unsigned(k);
    }
    [[nodiscard]] std::uint64_t warps() const {  // of all blocks
        const std::uint64_t threads = std::uint64_t(tile) * unsigned(tile) / (edge() * edge());
        return std::uint64_t(m / tile) * unsigned(n / tile) * ((threads + 31) / 32);
    }
};
constexpr Product kProducts[] = {
    {8, 16, 8, 8}, {32, 16, 24, 16}, {64, 96, 16, 32}, {64, 64, 32, 64}, {128, 256, 16, 128}};

// T + T operands feed T x T multiply-adds; an element of A is loaded N / TILE times.
TEST(RegisterTiles, DivideSharedReadsByTheirEdge) {
    for (const Product& p : kProducts) {
        const Trace trace = record("15_register_tile", p.parameters());
        Tallies did = tally(trace);
        EXPECT_EQ(did[kMultiplyAdd].accesses, p.multiply_adds());
        EXPECT_EQ(did[kSharedLoad].accesses * p.edge(), 2 * p.multiply_adds());
        EXPECT_EQ(did[kGlobalLoad].accesses * unsigned(p.tile), 2 * p.multiply_adds());
        EXPECT_EQ(did[kSharedStore].accesses * unsigned(p.tile), 2 * p.multiply_adds());
        EXPECT_EQ(did[kGlobalStore].accesses, unsigned(p.m) * unsigned(p.n));
        EXPECT_EQ(did[kBarrier].requests, 2 * unsigned(p.k) / p.depth() * p.warps());
        const KernelCounts counts = count_kernel(trace);
        EXPECT_EQ(counts.shared_load.wavefronts, counts.shared_load.requests) << p.tile;
        EXPECT_EQ(counts.shared_store.wavefronts, counts.shared_store.requests) << p.tile;
        EXPECT_EQ(trace.accumulators, p.edge() * p.edge());
    }
}

TEST(RegisterTiles, WideAccessesAreAQuarterAsMany) {
    for (const Product& p : kProducts)
        for (const char* kernel : {"16_vectorized", "17_swizzled", "18_warp_tiled"}) {
            if (!validate(*find_kernel(kernel), p.parameters())) continue;
            const Trace trace = record(kernel, p.parameters());
            Tallies wide = tally(trace), narrow = tally(record("15_register_tile", p.parameters()));
            for (const auto& what : {kGlobalLoad, kGlobalStore, kSharedLoad})
                EXPECT_EQ(4 * wide[what].accesses, narrow[what].accesses) << kernel << p.tile;
            // Half of the stores write As, as many as before; those to Bs become a quarter as many.
            EXPECT_EQ(8 * wide[kSharedStore].accesses, 5 * narrow[kSharedStore].accesses) << kernel;
            for (const auto& what : {kMultiplyAdd, kBarrier})
                EXPECT_EQ(wide[what].accesses, narrow[what].accesses) << kernel;
            const KernelCounts counts = count_kernel(trace);
            for (const AccessCounts* global : {&counts.global_load, &counts.global_store})
                EXPECT_EQ(global->bytes_requested, global->bytes_moved) << kernel << p.tile;
        }
}

// The cost of an array's loads or stores, 4 or 16 bytes wide. All requests are alike.
struct PerRequest {
    double wavefronts = 0, conflicts = 0;
    bool operator==(const PerRequest&) const = default;
};
std::ostream& operator<<(std::ostream& out, const PerRequest& each) {
    return out << each.wavefronts << " wavefronts, " << each.conflicts << " conflicts";
}
PerRequest each_of(const Trace& trace, std::string_view array, Operation operation) {
    AccessCounts sum;
    for (const SiteCounts& each : count_sites(trace)) {
        const Site& site = trace.sites[each.site];
        if (site.operation == operation && site.array != kNoArray &&
            trace.arrays[site.array].name == array)
            sum += each.counts;
    }
    return {double(sum.wavefronts) / double(sum.requests),
            double(sum.bank_conflicts) / double(sum.requests)};
}

// Two rows of k, 4 apart, fall into the same banks, unless PAD 4 shifts one of them by 16 banks or
// an XOR with 16 swaps its halves; at TILE 8 and 16 likewise with fewer lanes.
TEST(RegisterTiles, TransposedStoreConflictsByPadAndByXor) {
    for (const Product& p : kProducts) {
        const auto store = [&](const char* kernel, int pad) {
            return each_of(record(kernel, p.parameters(pad)), "As", Operation::kStore);
        };
        EXPECT_EQ(store("16_vectorized", 0), (PerRequest{2, 1})) << p.tile;
        EXPECT_EQ(store("16_vectorized", 4), (PerRequest{1, 0})) << p.tile;
        EXPECT_EQ(store("17_swizzled", 0), (PerRequest{1, 0})) << p.tile;
        if (p.tile >= 32) {
            EXPECT_EQ(store("18_warp_tiled", 0), (PerRequest{1, 0})) << p.tile;
        }
    }
}

// A 16-byte load goes by half-warps where lanes 1 or 2 apart read the same, else by quarters; a
// store always by quarters. The words of a group all lie in different banks.
TEST(RegisterTiles, WideRequestsTakeTheWavefrontsOfTheirGroups) {
    struct Expected {
        double a_load, b_load, b_store;
    };
    const auto expect = [](const char* kernel, const Product& p, int pad, const Expected& each) {
        const Trace trace = record(kernel, p.parameters(pad));
        const std::string what = std::string(kernel) + " TILE " + std::to_string(p.tile);
        EXPECT_EQ(each_of(trace, "As", Operation::kLoad), (PerRequest{each.a_load, 0})) << what;
        EXPECT_EQ(each_of(trace, "Bs", Operation::kLoad), (PerRequest{each.b_load, 0})) << what;
        EXPECT_EQ(each_of(trace, "Bs", Operation::kStore), (PerRequest{each.b_store, 0})) << what;
    };
    for (const Product& p : kProducts) {
        // TILE 8: 2 x 2 lanes, all in one group. TILE 16: 4 x 4 lanes; lanes 1 apart read the same
        // of As, lanes 1 or 2 apart never the same of Bs. Larger TILEs: likewise, 32 lanes.
        const Expected rows = p.tile == 8    ? Expected{1, 1, 1}
                              : p.tile == 16 ? Expected{1, 2, 2}
                                             : Expected{2, 4, 4};
        for (const int pad : {0, 4}) expect("16_vectorized", p, pad, rows);
        expect("17_swizzled", p, 0, rows);
        if (p.tile >= 32) expect("18_warp_tiled", p, 0, {2, 2, 4});
    }
}

TEST(RegisterTiles, WarpTileReadsItsRowsAndColumnsOnly) {
    const Product p{128, 128, 16, 128};
    const auto distinct = [&](const char* kernel, const char* array, std::uint32_t apart) {
        const Trace trace = record(kernel, p.parameters());
        std::set<std::size_t> pieces;  // of 16 bytes, that a request asks for
        for (std::size_t i = 0; i < trace.records.size(); ++i) {
            const Site& site = site_at(trace, i);
            if (site.operation != Operation::kLoad || site.array == kNoArray ||
                trace.arrays[site.array].name != array)
                continue;
            const LaneOffsets lanes = lane_offsets(trace, i);
            pieces.insert(std::set(lanes.bytes.begin(), lanes.bytes.end()).size());
            for (std::uint32_t lane = 0; apart != 0 && lane < kWarpSize; ++lane)
                EXPECT_EQ(lanes.bytes[lane], lanes.bytes[lane ^ apart]) << array;
        }
        EXPECT_EQ(pieces.size(), 1u) << kernel;
        return *pieces.begin();
    };
    EXPECT_EQ(distinct("17_swizzled", "As", 1), 2u);  // 2 rows of 16 threads
    EXPECT_EQ(distinct("17_swizzled", "Bs", 0), 16u);
    EXPECT_EQ(distinct("18_warp_tiled", "As", 2), 4u);  // 4 x 8 threads
    EXPECT_EQ(distinct("18_warp_tiled", "Bs", 1), 8u);
}

}  // namespace
}  // namespace tilereel::register_tiles_test
