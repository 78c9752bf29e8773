// The plan of what moves: one request is one object, at most three move at once, loaded values rest
// in registers until they are stored, and nothing is on its way when it is read.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/ladder/ladder.h"
#include "app/stage/plan/plan.h"
#include "kernels/catalog.h"
#include "kernels/openings.h"

namespace tilereel::stage::transfers_test {
namespace {

struct Planned {
    Trace trace;
    std::optional<Replay> replay;
    StagePlan plan;
};

void plan_of(const std::string& kernel, const KernelParameters& parameters, Planned& planned) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    Result<Trace> trace = record_built_in(request);
    ASSERT_TRUE(trace.has_value()) << kernel;
    planned.trace = std::move(trace).value();
    Result<Replay> replay = Replay::of_block(planned.trace, 0);
    ASSERT_TRUE(replay.has_value()) << kernel;
    planned.replay.emplace(std::move(replay).value());
    planned.plan.refresh(*planned.replay);
}

TEST(Transfers, InEveryKernelThreeMoveAtMostAndLandBeforeTheyAreRead) {
    std::size_t legs = 0, rests = 0;
    for (const KernelInfo& kernel : catalog()) {
        Planned planned;
        plan_of(std::string(kernel.id), opening_of(kernel), planned);
        const Transfers& transfers = planned.plan.transfers();
        const std::vector<Flight>& flights = planned.replay->flights();
        std::multiset<double> ends;
        for (const Leg& leg : transfers.legs()) {
            ++legs;
            ASSERT_LT(leg.begin, leg.end) << kernel.id;
            ends.erase(ends.begin(), ends.upper_bound(leg.begin));
            ends.insert(leg.end);
            ASSERT_LE(ends.size(), 3u) << kernel.id << " at tick " << leg.begin;
            for (const std::uint32_t i : leg.flights) {
                const Flight& flight = flights[i];
                ASSERT_GE(leg.begin, static_cast<double>(flight.depart)) << kernel.id;
                for (const std::uint32_t step : {flight.first_read, flight.replaced})
                    if (step < planned.replay->schedule().steps.size()) {
                        ASSERT_LE(leg.end,
                                  static_cast<double>(planned.replay->schedule().steps[step].begin))
                            << kernel.id << ": moves while it is read";
                    }
            }
        }
        std::map<std::uint32_t, double> taken;  // by slot: until when
        for (const Rest& rest : transfers.rests()) {
            ++rests;
            ASSERT_LT(rest.slot, transfers.slots()) << kernel.id;
            ASSERT_EQ(rest.slot / transfers.slots_of_warp(),
                      planned.replay->schedule().steps[rest.step].warp)
                << kernel.id;
            ASSERT_GE(rest.from, taken[rest.slot]) << kernel.id << ": two values in one slot";
            taken[rest.slot] = rest.until;
        }
    }
    EXPECT_GT(legs, 400u);
    EXPECT_GT(rests, 80u);
}

// Warp w loads row w of B at tick 65 + w. It stores it as a column with 32 conflicts from tick
// 97 + 32 w on. In between the row rests in the registers of the warp.
TEST(Transfers, ARowOfBRestsInRegistersUntilItIsStored) {
    Planned planned;
    plan_of("08_tiled_b_transposed", {32, 32, 32, 32, 0}, planned);
    const Transfers& transfers = planned.plan.transfers();
    const ArrayId b = planned.plan.find("B");
    std::size_t rows = 0;
    for (const Rest& rest : transfers.rests()) {
        if (rest.array != b) continue;
        const std::uint32_t warp = planned.replay->schedule().steps[rest.step].warp;
        EXPECT_LE(rest.from, 65 + warp + kLoadTicks);
        EXPECT_GE(rest.until, 97 + 32 * warp - 2);
        EXPECT_LE(rest.until, 97 + 32 * warp);
        ++rows;
    }
    EXPECT_EQ(rows, 32u);
    std::size_t resting = 0;
    transfers.for_each_rest(96.5, [&](const Rest& rest) { resting += rest.array == b; });
    EXPECT_GE(resting, 28u);  // row 0 leaves, and the last rows are still on their way
}

// An asynchronous copy does not pass through registers.
TEST(Transfers, AsynchronousCopiesDoNotRestInRegisters) {
    Planned planned;
    plan_of("19_async_pipeline", opening_of(*find_kernel("19_async_pipeline")), planned);
    EXPECT_TRUE(planned.plan.transfers().rests().empty());
    EXPECT_FALSE(planned.plan.transfers().legs().empty());
}

}  // namespace
}  // namespace tilereel::stage::transfers_test
