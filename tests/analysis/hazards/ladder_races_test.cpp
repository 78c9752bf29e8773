// The findings of find_hazards() for the ladder's kernels without one of their barriers.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/hazards/race_order.h"
#include "tests/record/without_barrier.h"

namespace tilereel::ladder_races_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The line of the kernel's text that contains `code`, counted from 1.
int line_with(const std::string& kernel, std::string_view code) {
    std::string_view text = find_kernel(kernel)->source;
    const std::size_t at = text.find(code);
    EXPECT_NE(at, std::string_view::npos) << kernel << ": " << code;
    return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

struct Race {
    std::string array;
    int line, other_line;
    auto operator<=>(const Race&) const = default;
};

std::set<Race> races(const Trace& trace, Severity severity,
                     const Generation& generation = default_generation()) {
    std::set<Race> found;
    for (const Finding& finding : find_hazards(trace, generation)) {
        EXPECT_EQ(finding.hazard, Hazard::kRace) << sentence_of(trace, finding);
        if (finding.severity != severity) continue;
        const auto a = static_cast<int>(trace.sites[finding.first.site].line);
        const auto b = static_cast<int>(trace.sites[finding.second.site].line);
        found.insert({trace.arrays[finding.array].name, std::min(a, b), std::max(a, b)});
    }
    return found;
}

struct Case {
    const char* kernel;
    std::size_t barrier;
    KernelParameters parameters;
    const char* array;  // the array on which warps race; "" if there is none
    const char *write, *read;
};

// Warps of a TILE x TILE block read all of B's tile but only their own rows of A's; those of an
// outer product read all of A's.
const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"05_guide_ab_shared", 0, {24, 16, 8, 8, 0}, "Bs", "Bs[ty][tx] =", "sum +="},
        {"05_guide_ab_shared", 0, {32, 32, 32, 32, 1}, "Bs", "Bs[ty][tx] =", "sum +="},
        {"06_single_block", 0, {8, 8, 8, 16, 0}, "Bs", "Bs[y *", "sum +="},
        {"07_tiled_b_uncoalesced", 0, {16, 16, 16, 8, 0}, "Bs", "Bs[tx][ty] =", "sum +="},
        {"07_tiled_b_uncoalesced", 1, {16, 16, 16, 8, 0}, "Bs", "Bs[tx][ty] =", "sum +="},
        {"08_tiled_b_transposed", 0, {16, 16, 16, 16, 1}, "Bs", "Bs[tx][ty] =", "sum +="},
        {"08_tiled_b_transposed", 1, {16, 16, 32, 16, 1}, "Bs", "Bs[tx][ty] =", "sum +="},
        {"09_tiled", 0, {16, 8, 24, 8, 0}, "Bs", "Bs[ty][tx] =", "sum +="},
        {"09_tiled", 1, {16, 8, 24, 8, 0}, "Bs", "Bs[ty][tx] =", "sum +="},
        {"09_tiled", 1, {16, 8, 8, 8, 0}, "", "", ""},  // one phase: no store follows the reads
        {"10_tiled_any_size", 0, {9, 7, 11, 8, 0}, "Bs", "Bs[ty][tx] =", "sum +="},
        {"10_tiled_any_size", 1, {1, 1, 9, 8, 0}, "Bs", "Bs[ty][tx] =", "sum +="},
        {"11_tiled_dynamic", 0, {16, 16, 16, 8, 2}, "Bs", "Bs[ty *", "sum +="},
        {"11_tiled_dynamic", 1, {16, 16, 16, 8, 2}, "Bs", "Bs[ty *", "sum +="},
        {"12_outer_product", 0, {16, 64, 32, 16, 0}, "As", "As[r][x] =", "+= As[r][k]"},
        {"12_outer_product", 1, {16, 64, 32, 16, 0}, "As", "As[r][x] =", "+= As[r][k]"},
        {"13_outer_product_unrolled", 0, {16, 64, 32, 16, 0}, "As", "As[r][x] =", "+= As[r][k]"},
        {"13_outer_product_unrolled", 1, {16, 64, 32, 16, 0}, "As", "As[r][x] =", "+= As[r][k]"},
        {"14_outer_product_prefetch", 0, {16, 64, 32, 16, 0}, "As", "now[r][x] =", "+= now[r][k]"},
        {"14_outer_product_prefetch", 1, {16, 64, 48, 16, 0}, "As", "next[r][x] =", "+= now[r][k]"},
        {"09_tiled", 0, {8, 8, 8, 4, 0}, "", "", ""},  // one warp a block
        {"04_guide_a_shared", 0, {16, 16, 16, 16, 0}, "", "", ""},
    };
    return all;
}

TEST(LadderRaces, BetweenWarpsAreErrorsOnEveryGeneration) {
    for (const Case& test : cases()) {
        const Trace trace = recorded(request_without(test.kernel, test.barrier, test.parameters));
        std::set<Race> expected;
        if (test.array[0] != '\0') {
            const int write = line_with(test.kernel, test.write);
            const int read = line_with(test.kernel, test.read);
            expected.insert({test.array, std::min(write, read), std::max(write, read)});
        }
        for (const char* id : {"9.0", "7.0", "6.1", "2.x", "1.0"})
            EXPECT_EQ(races(trace, Severity::kError, *find_generation(id)), expected)
                << test.kernel << " barrier " << test.barrier << " on " << id;
    }
}

// Whether a barrier on `line` stands where `order` says that one is missing.
bool names_place(const RaceOrder& order, std::uint32_t line) {
    if (order.next_trip) return line >= order.after_line || line < order.before_line;
    return line >= order.after_line && line < order.before_line;
}

TEST(LadderRaces, AFindingNamesThePlaceOfTheBarrierThatIsLeftOut) {
    std::size_t races = 0;
    for (const Case& test : cases()) {
        const RecordRequest request = request_without(test.kernel, test.barrier, test.parameters);
        const Trace trace = recorded(request);
        for (const Finding& finding : find_hazards(trace)) {
            const RaceOrder order = race_order(trace, finding);
            EXPECT_TRUE(names_place(order, request.removed_barrier))
                << test.kernel << " line " << request.removed_barrier << ": "
                << sentence_of(trace, finding);
            ++races;
        }
    }
    EXPECT_GT(races, cases().size());
}

TEST(LadderRaces, WithinAWarpAreWarningsSinceLanesAdvanceOnTheirOwn) {
    for (const int tile : {2, 4, 8, 16, 32}) {
        const KernelParameters p{.m = 2 * tile, .n = tile, .k = tile, .tile = tile, .pad = 1};
        const Trace trace = recorded(request_without("04_guide_a_shared", 0, p));
        const std::set<Race> expected{{"As", line_with("04_guide_a_shared", "As[ty][tx] ="),
                                       line_with("04_guide_a_shared", "sum +=")}};
        for (const Generation& generation : generations()) {
            if (generation.independent_lanes) {
                EXPECT_EQ(races(trace, Severity::kWarning, generation), expected);
                EXPECT_THAT(races(trace, Severity::kError, generation), IsEmpty());
            } else {
                EXPECT_THAT(find_hazards(trace, generation), IsEmpty()) << generation.id;
            }
        }
        EXPECT_TRUE(find_generation("7.0")->independent_lanes);
        EXPECT_FALSE(find_generation("6.1")->independent_lanes);
        RecordRequest with = request_without("04_guide_a_shared", 0, p);
        with.removed_barrier = 0;
        EXPECT_THAT(find_hazards(recorded(with)), IsEmpty());
    }
}

// 05 at TILE 8: element (row, column) of B's tile is stored by thread (column, row) and read by the
// threads of that column.
TEST(LadderRaces, AFindingNamesLinesThreadsAndCell) {
    const Trace trace = recorded(request_without("05_guide_ab_shared", 0, {16, 16, 8, 8, 0}));
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_FALSE(findings.empty());
    const Finding& race = findings.front();
    EXPECT_EQ(race.severity, Severity::kError);
    const bool first_writes = trace.sites[race.first.site].operation == Operation::kStore;
    const HazardParty& writer = first_writes ? race.first : race.second;
    const HazardParty& reader = first_writes ? race.second : race.first;
    EXPECT_EQ(trace.sites[writer.site].operation, Operation::kStore);
    EXPECT_EQ(trace.sites[reader.site].operation, Operation::kLoad);
    EXPECT_EQ(writer.thread, race.row * 8 + race.column);
    EXPECT_EQ(reader.thread % 8, race.column);
    EXPECT_NE(writer.thread / 32, reader.thread / 32);
    EXPECT_EQ(race.cells, 64u);
    const std::string sentence = sentence_of(trace, race);
    for (const int line : {line_with("05_guide_ab_shared", "Bs[ty][tx] ="),
                           line_with("05_guide_ab_shared", "sum +=")})
        EXPECT_THAT(sentence, HasSubstr("line " + std::to_string(line)));
    EXPECT_THAT(sentence, HasSubstr("Bs[" + std::to_string(race.row) + "][" +
                                    std::to_string(race.column) + "]"));
}

// The races and their cells do not depend on the order of the threads.
TEST(LadderRaces, AreTheSameInEveryOrder) {
    for (const Case& test : cases()) {
        std::map<std::pair<Severity, Race>, std::uint64_t> first;
        for (const ThreadOrder order : kAllOrders) {
            const Trace trace =
                recorded(request_without(test.kernel, test.barrier, test.parameters, order));
            std::map<std::pair<Severity, Race>, std::uint64_t> cells;
            for (const Finding& finding : find_hazards(trace)) {
                const auto a = static_cast<int>(trace.sites[finding.first.site].line);
                const auto b = static_cast<int>(trace.sites[finding.second.site].line);
                const Race race{trace.arrays[finding.array].name, std::min(a, b), std::max(a, b)};
                cells[{finding.severity, race}] += finding.cells;
            }
            if (order == ThreadOrder::kRoundRobin) first = cells;
            EXPECT_EQ(cells, first) << test.kernel << " order " << static_cast<int>(order);
        }
    }
}

}  // namespace
}  // namespace tilereel::ladder_races_test
