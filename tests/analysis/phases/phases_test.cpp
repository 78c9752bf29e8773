#include "instrumentation/analysis/phases/phases.h"

#include <gtest/gtest.h>

#include "tests/analysis/trace_builder.h"

namespace tilereel::phases_test {
namespace {

// What one warp does in one epoch, a letter a record: G global load, s shared store, l shared load,
// C global store, a b c d multiply-add into accumulator 0 1 2 3, | block barrier, w warp barrier.
// Also the expected part (L load, C compute, S store) and phase of each record. A single digit is
// the phase of all records.
struct WarpEpoch {
    std::string records, parts, phases;
};
using Epochs = std::vector<std::vector<WarpEpoch>>;  // by epoch, then warp

// An epoch stores to one of the buffers in turn and loads from the one that the epoch before it has
// filled.
Trace trace_of(const Epochs& epochs, std::uint32_t block = 0, std::uint32_t buffers = 2) {
    TraceBuilder builder;
    const ArrayId a = builder.add_array("A", Space::kGlobal, 8, 8);
    const ArrayId as = builder.add_array("As", Space::kShared, 8 * buffers, 8);
    const auto offset = [](int lane) { return static_cast<std::uint32_t>(lane) * 4; };
    for (std::uint32_t epoch = 0; epoch < epochs.size(); ++epoch) {
        const auto in_buffer = [&](std::uint32_t of_epoch) {
            return [=](int lane) { return of_epoch % buffers * 256 + offset(lane); };
        };
        for (std::uint16_t warp = 0; warp < epochs[epoch].size(); ++warp) {
            builder.begin_segment(block, epoch, warp);
            for (const char letter : epochs[epoch][warp].records) {
                switch (letter) {
                    case 'G':
                        builder.access(Operation::kLoad, a, offset);
                        break;
                    case 'C':
                        builder.access(Operation::kStore, a, offset);
                        break;
                    case 'l':
                        builder.access(Operation::kLoad, as, in_buffer(epoch + buffers - 1));
                        break;
                    case 's':
                        builder.access(Operation::kStore, as, in_buffer(epoch));
                        break;
                    case '|':
                        builder.barrier();
                        break;
                    case 'w':
                        builder.barrier(Operation::kWarpBarrier);
                        break;
                    default:
                        builder.multiply_add(static_cast<std::uint32_t>(letter - 'a'));
                }
            }
        }
    }
    return builder.take();
}

void expect_phases(const Epochs& epochs, std::uint32_t count, bool barriers,
                   std::uint32_t buffers = 2) {
    const Trace trace = trace_of(epochs, 0, buffers);
    const BlockPhases block = phases_of_block(trace, 0);
    EXPECT_EQ(block.count, count);
    EXPECT_EQ(block.barriers, barriers);
    ASSERT_EQ(block.phase.size(), trace.records.size());
    ASSERT_EQ(block.part.size(), trace.records.size());
    std::size_t row = 0;
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch) {
        for (const WarpEpoch& warp : epochs[epoch]) {
            std::string parts, phases;
            for (std::size_t i = 0; i < warp.records.size(); ++i, ++row) {
                parts += "LCS"[static_cast<int>(block.part[row])];
                phases += std::to_string(block.phase[row]);
            }
            const bool one = warp.phases.size() == 1;
            EXPECT_EQ(parts, warp.parts) << "epoch " << epoch;
            EXPECT_EQ(phases, one ? std::string(parts.size(), warp.phases[0]) : warp.phases)
                << "epoch " << epoch;
        }
    }
}

TEST(Phases, TiledLoadsBarrierComputesBarrier) {  // 07, 08, 09, 10, 11
    const WarpEpoch load0{"GsGs|", "LLLLL", "0"}, compute0{"llalla|", "CCCCCCC", "0"};
    const WarpEpoch load1{"GsGs|", "LLLLL", "1"}, compute1{"llalla|", "CCCCCCC", "1"};
    const WarpEpoch store{"C", "S", "1"};
    expect_phases({{load0, load0},
                   {compute0, compute0},
                   {load1, load1},
                   {compute1, compute1},
                   {store, store}},
                  2, true);
}

TEST(Phases, WarpsOutsideTheMatrixStoreNothing) {  // 10
    expect_phases({{{"GsGs|", "LLLLL", "0"}, {"ss|", "LLL", "0"}},
                   {{"lla|", "CCCC", "0"}, {"lla|", "CCCC", "0"}},
                   {{"GsGs|", "LLLLL", "1"}, {"ss|", "LLL", "1"}},
                   {{"lla|", "CCCC", "1"}, {"lla|", "CCCC", "1"}},
                   {{"C", "S", "1"}, {"", "", ""}}},
                  2, true);
}

TEST(Phases, OneTileWithoutATrailingBarrier) {  // 05, 06
    expect_phases({{{"GsGs|", "LLLLL", "0"}}, {{"llallaC", "CCCCCCS", "0"}}}, 1, true);
}

TEST(Phases, TiledWithoutATrailingBarrierInItsLastTrip) {
    expect_phases({{{"GsGs|", "LLLLL", "0"}},
                   {{"lla|", "CCCC", "0"}},
                   {{"GsGs|", "LLLLL", "1"}},
                   {{"llaC", "CCCS", "1"}}},
                  2, true);
}

TEST(Phases, OuterProductReadsItsOperandFromGlobalMemoryWhileItComputes) {  // 12, 13
    const std::string trip = "GlalblcldGlalblcld|";
    expect_phases({{{"GsGsGsGs|", "LLLLLLLLL", "0"}},
                   {{trip, std::string(trip.size(), 'C'), "0"}},
                   {{"GsGsGsGs|", "LLLLLLLLL", "1"}},
                   {{trip, std::string(trip.size(), 'C'), "1"}},
                   {{"CCCC", "SSSS", "1"}}},
                  2, true);
}

TEST(Phases, PrefetchedTilesHaveOnePhaseATrip) {  // 14
    expect_phases({{{"GsGs|", "LLLLL", "0"}},
                   {{"GsGsGlalb|", "LLLLCCCCCC", "0"}},
                   {{"GsGsGlalb|", "LLLLCCCCCC", "1"}},
                   {{"Glalb|", "CCCCCC", "2"}},  // prefetches nothing
                   {{"CC", "SS", "2"}}},
                  3, true);
}

TEST(Phases, PrefetchAfterTheCompute) {
    expect_phases({{{"Gs|", "LLL", "0"}},
                   {{"laGs|", "CCLLL", "0"}},
                   {{"laGs|", "CCLLL", "1"}},
                   {{"la|", "CCC", "2"}},
                   {{"C", "S", "2"}}},
                  3, true);
}

// The same loop with one buffer lacks a barrier: a warp loads for the next phase.
TEST(Phases, ATileThatIsOverwrittenIsNoPrefetch) {
    expect_phases({{{"Gs|", "LLL", "0"}},
                   {{"laGs|", "CCLLL", "00111"}},
                   {{"laGs|", "CCLLL", "11222"}},
                   {{"la|", "CCC", "2"}},
                   {{"C", "S", "2"}}},
                  3, true, 1);
}

TEST(Phases, AnEpochThatComputesAfterAnIdleEpochBeginsAPhase) {
    expect_phases({{{"GsGs|", "LLLLL", "0"}},
                   {{"lla|", "CCCC", "0"}},
                   {{"|", "L", "0"}},
                   {{"lla|", "CCCC", "1"}},
                   {{"C", "S", "1"}}},
                  2, true);
}

TEST(Phases, TilesStagedThroughRegisters) {
    expect_phases({{{"GGss|", "LLLLL", "0"}}, {{"lla|", "CCCC", "0"}}, {{"C", "S", "0"}}}, 1, true);
    expect_phases({{{"GG|", "LLL", "0"}}, {{"ss|", "LLL", "0"}}, {{"llaC", "CCCS", "0"}}}, 1, true);
}

TEST(Phases, AnEpilogueThroughSharedMemoryBelongsToTheLastPhase) {
    expect_phases({{{"GsGs|", "LLLLL", "0"}},
                   {{"lla|", "CCCC", "0"}},
                   {{"s|", "SS", "0"}},
                   {{"lC", "SS", "0"}}},
                  1, true);
    // In two pieces, and with another tile of C after it (a persistent block).
    expect_phases({{{"GsGs|", "LLLLL", "0"}},
                   {{"lla|", "CCCC", "0"}},
                   {{"s|", "SS", "0"}},
                   {{"lCs|", "SSSS", "0"}},
                   {{"lC|", "SSS", "0"}},
                   {{"GsGs|", "LLLLL", "1"}},
                   {{"llas|", "CCCSS", "1"}},
                   {{"lC", "SS", "1"}}},
                  2, true);
}

// A trace that was cut off before C: what was stored last may be the next tile.
TEST(Phases, WithoutAStoreOfCNothingIsOnItsWay) {
    expect_phases({{{"Gs|", "LLL", "0"}}, {{"la|", "CCC", "0"}}, {{"s|", "LL", "0"}}}, 1, true);
}

TEST(Phases, MovesWithoutMultiplyAddsAreOnePhase) {
    expect_phases({{{"Gs|", "LLL", "0"}}, {{"lC", "CS", "0"}}}, 1, true);
}

TEST(Phases, WithoutBarriersATripOfTheLoopIsAPhase) {  // 01, 02, 03
    expect_phases({{{"GGaGGaGGaC", "LLCLLCLLCS", "0001112222"},
                    {"GGaGGaGGaC", "LLCLLCLLCS", "0001112222"},
                    {"", "", ""}}},  // outside the matrix
                  3, false);
}

TEST(Phases, WarpsMayTakeFewerTrips) {
    expect_phases({{{"GGaC", "LLCS", "0"}, {"GGaGGaC", "LLCLLCS", "0001111"}}}, 2, false);
}

TEST(Phases, SeveralAccumulatorsShareATrip) {
    expect_phases(
        {{{"GGaGbGcGdGGaGbGcGdCCCC", "LLCLCLCLCLLCLCLCLCSSSS", "0000000001111111111111"}}}, 2,
        false);
}

TEST(Phases, SharedMemoryWithinAWarpNeedsNoBlockBarrier) {  // 04
    expect_phases({{{"GswlGalGaC", "LLLCLCCLCS", "0000001111"}}}, 2, false);
}

TEST(Phases, LanesThatDivergeShareATrip) {
    TraceBuilder builder;
    builder.begin_segment(0, 0, 0);
    for (int trip = 0; trip < 2; ++trip) {
        builder.multiply_add(0, 0x0000ffff);
        builder.multiply_add(0, 0xffff0000);
    }
    const Trace trace = builder.take();
    EXPECT_EQ(phases_of_block(trace, 0).phase, (std::vector<std::uint32_t>{0, 0, 1, 1}));
}

TEST(Phases, ABlockThatIsNotThereIsEmpty) {
    const Trace trace = trace_of({{{"GGaC", "", ""}}}, 3);
    EXPECT_EQ(phases_of_block(trace, 3).phase.size(), 4u);
    EXPECT_TRUE(phases_of_block(trace, 4).phase.empty());
    EXPECT_EQ(phases_of_block(trace, 4).count, 1u);
}

}  // namespace
}  // namespace tilereel::phases_test
