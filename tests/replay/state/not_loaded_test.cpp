// 10_tiled_any_size stores 0 for elements outside A and B. The replay distinguishes such a 0 from a
// loaded one. Checked for every cell of every tile against the kernel's index arithmetic.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"
#include "app/replay/sentence/sentence_facts.h"

namespace tilereel::not_loaded_test {
namespace {

using Matrix = std::vector<float>;

Trace recorded(const KernelParameters& p, std::uint64_t seed) {
    RecordRequest request;
    request.kernel = "10_tiled_any_size";
    request.parameters = p;
    request.seed = seed;
    return record_built_in(request).value();
}

struct Place {
    std::uint32_t row, column;  // of A or B
    bool inside;
};
// Cell (y, x) of As or Bs in phase t of block (bx, by).
Place place_of(const Launch& launch, bool of_a, std::uint32_t block, std::uint32_t phase,
               std::uint32_t y, std::uint32_t x) {
    const std::uint32_t tile = launch.tile;
    const std::uint32_t bx = block % launch.grid.x, by = block / launch.grid.x;
    if (of_a) {
        const std::uint32_t row = by * tile + y, column = phase * tile + x;
        return {row, column, row < launch.m && column < launch.k};
    }
    const std::uint32_t row = phase * tile + y, column = bx * tile + x;
    return {row, column, row < launch.k && column < launch.n};
}

void expect_cells(const Trace& trace, std::uint32_t block) {
    const Launch& launch = trace.launch;
    Replay replay = Replay::of_block(trace, block).value();
    bool any_outside = false;
    for (std::uint32_t index = 0; index < replay.schedule().steps.size(); ++index) {
        const Step& step = replay.schedule().steps[index];
        const Site& site = trace.sites[step.site];
        if (trace.arrays[site.array].space != Space::kShared) continue;
        const ReplayState& state = replay.seek(step.begin);
        const StepFacts facts = replay.facts();
        const Array& array = trace.arrays[site.array];
        const bool of_a = array.name == "As";
        if (site.operation == Operation::kStore) {
            std::vector<std::uint16_t> outside;
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
                const LaneState& at = state.request.lanes[lane];
                if (at.active &&
                    !place_of(launch, of_a, block, step.phase, at.row, at.column).inside)
                    outside.push_back(static_cast<std::uint16_t>(lane));
            }
            EXPECT_EQ(facts.unloaded.lanes, outside);
            if (!outside.empty()) {
                any_outside = true;
                EXPECT_TRUE(facts.unloaded.same_value);
                EXPECT_EQ(facts.unloaded.value, 0);
                EXPECT_EQ(facts.unloaded.beyond, of_a ? 0u : 1u) << "A or B";
                const std::string text = plain_text(replay.sentence());
                EXPECT_NE(text.find(of_a ? "0: beyond the edge of A." : "0: beyond the edge of B."),
                          std::string::npos)
                    << text;
            }
            continue;
        }
        if (index > 0 && replay.schedule().steps[index - 1].epoch == step.epoch) continue;
        for (const SharedArrayState& shared : state.shared) {  // the first read of a phase
            const bool is_a = trace.arrays[shared.array].name == "As";
            for (std::uint32_t cell = 0; cell < shared.cells.size(); ++cell) {
                const std::uint32_t row = cell / array.leading_dimension;
                const std::uint32_t column = cell % array.leading_dimension;
                if (column >= launch.tile) continue;  // padding
                EXPECT_EQ(shared.cells[cell].loaded,
                          place_of(launch, is_a, block, step.phase, row, column).inside)
                    << (is_a ? "As " : "Bs ") << row << "," << column;
            }
        }
    }
    EXPECT_EQ(replay.stores_unloaded(), any_outside);
    for (const Flight& flight : replay.flights())
        EXPECT_EQ(trace.arrays[flight.from].name + "s", trace.arrays[flight.to].name);
}

TEST(NotLoaded, IsEveryCellBeyondAnEdge) {
    // 4 x 8 x 8 with TILE 8: warp 1 loads nothing of A, and values of B that may be 0.
    const KernelParameters shapes[] = {{1, 1, 1, 2, 0},  {3, 3, 3, 2, 0}, {5, 7, 3, 4, 1},
                                       {4, 8, 8, 8, 0},  {8, 8, 8, 8, 0}, {9, 3, 11, 8, 0},
                                       {17, 5, 9, 16, 0}};
    for (const KernelParameters& p : shapes)
        for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
            const Trace trace = recorded(p, seed);
            for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
                SCOPED_TRACE(testing::Message()
                             << p.m << "x" << p.n << "x" << p.k << " tile " << p.tile << " seed "
                             << seed << " block " << block);
                expect_cells(trace, block);
                if (testing::Test::HasFailure()) return;
            }
        }
}

// In an identity matrix nearly all loaded values are 0, too.
TEST(NotLoaded, IsNotConfusedWithZerosOfASparseMatrix) {
    RecordRequest request;
    request.kernel = "10_tiled_any_size";
    request.parameters = {.m = 4, .n = 8, .k = 8, .tile = 8, .pad = 0};
    request.inputs.a = Matrix(4 * 8, 0);
    request.inputs.b = Matrix(8 * 8, 0);
    for (std::size_t i = 0; i < 8; ++i) {
        if (i < 4) request.inputs.a[i * 8 + i] = 1;
        request.inputs.b[i * 8 + i] = 1;
    }
    const Trace trace = record_built_in(request).value();
    expect_cells(trace, 0);
}

// "Memory Coalescing and Tiled Matrix Multiplication", rectangular matrices: 3 x 3 in 2 x 2 tiles.
TEST(NotLoaded, ThreeByThreeIsDescribedLaneByLane) {
    const Trace trace = recorded({.m = 3, .n = 3, .k = 3, .tile = 2, .pad = 0}, 1);
    Replay replay = Replay::of_block(trace, 3).value();  // (1,1): only C[2][2]
    std::vector<std::string> stores;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        if (site.operation != Operation::kStore || site.array < 3) continue;
        replay.seek(step.begin);
        const std::string text = plain_text(replay.sentence());
        stores.push_back(text.substr(text.find("; ") + 2));
    }
    EXPECT_EQ(stores, (std::vector<std::string>{"lanes 2 and 3 store 0: beyond the edge of A.",
                                                "lanes 1 and 3 store 0: beyond the edge of B.",
                                                "lanes 1 to 3 store 0: beyond the edge of A.",
                                                "lanes 1 to 3 store 0: beyond the edge of B."}));
}

}  // namespace
}  // namespace tilereel::not_loaded_test
