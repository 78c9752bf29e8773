// The findings of a block do not depend on the order of its warps. The test gives random programs
// to a few warps, then gives the same programs to the warps in another order.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "instrumentation/analysis/hazards/hazards.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::hazard_order_test {
namespace {

constexpr std::uint32_t kWarps = 4, kEpochs = 2, kWords = 6, kBarriers = 2, kPhases = 2;

struct Step {
    Operation operation = Operation::kLoad;
    std::uint32_t line = 0, word = 0, mask = 1, base = 0;
};
using Program = std::vector<std::vector<Step>>;  // of a warp, by epoch

// Steps of threads that copy asynchronously, or that wait at barriers in shared memory and ask the
// TMA for boxes.
Program random_program(std::mt19937& random, bool phases) {
    const auto below = [&random](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    const std::vector<Operation> of_copies = {Operation::kLoad,      Operation::kStore,
                                              Operation::kAtomic,    Operation::kWarpBarrier,
                                              Operation::kCopyStore, Operation::kCommitCopies,
                                              Operation::kWaitCopies};
    const std::vector<Operation> of_phases = {Operation::kLoad,          Operation::kStore,
                                              Operation::kAtomic,        Operation::kWarpBarrier,
                                              Operation::kStartBulkCopy, Operation::kInitBarrier,
                                              Operation::kArrive,        Operation::kWaitPhase};
    const std::vector<Operation>& choices = phases ? of_phases : of_copies;
    Program program(kEpochs);
    for (std::vector<Step>& epoch : program) {
        for (std::uint32_t left = below(7); left > 0; --left) {
            Step step{choices[below(static_cast<std::uint32_t>(choices.size()))]};
            // Two lines for each operation.
            step.line = 2 * static_cast<std::uint32_t>(step.operation) + below(2);
            step.word = below(kWords);
            step.mask = 1u << below(4) | 1u << below(4);
            if (phases) step.base = MBarrierPhase{below(kBarriers), below(kPhases)}.base();
            if (step.operation == Operation::kInitBarrier ||
                step.operation == Operation::kStartBulkCopy)
                step.mask = 1;
            if (step.operation == Operation::kWaitCopies) step.base = below(2);
            epoch.push_back(step);
            if (step.operation == Operation::kStartBulkCopy)  // and the elements that it copies
                epoch.push_back({Operation::kCopyStore, step.line, step.word, 3});
        }
        epoch.push_back({Operation::kBarrier, 200 + (below(8) == 0 ? 1u : 0u), 0, ~0u});
    }
    return program;
}

// The n-th program is that of warp `warp_of[n]`.
Trace trace_of(const std::vector<Program>& programs, const std::vector<std::uint32_t>& warp_of) {
    TraceBuilder builder;
    const ArrayId as = builder.add_array("As", Space::kShared, 1, kWords + kWarpSize);
    for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch)
        for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
            builder.begin_segment(0, epoch, static_cast<std::uint16_t>(warp));
            const auto program =
                static_cast<std::size_t>(std::ranges::find(warp_of, warp) - warp_of.begin());
            for (const Step& step : programs[program][epoch]) {
                builder.set_line(step.line);
                if (is_access(step.operation))
                    // Two lanes a word, so that lanes of a warp clash, too.
                    builder.access(
                        step.operation, as,
                        [&](int lane) {
                            return 4 * (step.word + static_cast<std::uint32_t>(lane) / 2);
                        },
                        step.mask);
                else
                    builder.barrier(step.operation, step.base, step.mask);
            }
        }
    Trace trace = builder.take();
    trace.launch.block = {kWarps * kWarpSize, 1, 1};
    return trace;
}

// The findings without the numbers of threads: hazard, severity, epoch, lines and number of cells.
// The lines are sorted where the two accesses could also be listed in the other order.
std::multiset<std::string> finding_texts(const Trace& trace) {
    std::multiset<std::string> all;
    for (const Finding& finding : find_hazards(trace)) {
        std::uint32_t first = trace.sites[finding.first.site].line;
        std::uint32_t second = trace.sites[finding.second.site].line;
        const Site &one = trace.sites[finding.first.site],
                   &other = trace.sites[finding.second.site];
        const bool both_copy =
            one.operation == Operation::kCopyStore && one.operation == other.operation;
        const bool alike = finding.hazard == Hazard::kBarrierDivergence || both_copy ||
                           (finding.hazard == Hazard::kRace && !is_of_tma(trace, other));
        if (alike && second < first) std::swap(first, second);
        all.insert("hazard " + std::to_string(static_cast<int>(finding.hazard)) + " severity " +
                   std::to_string(static_cast<int>(finding.severity)) + " epoch " +
                   std::to_string(finding.epoch) + " lines " + std::to_string(first) + ", " +
                   std::to_string(second) + " cells " + std::to_string(finding.cells));
    }
    return all;
}

TEST(HazardOrder, FindingsDoNotDependOnTheOrderOfTheWarps) {
    std::mt19937 random(12);
    std::set<Hazard> seen;
    for (int i = 0; i < 400; ++i) {
        std::vector<Program> programs(kWarps);
        for (Program& program : programs) program = random_program(random, i % 2 == 1);
        std::vector<std::uint32_t> warp_of(kWarps);
        std::iota(warp_of.begin(), warp_of.end(), 0u);
        const Trace trace = trace_of(programs, warp_of);
        const std::multiset<std::string> expected = finding_texts(trace);
        for (const Finding& finding : find_hazards(trace)) seen.insert(finding.hazard);
        for (int other = 0; other < 4; ++other) {
            std::ranges::shuffle(warp_of, random);
            ASSERT_EQ(finding_texts(trace_of(programs, warp_of)), expected) << "trace " << i;
        }
    }
    EXPECT_EQ(seen.size(), 5u) << "every kind of hazard came up";
}

}  // namespace
}  // namespace tilereel::hazard_order_test
