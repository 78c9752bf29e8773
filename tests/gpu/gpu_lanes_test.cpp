// Diverged lanes, joined again. The expected events follow from the program that the lanes run: one
// event for each iteration and instruction, with all lanes that execute it, in program order.
#include "instrumentation/gpu/convert/gpu_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "instrumentation/trace/views.h"

namespace tilereel::gpu::gpu_lanes_test {
namespace {

constexpr std::uint32_t kAll = 0xffffffff;
constexpr std::uint32_t kBegin = 0, kBranch = 1, kElse = 2, kSumSite = 3, kStoreSite = 4, kEnd = 5;

// A load, a loop around a load in each branch, a sum and a store, and a load after the loop.
GpuFacts facts_of_test() {
    GpuFacts facts;
    for (std::uint32_t i = 0; i <= kEnd; ++i) {
        PtxSite site;
        site.width_bytes = 4;
        facts.sites.push_back(site);
    }
    facts.sites[kSumSite].operation = Operation::kMultiplyAdd;
    facts.sites[kSumSite].value_words = 1;
    facts.sites[kStoreSite].operation = Operation::kStore;
    facts.sites[kStoreSite].value_words = 1;
    facts.loops = {{kBranch, kEnd}};
    return facts;
}

struct Step {
    std::uint32_t trip = 0, site = 0;
    auto operator<=>(const Step&) const = default;
};
// The value of a lane in a step. Its offset is the same, less the event's shift.
std::uint32_t value_of(unsigned lane, Step step) { return lane << 16 | step.trip << 8 | step.site; }

// Each lane runs through its steps. A schedule takes some of the lanes that are at one instruction,
// in the same iteration or not, and executes it.
class Warp {
  public:
    void add_lane(unsigned lane, unsigned trips, bool takes_branch) {
        steps_[lane].push_back({0, kBegin});
        for (std::uint32_t trip = 0; trip < trips; ++trip)
            for (const std::uint32_t site : {takes_branch ? kBranch : kElse, kSumSite, kStoreSite})
                steps_[lane].push_back({trip, site});
        steps_[lane].push_back({trips, kEnd});
    }
    [[nodiscard]] std::uint32_t at(std::uint32_t site) const {
        std::uint32_t lanes = 0;
        for (unsigned lane = 0; lane < runtime::kLanes; ++lane)
            if (next_[lane] < steps_[lane].size() && steps_[lane][next_[lane]].site == site)
                lanes |= 1u << lane;
        return lanes;
    }
    void execute(std::uint32_t site, std::uint32_t mask) {
        std::array<std::uint32_t, 32>&offsets = rows_.emplace_back(),
                                  &values = rows_.emplace_back();
        offsets.fill(0xdead), values.fill(0xdead);
        GpuEvent event{.site = site, .array = 0, .mask = mask, .clock = clock_++};
        for (const std::uint32_t lane : lanes_in(mask)) {
            const Step step = steps_[lane][next_[lane]++];
            offsets[lane] = value_of(lane, step) - 7;
            values[lane] = value_of(lane, step);
            if (site == kSumSite && next_[lane] + 3 > steps_[lane].size())
                event.last_lanes |= 1u << lane;  // of the last iteration
            first_.try_emplace(step, event.clock);
        }
        event.shift = 7;
        event.values = values.data();
        if (site == kSumSite)
            event.array = GpuEvent::kNoArray;
        else
            event.offsets = offsets.data();
        events_.push_back(event);
    }
    [[nodiscard]] const std::vector<GpuEvent>& events() const { return events_; }

    // Compares all joined events with the steps of the program.
    void expect_joined() const {
        std::map<Step, std::uint32_t> expected;
        for (unsigned lane = 0; lane < runtime::kLanes; ++lane)
            for (const Step& step : steps_[lane]) {
                // The end comes after the last iteration of any lane.
                const Step at = step.site == kEnd ? Step{1000, kEnd} : step;
                expected[at] |= 1u << lane;
            }
        const GpuFacts facts = facts_of_test();
        GpuLanes lanes(facts);
        auto next = expected.begin();
        const auto put = [&](const GpuEvent& event) {
            ASSERT_NE(next, expected.end());
            const auto& [step, mask] = *next++;
            ASSERT_EQ(event.site, step.site);
            ASSERT_EQ(event.mask, mask) << "iteration " << step.trip;
            for (const std::uint32_t lane : lanes_in(mask)) {
                const Step of_lane = step.site == kEnd ? steps_[lane].back() : step;
                if (event.offsets != nullptr) {
                    EXPECT_EQ(event.offsets[lane] + event.shift, value_of(lane, of_lane));
                }
                if (facts.sites[step.site].value_words != 0) {
                    EXPECT_EQ(event.values[lane], value_of(lane, of_lane));
                }
                const bool is_last =
                    step.site == kSumSite && of_lane.trip + 1 == steps_[lane].back().trip;
                EXPECT_EQ(event.last_lanes >> lane & 1, is_last ? 1u : 0u);
            }
            if (step.site != kEnd) {
                EXPECT_EQ(event.clock, first_.at(step));
            }
        };
        lanes.begin_epoch(kAll);
        for (const GpuEvent& event : events_) lanes.add(event, put);
        lanes.end_epoch(put);
        EXPECT_EQ(next, expected.end());
    }

  private:
    std::array<std::vector<Step>, runtime::kLanes> steps_;
    std::array<std::size_t, runtime::kLanes> next_{};
    std::deque<std::array<std::uint32_t, 32>> rows_;
    std::vector<GpuEvent> events_;
    std::uint64_t clock_ = 100;
    std::map<Step, std::uint64_t> first_;  // the clock of the first lane
};

TEST(GpuLanes, AWarpWhoseLanesStayTogetherIsPassedOn) {
    Warp warp;
    for (unsigned lane = 0; lane < runtime::kLanes; ++lane) warp.add_lane(lane, 2, true);
    for (const std::uint32_t site :
         {kBegin, kBranch, kSumSite, kStoreSite, kBranch, kSumSite, kStoreSite, kEnd})
        warp.execute(site, kAll);
    warp.expect_joined();
}

// As in 20_champion: one lane lags behind, then overtakes the others.
TEST(GpuLanes, ALaneApartFromTheOthersIsJoinedWithThem) {
    Warp warp;
    for (unsigned lane = 0; lane < runtime::kLanes; ++lane) warp.add_lane(lane, 3, true);
    constexpr std::uint32_t kOne = 1, kOthers = ~kOne;
    warp.execute(kBegin, kAll);
    for (const std::uint32_t site : {kBranch, kSumSite, kStoreSite}) warp.execute(site, kOthers);
    for (const std::uint32_t site : {kBranch, kSumSite, kStoreSite, kBranch, kSumSite})
        warp.execute(site, kOne);
    warp.execute(kBranch, kOthers);
    warp.execute(kSumSite, kOthers);
    warp.execute(kStoreSite, kAll);
    for (const std::uint32_t site : {kBranch, kSumSite, kStoreSite, kEnd}) warp.execute(site, kAll);
    warp.expect_joined();
}

// One event holds lanes in different iterations, so its lanes belong to several joined events.
TEST(GpuLanes, AnEventOfDifferentIterationsIsSplit) {
    Warp warp;
    for (unsigned lane = 0; lane < runtime::kLanes; ++lane) warp.add_lane(lane, 2, true);
    constexpr std::uint32_t kHalf = 0x55555555;
    warp.execute(kBegin, kAll);
    for (const std::uint32_t site : {kBranch, kSumSite, kStoreSite}) warp.execute(site, kHalf);
    for (const std::uint32_t site : {kBranch, kSumSite, kStoreSite}) warp.execute(site, kAll);
    for (const std::uint32_t site : {kBranch, kSumSite, kStoreSite}) warp.execute(site, ~kHalf);
    warp.execute(kEnd, kAll);
    warp.expect_joined();
}

TEST(GpuLanes, AnyScheduleOfTheLanesGivesTheSameEvents) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 engine(seed);
        const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
        // Lanes of one kind do the same. With 32 kinds each lane goes its own way.
        const unsigned kinds = std::array{1u, 2u, 3u, 8u, 32u}[seed % 5];
        Warp warp;
        std::array<unsigned, runtime::kLanes> kind{};
        std::vector<std::pair<unsigned, bool>> way(kinds);
        for (auto& [trips, branch] : way) trips = 1 + random() % 6, branch = random() % 2 == 0;
        for (unsigned lane = 0; lane < runtime::kLanes; ++lane) {
            kind[lane] = random() % kinds;
            warp.add_lane(lane, way[kind[lane]].first, way[kind[lane]].second);
        }
        for (;;) {
            std::vector<std::uint32_t> sites;
            for (std::uint32_t site = kBegin; site <= kEnd; ++site)
                if (warp.at(site) != 0) sites.push_back(site);
            if (sites.empty()) break;
            const std::uint32_t site = sites[random() % sites.size()];
            const std::uint32_t ready = warp.at(site);
            std::uint32_t some = 0;
            const std::uint32_t chosen = random();
            for (unsigned lane = 0; lane < runtime::kLanes; ++lane)
                some |= (chosen >> kind[lane] & 1) << lane;
            // Often all of them go on, so that lanes come together again.
            warp.execute(site, random() % 3 != 0 || (ready & some) == 0 ? ready : ready & some);
        }
        warp.expect_joined();
    }
}

}  // namespace
}  // namespace tilereel::gpu::gpu_lanes_test
