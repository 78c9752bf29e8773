// The lanes that the picture shows at each bank, compared with how the generation's banks serve the
// request.
#include "app/stage/shared/bank_use.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "tests/replay/hand_trace.h"

namespace tilereel::stage::bank_use_test {
namespace {

// A stage that shows a tick, without a window.
class ReplayedStage {
  public:
    ReplayedStage(const char* kernel, const KernelParameters& parameters, const char* generation)
        : bench_(options(kernel, parameters)) {
        bench_.apply(Command{SetGeneration{generation}});
        view_.plan.refresh(*bench_.replay());
    }
    explicit ReplayedStage(Trace trace) : bench_(options(std::move(trace))) {
        view_.plan.refresh(*bench_.replay());
    }
    [[nodiscard]] const Replay& replay() const { return *bench_.replay(); }
    [[nodiscard]] Scene scene_at(Tick tick) {
        bench_.apply(Command{SeekTo{static_cast<double>(tick), false}});
        const Replay& replay = *bench_.replay();
        return {look_, bench_, replay, replay.trace(), replay.state(), view_, view_.plan, layout_};
    }

  private:
    static WorkbenchOptions options(const char* kernel, const KernelParameters& parameters) {
        WorkbenchOptions options;
        options.request.kernel = kernel;
        options.request.parameters = parameters;
        options.record_on_worker = false;
        options.playing = false;
        return options;
    }
    static WorkbenchOptions options(Trace trace) {
        WorkbenchOptions options;
        options.trace = std::move(trace);
        options.record_on_worker = false;
        options.playing = false;
        return options;
    }
    Workbench bench_;
    Look look_;
    StageView view_;
    StageLayout layout_;
};

constexpr std::array kGenerations = {"1.0", "1.3", "2.0", "3.0", "9.0"};

// Checks all wavefronts of one request. Every lane is served once. A bank serves one word at a
// time. With `one_broadcast` (compute capability 1.x) at most one word goes to several lanes. A
// conflict is shown exactly if the request takes more wavefronts than the ideal.
void expect_serves(ReplayedStage& staged, const Step& step, bool one_broadcast) {
    std::vector<std::uint32_t> served(kWarpSize, 0);
    std::uint32_t lanes = 0;
    for (Tick tick = step.begin; tick < step.end(); ++tick) {
        const Scene scene = staged.scene_at(tick);
        const RequestBanks now = banks_of_request(scene);
        const RequestState& request = scene.state.request;
        lanes = request.cost.lanes;
        ASSERT_EQ(now.worst != kNoIndex, request.cost.bank_conflicts > 0);
        ASSERT_EQ(now.used, request.service.banks_used);
        std::set<std::uint32_t> broadcast;
        for (std::uint32_t bank = 0; bank < kBankColumns; ++bank) {
            std::set<std::uint32_t> words;
            for (const std::uint32_t lane : now.bank[bank].now) {
                ++served[lane];
                words.insert(request.lanes[lane].offset_bytes / 4);
            }
            ASSERT_LE(words.size(), 1u);
            if (now.bank[bank].now.size() > 1) broadcast.insert(*words.begin());
            ASSERT_TRUE(bank < scene.banks() || now.bank[bank].words == 0);
        }
        ASSERT_LE(broadcast.size(), one_broadcast ? 1u : std::size_t{kWarpSize});
        const std::string caption = caption_of_banks(scene, now);
        ASSERT_EQ(caption.find("no conflict") != std::string::npos,
                  request.cost.bank_conflicts == 0);
    }
    EXPECT_EQ(std::accumulate(served.begin(), served.end(), 0u), lanes);
    for (const std::uint32_t times : served) EXPECT_LE(times, 1u);
}

TEST(RequestBanks, ServeEveryLaneOnceOnEveryGeneration) {
    const std::vector<std::pair<const char*, KernelParameters>> cases = {
        {"08_tiled_b_transposed", {16, 16, 16, 16, 0}},
        {"08_tiled_b_transposed", {32, 32, 32, 32, 0}},
        {"09_tiled", {16, 16, 16, 8, 0}},
        {"09_tiled", {16, 16, 16, 4, 1}}};
    for (const auto& [kernel, parameters] : cases)
        for (const char* id : kGenerations) {
            SCOPED_TRACE(testing::Message() << kernel << " TILE " << parameters.tile << " " << id);
            ReplayedStage staged(kernel, parameters, id);
            std::set<SiteId> seen;
            const std::vector<Step> steps = staged.replay().schedule().steps;
            for (const Step& step : steps) {
                const Site& site = staged.replay().trace().sites[step.site];
                const bool shared =
                    staged.replay().trace().arrays[site.array].space == Space::kShared;
                if (!shared || !seen.insert(step.site).second) continue;
                ASSERT_NO_FATAL_FAILURE(expect_serves(
                    staged, step, id[0] == '1' && site.operation == Operation::kLoad));
            }
            EXPECT_EQ(seen.size(), 4u);  // stores and loads of As and Bs
        }
}

// Bank conflicts are wavefronts beyond the ideal. A request of 16 bytes a lane takes several
// wavefronts without a conflict, and so does a copy that bypasses the L1 cache.
TEST(RequestBanks, ShowAConflictOnlyWhereTheCountersHaveOne) {
    const std::vector<std::pair<const char*, KernelParameters>> cases = {
        {"16_vectorized", {16, 16, 16, 16, 0}}, {"16_vectorized", {16, 16, 16, 16, 4}},
        {"18_warp_tiled", {32, 32, 8, 32, 0}},  {"19_async_pipeline", {32, 32, 16, 32, 0}},
        {"20_champion", {16, 16, 32, 16, 0}},   {"20_champion", {32, 32, 32, 32, 0}}};
    std::size_t longer_without = 0;  // requests of several wavefronts without a conflict
    for (const auto& [kernel, parameters] : cases) {
        ReplayedStage staged(kernel, parameters, "9.0");
        for (std::uint32_t i = 0; i < staged.replay().schedule().steps.size(); ++i) {
            const RequestCost cost = staged.replay().schedule().costs[i];
            const Scene scene = staged.scene_at(staged.replay().schedule().steps[i].begin);
            if (!scene.shared_request()) continue;
            const RequestBanks now = banks_of_request(scene);
            const bool conflict = cost.bank_conflicts > 0;
            longer_without += !conflict && cost.wavefronts > 4;
            ASSERT_EQ(now.queues > 0, conflict) << kernel << " request " << i;
            for (const BankUse& bank : now.bank) {
                const CellLook look = look_of_bank(bank);
                ASSERT_TRUE(conflict || (look != CellLook::kConflictCurrent &&
                                         look != CellLook::kConflictWaiting))
                    << kernel << " request " << i;
            }
            const std::string said = plain_text(scene.replay.sentence());
            ASSERT_EQ(said.find(" instead of ") != std::string::npos, conflict) << said;
            ASSERT_TRUE(conflict || cost.wavefronts <= now.groups ||
                        said.find(std::to_string(cost.wavefronts) + " wavefronts") !=
                            std::string::npos)
                << said;
        }
    }
    EXPECT_GT(longer_without, 0u);
}

// What is said of the first copy that arrives.
std::string text_of_copy(ReplayedStage& staged, bool brief) {
    for (const Step& step : staged.replay().schedule().steps) {
        if (staged.replay().trace().sites[step.site].operation != Operation::kCopyStore) continue;
        const Scene scene = staged.scene_at(step.begin);
        const RequestBanks now = banks_of_request(scene);
        EXPECT_EQ(caption_of_banks(scene, now).find("no conflict"),
                  caption_of_banks(scene, now).size() - std::string("no conflict").size());
        return banks_text(scene, now, brief);
    }
    return "no copy";
}

// As copy_cost.h says: a copy of 16 bytes bypasses the L1 cache, and the XOR of the positions
// decides which pieces share a wavefront. A copy of 8 bytes takes a wavefront for each half-warp.
TEST(RequestBanks, SayWhichLanesOfACopyShareAWavefront) {
    ReplayedStage wide("19_async_pipeline", {32, 32, 16, 32, 0}, "9.0");
    EXPECT_EQ(text_of_copy(wide, false),
              "16-byte pieces with the same XOR of source and target position share a wavefront");
    EXPECT_EQ(text_of_copy(wide, true), "lanes 0 to 7, 16 bytes each");
    // What the TMA brings belongs to no lane.
    ReplayedStage box("24_wgmma", {64, 64, 128, 64, 0}, "9.0");
    EXPECT_EQ(text_of_copy(box, true), "pieces 0 to 7, 16 bytes each");
    HandTrace hand(1, 32, 64, {}, {32, 1, 1});
    const ArrayId tile = hand.shared_array("As", 2, 32, 32);
    hand.access(0, 0, 1, 0, Operation::kCopyLoad, strided(0, 8), {}, 8);
    hand.access(0, 0, 1, tile, Operation::kCopyStore, strided(0, 8), std::vector<float>(64), 8);
    hand.access(0, 0, 2, kNoArray, Operation::kCommitCopies, strided(0, 0));
    hand.access(0, 0, 3, kNoArray, Operation::kWaitCopies, strided(0, 0));
    ReplayedStage narrow(hand.finish());
    for (const bool brief : {false, true})
        EXPECT_EQ(text_of_copy(narrow, brief), "one wavefront for each half-warp");
}

// 09 at TILE 8 on 1.0: a half-warp is two rows of the block, so it reads two words of As. A
// wavefront broadcasts only one of them, so each of the two half-warps takes two wavefronts; on 9.0
// the whole warp takes one. The bank of the second word has the conflict, although it serves only
// one word.
TEST(RequestBanks, AWordThatMustWaitForItsBroadcastIsAConflict) {
    for (const char* id : {"1.0", "9.0"}) {
        ReplayedStage staged("09_tiled", {8, 8, 8, 8, 0}, id);
        bool found = false;
        for (const Step& step : staged.replay().schedule().steps) {
            const Site& site = staged.replay().trace().sites[step.site];
            if (site.array != 3 || site.operation != Operation::kLoad) continue;
            found = true;
            const Scene scene = staged.scene_at(step.begin);
            const RequestBanks now = banks_of_request(scene);
            const bool old = id[0] == '1';
            EXPECT_EQ(scene.state.request.cost.wavefronts, old ? 4u : 1u);
            EXPECT_EQ(scene.state.request.cost.bank_conflicts, old ? 2u : 0u);
            ASSERT_EQ(now.worst != kNoIndex, old);
            if (!old) break;
            EXPECT_EQ(now.bank[now.worst].wavefronts, 2u);
            EXPECT_NE(banks_text(scene, now, false).find("one word at a time is broadcast"),
                      std::string::npos);
            EXPECT_NE(plain_text(scene.replay.sentence()).find("only one at a time is broadcast"),
                      std::string::npos);
            break;
        }
        EXPECT_TRUE(found);
    }
}

// 08 at TILE 16 reads Bs[tx][k], a stride of 16 words. With 16 banks, all 16 words of a half-warp
// lie in one bank. With 32 banks they lie in two, and the second half-warp reads the same words.
TEST(RequestBanks, AColumnOfSixteenOn16BanksAnd32) {
    struct Expected {
        const char* id;
        std::uint32_t wavefronts, conflicts, banks;
    };
    for (const Expected& expected : {Expected{"1.0", 32, 30, 1}, Expected{"1.3", 32, 30, 1},
                                     Expected{"2.0", 8, 7, 2}, Expected{"9.0", 8, 7, 2}}) {
        ReplayedStage staged("08_tiled_b_transposed", {16, 16, 16, 16, 0}, expected.id);
        bool found = false;
        for (const Step& step : staged.replay().schedule().steps) {
            const Site& site = staged.replay().trace().sites[step.site];
            if (site.array != 4 || site.operation != Operation::kLoad) continue;
            found = true;
            const Scene scene = staged.scene_at(step.begin);
            const RequestBanks now = banks_of_request(scene);
            EXPECT_EQ(scene.state.request.cost.wavefronts, expected.wavefronts) << expected.id;
            EXPECT_EQ(scene.state.request.cost.bank_conflicts, expected.conflicts) << expected.id;
            EXPECT_EQ(now.used, expected.banks) << expected.id;
            break;
        }
        EXPECT_TRUE(found);
    }
}

// Half-warps that are served one after another have no conflict. The caption says how many
// wavefronts there are.
TEST(RequestBanks, HalfWarpsServedOneAfterAnotherAreNoConflict) {
    for (const char* id : {"1.0", "9.0"}) {
        ReplayedStage staged("12_outer_product", {16, 64, 16, 16, 0}, id);
        const bool old = id[0] == '1';
        bool found = false;
        for (const Step& step : staged.replay().schedule().steps) {
            const Site& site = staged.replay().trace().sites[step.site];
            if (site.array != 3 || site.operation != Operation::kLoad) continue;
            found = true;
            const Scene scene = staged.scene_at(step.begin);
            EXPECT_EQ(caption_of_banks(scene, banks_of_request(scene)),
                      old ? "2 wavefronts, no conflict" : "1 wavefront, no conflict");
            const std::string said = plain_text(scene.replay.sentence());
            EXPECT_NE(said.find(old ? "so 2 wavefronts serve them all"
                                    : "so one wavefront serves them all"),
                      std::string::npos)
                << said;
            break;
        }
        EXPECT_TRUE(found);
    }
}

}  // namespace
}  // namespace tilereel::stage::bank_use_test
