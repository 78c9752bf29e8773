// Replays every rung at 32 x 32 x 32, or the nearest size that it takes: all blocks, tick by tick,
// in both directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"

namespace tilereel::ladder_replay_test {
namespace {

KernelParameters parameters_of(const KernelInfo& kernel) {
    for (const int tile : {16, 32, 64, 128})
        for (const int m : {std::max(32, tile), 256})
            for (const int n : {32, 64, 128})
                for (const int k : {32, 64}) {
                    const KernelParameters p{.m = m, .n = n, .k = k, .tile = tile, .pad = 0};
                    if (validate(kernel, p)) return p;
                }
    ADD_FAILURE() << kernel.id << " takes none of these sizes";
    return {};
}

class LadderReplay : public ::testing::TestWithParam<std::string_view> {
  protected:
    void SetUp() override {
        const KernelInfo& kernel = *find_kernel(GetParam());
        RecordRequest request;
        request.kernel = kernel.id;
        request.parameters = parameters_of(kernel);
        Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace) << trace.error().message;
        trace_ = std::move(trace).value();
    }
    Trace trace_;
};

// At the end, all phases are done, and each element of C is stored with all its multiply-adds.
void expect_finished(const Replay& replay, const ReplayState& state) {
    const Trace& trace = replay.trace();
    const CellRect rect = replay.regions().c;
    const bool by_tensor_cores = std::ranges::any_of(
        trace.sites, [](const Site& site) { return site.operation == Operation::kMatrixProduct; });
    EXPECT_EQ(state.phases_done, replay.schedule().phases);
    EXPECT_FALSE(state.at_barrier);
    for (const WarpState& warp : state.warps) EXPECT_EQ(warp.activity, Activity::kDone);
    std::size_t at = 0;
    for (std::uint32_t row = rect.row0; row < rect.row1; ++row)
        for (std::uint32_t column = rect.column0; column < rect.column1; ++column, ++at) {
            ASSERT_TRUE(state.sums[at].stored);
            ASSERT_EQ(state.sums[at].multiply_adds, by_tensor_cores ? 0 : trace.launch.k);
            ASSERT_EQ(state.sums[at].value,
                      matrix_of(trace, MatrixRole::kC)[row * trace.launch.n + column]);
        }
}

TEST_P(LadderReplay, RunsForwardAndBackward) {
    for (std::uint32_t block = 0; block < trace_.launch.blocks(); ++block) {
        Result<Replay> made = Replay::of_block(trace_, block);
        ASSERT_TRUE(made);
        Replay& replay = made.value();
        constexpr Tick kApart = 7;  // ticks between the states that are kept
        std::vector<ReplayState> states;
        std::uint32_t phase = 0;
        for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
            const ReplayState& state = replay.seek(tick);
            ASSERT_GE(state.phase, phase) << "phases come in order";
            phase = state.phase;
            ASSERT_FALSE(plain_text(replay.sentence()).empty()) << tick;
            if (tick % kApart == 0) states.push_back(state);
        }
        EXPECT_EQ(phase + 1, replay.schedule().phases);
        expect_finished(replay, replay.seek(replay.schedule().ticks));
        for (Tick tick = replay.schedule().ticks + 1; tick-- > 0;) {
            const ReplayState& state = replay.seek(tick);
            if (tick % kApart == 0) {
                ASSERT_EQ(state, states[tick / kApart]) << "block " << block << " tick " << tick;
            }
        }
    }
}

// Each element that is stored to shared memory came from A or B in a flight. At these sizes no tile
// extends beyond a matrix, so no zero is stored.
TEST_P(LadderReplay, EachStoredWordHasAFlight) {
    for (std::uint32_t block = 0; block < trace_.launch.blocks(); ++block) {
        const Replay replay = Replay::of_block(trace_, block).value();
        const Trace& trace = replay.trace();
        std::size_t stored = 0;
        for (const Step& step : replay.schedule().steps) {
            const Site& site = trace.sites[step.site];
            if (writes(site.operation) && trace.arrays[site.array].space == Space::kShared &&
                trace.arrays[site.array].name != "Cs")  // sums, before they are stored
                stored += site.width_bytes / trace.arrays[site.array].element_bytes *
                          static_cast<std::size_t>(std::popcount(
                              trace.patterns[trace.records.pattern[step.record]].mask));
        }
        EXPECT_EQ(replay.flights().size(), stored) << "block " << block;
    }
}

// "rows 0 to 7", "rows 2 and 6", "4 of rows 0 to 12": as many rows as the lanes access.
TEST_P(LadderReplay, ASentenceNamesNoRowThatIsNotAccessed) {
    static const std::regex rows("(?:(\\d+) of )?rows (\\d+) (to|and) (\\d+)(?:,| of)");
    Replay replay = Replay::of_block(trace_, 0).value();
    std::size_t with_gaps = 0;
    for (const Step& step : replay.schedule().steps) {
        const RequestState& request = replay.seek(step.begin).request;
        const std::string text = plain_text(replay.sentence());
        std::smatch said;
        const Operation operation = replay.trace().sites[step.site].operation;
        if (operation != Operation::kLoad && operation != Operation::kStore) continue;
        if (!std::regex_search(text, said, rows)) continue;
        std::set<std::uint32_t> accessed, columns;
        std::set<std::pair<std::uint32_t, std::uint32_t>> elements;  // the first of each lane
        for (const LaneState& lane : request.lanes) {
            if (!lane.active) continue;
            accessed.insert(lane.row);
            columns.insert(lane.column);
            elements.insert({lane.row, lane.column});
        }
        if (elements.size() != accessed.size() * columns.size()) continue;  // only bounds are said
        const int first = std::stoi(said[2]), last = std::stoi(said[4]);
        const int count = said[1].matched    ? std::stoi(said[1])
                          : said[3] == "and" ? 2
                                             : last - first + 1;
        ASSERT_EQ(static_cast<std::size_t>(count), accessed.size()) << text;
        with_gaps += count < last - first + 1 ? 1 : 0;
    }
    if (GetParam() == "16_vectorized") {
        EXPECT_GT(with_gaps, 0u);
    }
}

std::vector<std::string_view> every_kernel() {
    std::vector<std::string_view> ids;
    for (const KernelInfo& kernel : catalog()) ids.push_back(kernel.id);
    return ids;
}
INSTANTIATE_TEST_SUITE_P(EveryRung, LadderReplay, ::testing::ValuesIn(every_kernel()),
                         [](const auto& rung) { return std::string(rung.param); });

std::uint32_t phases(const std::string& kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    const Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return trace ? Replay::of_block(*trace, 0).value().schedule().phases : 0;
}

// A phase is an iteration of the loop over tiles, or of the loop over k if the kernel has no block
// barrier. A kernel with a block barrier and no loop over tiles has one phase.
TEST(LadderPhases, AreTheIterationsOfTheLoop) {
    const KernelParameters deep{.m = 32, .n = 32, .k = 16, .tile = 16, .pad = 0};
    EXPECT_EQ(phases("03_guide_simple", deep), 16u);
    EXPECT_EQ(phases("04_guide_a_shared", deep), 16u);
    EXPECT_EQ(phases("05_guide_ab_shared", deep), 1u);
    EXPECT_EQ(phases("06_single_block", {.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}), 1u);
    const KernelParameters wide{.m = 32, .n = 64, .k = 80, .tile = 16, .pad = 0};
    for (const char* kernel :
         {"07_tiled_b_uncoalesced", "10_tiled_any_size", "11_tiled_dynamic", "12_outer_product",
          "13_outer_product_unrolled", "14_outer_product_prefetch"})
        EXPECT_EQ(phases(kernel, wide), 5u) << kernel;
    for (const char* kernel : {"15_register_tile", "16_vectorized", "17_swizzled"})
        EXPECT_EQ(phases(kernel, wide), 10u) << kernel;  // tiles 8 deep
    EXPECT_EQ(phases("18_warp_tiled", {.m = 64, .n = 64, .k = 48, .tile = 64, .pad = 0}), 6u);
    EXPECT_EQ(phases("10_tiled_any_size", {.m = 3, .n = 3, .k = 3, .tile = 2, .pad = 0}), 2u);
}

}  // namespace
}  // namespace tilereel::ladder_replay_test
