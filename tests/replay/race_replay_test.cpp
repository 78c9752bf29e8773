// A kernel without one of its barriers is replayed in the order in which it ran. To check this, an
// interpreter executes the requests in the order of the schedule. Its sums and its C equal those
// that were recorded.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/replay/replay.h"
#include "instrumentation/trace/views.h"
#include "tests/record/without_barrier.h"

namespace tilereel::race_replay_test {
namespace {

// The values that a thread of a ladder kernel holds in registers.
struct Registers {
    float last_a = NAN, last_b = NAN;  // last loaded from A and B
    std::vector<float> on_line;        // loaded on this line since the last multiply-add
    std::uint32_t line = 0;
    std::map<std::uint32_t, float> sums;  // by accumulator
    std::vector<float> stored_to_c;
};

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Runs one block's records, request by request in the order of the replay's steps.
class Interpreter {
  public:
    Interpreter(const Trace& trace, const Replay& replay) : trace_(trace), replay_(replay) {
        const SegmentRange range = segments_of_block(trace, replay.block());
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            std::uint64_t value = trace.segments.value_begin[segment];
            for (const std::uint64_t record : records_of(trace.segments, segment)) {
                value_of_[record] = value;
                segment_of_[record] = segment;
                if (has_values(trace, record)) value += value_count(trace, record);
            }
        }
    }

    void run(std::vector<float>& c) {
        std::set<std::uint64_t> done;
        for (const Step& step : replay_.schedule().steps) {
            // In its warp's program order, and every request once.
            ASSERT_TRUE(done.insert(step.record).second);
            ASSERT_GT(step.record + 1, next_[step.warp]);
            next_[step.warp] = step.record + 1;
            access(step.record, step.warp, c);
            const std::size_t segment = segment_of_[step.record];
            for (std::uint64_t record = step.record + 1;
                 record < trace_.segments.record_begin[segment + 1] && !is_access(record); ++record)
                multiply_add(record, step.warp);
        }
        std::size_t accesses = 0;
        for (const auto& [record, value] : value_of_) accesses += is_access(record);
        EXPECT_EQ(done.size(), accesses);
    }

  private:
    [[nodiscard]] const Site& site(std::uint64_t record) const { return site_at(trace_, record); }
    [[nodiscard]] bool is_access(std::uint64_t record) const {
        return site(record).operation == Operation::kLoad ||
               site(record).operation == Operation::kStore;
    }
    template <class Visit>
    void for_each_lane(std::uint64_t record, std::uint16_t warp, Visit visit) {
        const LaneOffsets lanes = lane_offsets(trace_, record);
        std::uint64_t value = value_of_.at(record);
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            if (lanes.mask >> lane & 1u)
                visit(
                    threads_[warp * 32u + lane], lanes.bytes[lane],
                    has_values(trace_, record) ? std::bit_cast<float>(trace_.words[value++]) : NAN);
    }

    void access(std::uint64_t record, std::uint16_t warp, std::vector<float>& c) {
        const Site& at = site(record);
        const Array& array = trace_.arrays[at.array];
        const bool load = at.operation == Operation::kLoad;
        for_each_lane(record, warp, [&](Registers& own, std::uint32_t offset, float stored) {
            if (load) {
                take(own, at, load_of(array, at.array, offset));
            } else if (array.space == Space::kShared) {
                const float held = array.name == "As" ? own.last_a : own.last_b;
                // At the edges 10 stores a zero instead.
                EXPECT_TRUE(same(stored, held) || (stored == 0.0f && at.line != 0)) << array.name;
                shared_[offset] = stored;
            } else {
                c[offset / 4] = stored;
                own.stored_to_c.push_back(stored);
                EXPECT_TRUE(
                    same(stored, own.sums[static_cast<std::uint32_t>(own.stored_to_c.size() - 1)]));
            }
        });
    }
    [[nodiscard]] float load_of(const Array& array, ArrayId id, std::uint32_t offset) const {
        if (array.space == Space::kGlobal)
            return matrix_of(trace_, id == 0 ? MatrixRole::kA : MatrixRole::kB)[offset / 4];
        const auto cell = shared_.find(offset);
        return cell == shared_.end() ? NAN : cell->second;
    }
    static void take(Registers& own, const Site& at, float value) {
        if (own.line != at.line) own.on_line.clear();
        own.line = at.line;
        own.on_line.push_back(value);
        if (at.array == 0) own.last_a = value;
        if (at.array == 1) own.last_b = value;
    }

    void multiply_add(std::uint64_t record, std::uint16_t warp) {
        if (site(record).operation != Operation::kMultiplyAdd) return;
        for_each_lane(record, warp, [&](Registers& own, std::uint32_t accumulator, float after) {
            ASSERT_FALSE(own.on_line.empty());
            const float first = own.on_line.front();
            const float second = own.on_line.size() > 1 ? own.on_line[1] : own.last_b;
            own.sums[accumulator] += first * second;
            EXPECT_TRUE(same(own.sums[accumulator], after))
                << own.sums[accumulator] << " is not " << after;
            own.on_line.clear();
        });
    }

    const Trace& trace_;
    const Replay& replay_;
    std::map<std::uint64_t, std::uint64_t> value_of_;  // record -> its first value
    std::map<std::uint64_t, std::size_t> segment_of_;  // record -> its segment
    std::map<std::uint32_t, Registers> threads_;
    std::map<std::uint32_t, float> shared_;        // by byte
    std::map<std::uint16_t, std::uint64_t> next_;  // by warp
};

const std::vector<std::pair<const char*, KernelParameters>>& kernels() {
    static const std::vector<std::pair<const char*, KernelParameters>> all = {
        {"04_guide_a_shared", {16, 16, 8, 8, 0}},
        {"05_guide_ab_shared", {16, 8, 8, 8, 1}},
        {"05_guide_ab_shared", {16, 16, 16, 16, 0}},
        {"06_single_block", {12, 9, 7, 16, 1}},
        {"07_tiled_b_uncoalesced", {8, 16, 16, 8, 0}},
        {"08_tiled_b_transposed", {8, 8, 24, 8, 1}},
        {"09_tiled", {16, 8, 24, 8, 0}},
        {"09_tiled", {4, 8, 12, 4, 2}},
        {"09_tiled", {16, 16, 32, 16, 0}},
        {"10_tiled_any_size", {11, 13, 21, 8, 0}},
        {"11_tiled_dynamic", {8, 8, 16, 8, 2}},
        {"12_outer_product", {16, 64, 48, 16, 0}},
        {"13_outer_product_unrolled", {16, 64, 32, 16, 1}},
        {"14_outer_product_prefetch", {16, 64, 64, 16, 0}},
    };
    return all;
}

std::string name_of(const RecordRequest& request) {
    return request.kernel + " line " + std::to_string(request.removed_barrier) + " order " +
           std::to_string(static_cast<int>(request.order));
}

template <class Visit>
void for_each_recording(Visit visit) {
    for (const auto& [kernel, parameters] : kernels())
        for (std::size_t i = 0; i < find_kernel(kernel)->barriers.size(); ++i)
            for (const ThreadOrder order : kAllOrders) {
                const RecordRequest request = request_without(kernel, i, parameters, order);
                visit(request, recorded(request));
            }
}

TEST(RaceReplay, ShowsTheOrderThatRan) {
    int wrong = 0;
    for_each_recording([&](const RecordRequest& request, const Trace& trace) {
        const MatrixElements stored = matrix_of(trace, MatrixRole::kC);
        std::vector<float> c(stored.size(), NAN);
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            const Result<Replay> replay = Replay::of_block(trace, block);
            ASSERT_TRUE(replay);
            Interpreter(trace, *replay).run(c);
        }
        for (std::size_t i = 0; i < c.size(); ++i)
            ASSERT_TRUE(same(c[i], stored[i])) << name_of(request) << " element " << i;
        wrong += !wrong_elements(trace).empty();
    });
    EXPECT_GT(wrong, 40);  // of 96; in the others the order leaves C right
}

// Within an epoch, round-robin runs the n-th requests of all warps before any (n + 1)-th; the other
// orders run one warp after another, first to last or last to first. With ThreadOrder::kLanes each
// request has one lane.
TEST(RaceReplay, WarpsGoInTheOrderOfTheLaunch) {
    for_each_recording([](const RecordRequest& request, const Trace& trace) {
        const Result<Replay> replay = Replay::of_block(trace, 0);
        std::map<std::pair<std::uint32_t, std::uint16_t>, int> taken;  // by epoch and warp
        std::tuple<std::uint32_t, int, int> former{0, -1000, -1000};
        for (const Step& step : replay->schedule().steps) {
            const int round = ++taken[{step.epoch, step.warp}];
            std::tuple<std::uint32_t, int, int> place{step.epoch, step.warp, round};
            if (request.order == ThreadOrder::kRoundRobin) place = {step.epoch, round, step.warp};
            if (request.order == ThreadOrder::kWarpsBackward)
                place = {step.epoch, -int{step.warp}, round};
            ASSERT_LT(former, place) << name_of(request);
            former = place;
            const int lanes = std::popcount(lane_offsets(trace, step.record).mask);
            ASSERT_TRUE(request.order != ThreadOrder::kLanes || lanes == 1);
        }
    });
}

// The same of the replay's own state: at the end its sums are the C that the kernel left.
TEST(RaceReplay, EndsWithTheCThatTheKernelLeft) {
    for_each_recording([&](const RecordRequest& request, const Trace& trace) {
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            Result<Replay> replay = Replay::of_block(trace, block);
            const ReplayState& state = replay.value().seek(replay->schedule().ticks);
            const CellRect rect = replay->regions().c;
            std::size_t at = 0;
            for (std::uint32_t row = rect.row0; row < rect.row1; ++row)
                for (std::uint32_t column = rect.column0; column < rect.column1; ++column, ++at)
                    ASSERT_TRUE(
                        same(state.sums[at].value,
                             matrix_of(trace,
                                       MatrixRole::kC)[std::size_t{row} * trace.launch.n + column]))
                        << name_of(request);
        }
    });
}

// Sums are drawn from the first multiply-add on, not only when C is stored: a NaN sum is still the
// sum of its element.
TEST(RaceReplay, SumsThatAreNotNumbersBelongToTheirElements) {
    const Trace trace = recorded(
        request_without("12_outer_product", 0, {16, 64, 16, 16, 0}, ThreadOrder::kWarpsForward));
    Result<Replay> replay = Replay::of_block(trace, 0);
    // The last tick of computing: all multiply-adds are in, nothing is stored.
    Tick stores = replay->schedule().ticks;
    for (const Step& step : replay->schedule().steps)
        if (step.part == Part::kStore) stores = std::min(stores, step.begin);
    const ReplayState& state = replay.value().seek(stores);
    std::size_t in = 0, not_numbers = 0;
    for (const PartialSum& sum : state.sums) {
        in += sum.multiply_adds == 16;
        not_numbers += std::isnan(sum.value);
    }
    EXPECT_EQ(in, 1024u);          // the second barrier is still there: both warps have finished
    EXPECT_EQ(not_numbers, 256u);  // 32 columns x 8 rows of As that warp 1 had not stored
}

// Without any block barrier a phase is a trip of the k loop, whichever order the lanes ran in.
TEST(RaceReplay, WithoutBarriersAPhaseIsATripOfTheLoop) {
    for (const ThreadOrder order : kAllOrders) {
        const Trace trace =
            recorded(request_without("04_guide_a_shared", 0, {8, 8, 8, 8, 0}, order));
        const Result<Replay> replay = Replay::of_block(trace, 0);
        EXPECT_EQ(replay->schedule().phases, 8u) << static_cast<int>(order);
    }
}

}  // namespace
}  // namespace tilereel::race_replay_test
