// What single rungs teach, in the counts of the analysis. Expected numbers follow from the kernel's
// index arithmetic and the hardware's rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel::rung_lesson_counts_test {
namespace {

Trace record_kernel(std::string_view kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return trace ? std::move(trace).value() : Trace{};
}

// The distinct costs of all requests of one kind.
std::vector<RequestCost> costs(const Trace& trace, std::string_view array, Operation operation,
                               std::string_view generation = "9.0") {
    std::vector<RequestCost> found;
    CostCache cost(trace, *find_generation(generation));
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        if (site.operation != operation || site.array == kNoArray ||
            trace.arrays[site.array].name != array)
            continue;
        const RequestCost& one = cost(i);
        if (std::ranges::find(found, one) == found.end()) found.push_back(one);
    }
    return found;
}
RequestCost only_cost(const Trace& trace, std::string_view array, Operation operation,
                      std::string_view generation = "9.0") {
    const std::vector<RequestCost> found = costs(trace, array, operation, generation);
    EXPECT_EQ(found.size(), 1u) << array;
    return found.empty() ? RequestCost{} : found.front();
}

TEST(RungLessons, WalkingDownAColumnTakesASectorALane) {
    const KernelParameters p{.m = 64, .n = 64, .k = 64, .tile = 32, .pad = 0};
    const Trace by_column = record_kernel("01_naive_by_column", p);
    EXPECT_EQ(only_cost(by_column, "A", Operation::kLoad).sectors, 32u);
    EXPECT_EQ(only_cost(by_column, "B", Operation::kLoad).sectors, 1u);
    EXPECT_EQ(only_cost(by_column, "C", Operation::kStore).sectors, 32u);
    const Trace naive = record_kernel("02_naive", p);
    EXPECT_EQ(only_cost(naive, "A", Operation::kLoad).sectors, 1u);
    EXPECT_EQ(only_cost(naive, "B", Operation::kLoad).sectors, 4u);
    EXPECT_EQ(only_cost(naive, "C", Operation::kStore).sectors, 4u);
}

// All lanes of a half-warp of 03 read the same word of A. Generations 1.0 and 1.1 coalesce only if
// lane k reads word k of a segment, so each lane takes a transaction of 32 bytes; in 1.2 and 1.3
// the half-warp takes one. B is read in that order.
TEST(RungLessons, GuideSimpleTakes16TransactionsAHalfWarpOrOne) {
    const Trace trace = record_kernel("03_guide_simple", {.m = 64, .n = 64, .k = 16, .tile = 16});
    constexpr unsigned kHalfWarps = 2;
    for (const char* generation : {"1.0", "1.1"}) {
        const RequestCost a = only_cost(trace, "A", Operation::kLoad, generation);
        EXPECT_EQ(a.transactions, 16 * kHalfWarps) << generation;
        EXPECT_EQ(a.bytes_moved, 16 * 32 * kHalfWarps);
        const RequestCost b = only_cost(trace, "B", Operation::kLoad, generation);
        EXPECT_EQ(b.transactions, 1 * kHalfWarps);
        EXPECT_EQ(b.bytes_moved, 64 * kHalfWarps);
    }
    for (const char* generation : {"1.2", "1.3"}) {
        const RequestCost a = only_cost(trace, "A", Operation::kLoad, generation);
        EXPECT_EQ(a.transactions, 1 * kHalfWarps) << generation;
        EXPECT_EQ(a.bytes_moved, 32 * kHalfWarps);
        EXPECT_EQ(a.bytes_used, 4 * kHalfWarps);  // of 32 bytes, 4
        EXPECT_EQ(only_cost(trace, "B", Operation::kLoad, generation).transactions, 1 * kHalfWarps);
    }
    const RequestCost today =
        only_cost(trace, "A", Operation::kLoad);  // 9.0: two rows, two sectors
    EXPECT_EQ(today.sectors, 2u);
    EXPECT_EQ(today.bytes_used, 8u);
}

// 04 loads A's tile once, along its rows.
TEST(RungLessons, GuideASharedLoadsACoalesced) {
    const Trace trace = record_kernel("04_guide_a_shared", {.m = 64, .n = 64, .k = 16, .tile = 16});
    for (const char* generation : {"1.0", "1.1", "1.2", "1.3"})
        EXPECT_EQ(only_cost(trace, "A", Operation::kLoad, generation).transactions, 2u);
    EXPECT_EQ(only_cost(trace, "A", Operation::kLoad).sectors, 4u);
}

// 07: a warp's TILE rows of B lie N floats apart, and its 32 / TILE columns side by side in one
// sector; 08 loads TILE columns of 32 / TILE rows.
TEST(RungLessons, LoadingDownAColumnTakesASectorARow) {
    for (const int tile : {8, 16, 32}) {
        const KernelParameters p{.m = 64, .n = 64, .k = 64, .tile = tile, .pad = 0};
        const RequestCost down =
            only_cost(record_kernel("07_tiled_b_uncoalesced", p), "B", Operation::kLoad);
        EXPECT_EQ(down.sectors, unsigned(tile));
        EXPECT_EQ(down.bytes_used, 32u * 4);
        const RequestCost along =
            only_cost(record_kernel("08_tiled_b_transposed", p), "B", Operation::kLoad);
        EXPECT_EQ(along.sectors, 4u);  // 32 words in whole sectors
    }
}

// Most distinct words in one of 32 banks, over the threads of one warp of a TILE x TILE block.
template <class WordOf>
std::uint32_t wavefronts(int tile, const WordOf& word_of) {
    std::map<int, std::set<int>> words;  // by bank
    for (int thread = 0; thread < std::min(32, tile * tile); ++thread) {
        const int word = word_of(thread % tile, thread / tile);
        words[word % 32].insert(word);
    }
    std::size_t most = 0;
    for (const auto& [bank, distinct] : words) most = std::max(most, distinct.size());
    return static_cast<std::uint32_t>(most);
}

TEST(RungLessons, TransposedTileConflictsByTileAndPad) {
    for (const int tile : {2, 4, 8, 16, 32})
        for (const int pad : {0, 1, 2}) {
            SCOPED_TRACE(::testing::Message() << "TILE " << tile << " PAD " << pad);
            const int pitch = tile + pad;
            const Trace trace = record_kernel(
                "08_tiled_b_transposed", {.m = 32, .n = 32, .k = 32, .tile = tile, .pad = pad});
            const auto turned = [&](int tx, int ty) { return tx * pitch + ty; };
            EXPECT_EQ(only_cost(trace, "Bs", Operation::kStore).wavefronts,
                      wavefronts(tile, turned));
            for (const RequestCost& cost : costs(trace, "Bs", Operation::kLoad))
                EXPECT_EQ(cost.wavefronts,
                          wavefronts(tile, [&](int tx, int) { return tx * pitch; }));
        }
}

// Results of the rule above for the TILEs of the lesson: {TILE, PAD, reads, stores}.
TEST(RungLessons, TransposedTileConflictsInNumbers) {
    using Row = std::array<unsigned, 4>;
    for (const auto& [tile, pad, reads, stores] : std::vector<Row>{{32, 0, 32, 32},
                                                                   {32, 1, 1, 1},
                                                                   {32, 2, 2, 2},
                                                                   {16, 0, 8, 8},
                                                                   {16, 1, 1, 2},
                                                                   {8, 0, 2, 2},
                                                                   {8, 1, 1, 2}}) {
        const Trace trace =
            record_kernel("08_tiled_b_transposed",
                          {.m = 32, .n = 32, .k = 32, .tile = int(tile), .pad = int(pad)});
        EXPECT_EQ(only_cost(trace, "Bs", Operation::kLoad).wavefronts, reads) << tile << ' ' << pad;
        EXPECT_EQ(only_cost(trace, "Bs", Operation::kStore).wavefronts, stores)
            << tile << ' ' << pad;
    }
}

// Two rows of a tile of 16 share a warp: PAD 1 shifts the second into the first one's banks.
TEST(RungLessons, PaddingGivesStoresOfTwoRowsATwoWayConflict) {
    for (const char* kernel : {"05_guide_ab_shared", "07_tiled_b_uncoalesced", "09_tiled",
                               "10_tiled_any_size", "11_tiled_dynamic"}) {
        const int k = std::string_view(kernel).starts_with("05") ? 16 : 32;
        for (const int pad : {0, 1}) {
            const Trace trace =
                record_kernel(kernel, {.m = 32, .n = 32, .k = k, .tile = 16, .pad = pad});
            EXPECT_EQ(only_cost(trace, "As", Operation::kStore).wavefronts, 1u + unsigned(pad))
                << kernel;
        }
    }
    for (const char* kernel :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"})
        for (const int pad : {0, 1}) {
            const Trace trace =
                record_kernel(kernel, {.m = 16, .n = 64, .k = 32, .tile = 16, .pad = pad});
            EXPECT_EQ(only_cost(trace, "As", Operation::kStore).wavefronts, 1u + unsigned(pad))
                << kernel;
        }
    for (const int pad : {0, 1, 2}) {  // a row of 32 fills its warp
        const Trace trace =
            record_kernel("09_tiled", {.m = 32, .n = 32, .k = 32, .tile = 32, .pad = pad});
        EXPECT_EQ(only_cost(trace, "As", Operation::kStore).wavefronts, 1u);
    }
}

// Requests with one active lane: the cost of a single thread on a GPU.
TEST(RungLessons, AThreadOfItsOwnTakesASectorAWord) {
    const Trace trace = record_kernel("cpu_naive", {.m = 9, .n = 9, .k = 9});
    for (const char* array : {"A", "B"}) {
        const RequestCost cost = only_cost(trace, array, Operation::kLoad);
        EXPECT_EQ(cost.lanes, 1u);
        EXPECT_EQ(cost.sectors, 1u);
        EXPECT_EQ(cost.bytes_used, 4u);
    }
    EXPECT_EQ(count_kernel(record_kernel("cpu_tiled", {.m = 20, .n = 20, .k = 20, .tile = 8}))
                  .shared_load.bank_conflicts,
              0u);
}

}  // namespace
}  // namespace tilereel::rung_lesson_counts_test
