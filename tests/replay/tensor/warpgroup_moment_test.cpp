// What a warpgroup reads and sums, in 24 wgmma and 25 warp_specialised. Expected: the elements of A
// and B by their indices, their products, and the lines of the kernels.
#include "app/replay/tensor/warpgroup_moment.h"

#include <gtest/gtest.h>

#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/schedule/phase_waits.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/trace/fragments/matrix_value.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::warpgroup_moment_test {
namespace {

struct Recorded {
    Recorded(const char* kernel, KernelParameters parameters)
        : trace(recorded(kernel, parameters)),
          replay(Replay::of_block(trace, 0).value()),
          a(values_of(trace, MatrixRole::kA)),
          b(values_of(trace, MatrixRole::kB)) {}

    static Trace recorded(const char* kernel, KernelParameters parameters) {
        RecordRequest request;
        request.kernel = kernel;
        request.parameters = parameters;
        Result<Trace> trace = record_built_in(request);
        EXPECT_TRUE(trace) << trace.error().message;
        return std::move(trace).value();
    }
    [[nodiscard]] float a_at(int row, int k) const {
        return a[static_cast<std::size_t>(row) * trace.launch.k + static_cast<std::size_t>(k)];
    }
    [[nodiscard]] float b_at(int k, int column) const {
        return b[static_cast<std::size_t>(k) * trace.launch.n + static_cast<std::size_t>(column)];
    }
    // The line of the kernel with this text.
    [[nodiscard]] std::uint32_t line_of(std::string_view text) const {
        std::uint32_t line = 1;
        for (const char c : trace.source.substr(0, trace.source.find(text))) line += c == '\n';
        return line;
    }

    Trace trace;
    Replay replay;
    std::vector<float> a, b;
};

// A product has 64 rows; its k are 16: K 128 makes 8 of them. Each of the four warps reads 16 x 16
// of A and a quarter of 16 x 64 of B: 32 pieces of 16 bytes each, without conflicts.
TEST(WarpgroupMoment, EachWarpReadsItsPartOfAAndB) {
    Recorded wgmma("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    std::array<int, 4> of_a{}, of_b{};
    for (std::uint32_t i = 0; i < wgmma.replay.schedule().steps.size(); ++i) {
        const Step& step = wgmma.replay.schedule().steps[i];
        const Site& site = wgmma.replay.trace().sites[step.site];
        if (!site.is_of_product()) continue;
        EXPECT_EQ(step.part, Part::kCompute);
        const RequestCost& cost = wgmma.replay.schedule().costs[i];
        EXPECT_EQ(cost.lanes, 32u);
        EXPECT_EQ(cost.wavefronts, 4u);
        EXPECT_EQ(cost.bank_conflicts, 0u);
        const bool is_a = site.variety == static_cast<std::uint8_t>(AccessKind::kFactorA);
        EXPECT_EQ(wgmma.replay.trace().arrays[site.array].name, is_a ? "As" : "Bs");
        ++(is_a ? of_a : of_b)[step.warp];
    }
    EXPECT_EQ(of_a, (std::array{8, 8, 8, 8}));
    EXPECT_EQ(of_b, of_a);
    EXPECT_EQ(wgmma.replay.warpgroups().products().size(), 8u);
}

// What lies in shared memory where a piece is read are the elements of A and B that it names.
TEST(WarpgroupMoment, APieceHasTheElementsOfItsMatrix) {
    Recorded wgmma("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    std::size_t seen = 0;
    for (const Step& step : wgmma.replay.schedule().steps) {
        if (!wgmma.replay.trace().sites[step.site].is_of_product()) continue;
        const RequestState request = wgmma.replay.seek(step.begin).request;
        const auto moment = warpgroup_moment(wgmma.replay, std::nullopt);
        ASSERT_TRUE(moment);
        const int k0 = 16 * static_cast<int>(moment->number);
        for (const ReadPiece& each : moment->pieces) {
            if (each.since != HeldSince::kNow) continue;
            EXPECT_EQ(each.of_a, moment->reads_a);
            EXPECT_EQ(each.warp, step.warp);
            if (each.of_a) {
                EXPECT_EQ(each.piece.x / 16, step.warp);
            }
            const auto lane =
                std::ranges::find(request.lanes, each.piece.address, &LaneState::offset_bytes);
            ASSERT_NE(lane, request.lanes.end());
            for (int i = 0; i < 8; ++i) {
                const std::uint32_t word = lane->words[static_cast<std::size_t>(i / 2)];
                const double value = matrix_value(MatrixType::kBf16, word >> 16 * (i % 2));
                const double expected = each.of_a ? wgmma.a_at(each.piece.x, k0 + each.piece.k + i)
                                                  : wgmma.b_at(k0 + each.piece.k, each.piece.x + i);
                ASSERT_EQ(value, expected);
                ++seen;
            }
        }
    }
    EXPECT_EQ(seen, 64u * 128 + 128 * 64);  // all of A and B, each once
}

// D after the n-th product of an accumulator: the sum over the first 16 n columns of A.
void expect_sums(Recorded& recorded, int accumulators) {
    const auto& products = recorded.replay.warpgroups().products();
    ASSERT_FALSE(products.empty());
    for (std::size_t i = 0; i < products.size(); ++i) {
        const int n = products[i].product.shape.n,
                  first_row = 64 * int(i % std::size_t(accumulators));
        const int k = 16 * (static_cast<int>(i) / accumulators + 1);
        ASSERT_EQ(products[i].sums.size(), std::size_t(64 * n));
        for (int row = 0; row < 64; row += 7)
            for (int column = 0; column < n; column += 5) {
                float sum = 0;
                for (int at_k = 0; at_k < k; ++at_k)
                    sum += recorded.a_at(first_row + row, at_k) * recorded.b_at(at_k, column);
                ASSERT_EQ(products[i].sums[std::size_t(row * n + column)], sum)
                    << i << ": " << row << ", " << column;
            }
        const std::size_t before =
            i < std::size_t(accumulators) ? i : i - std::size_t(accumulators);
        EXPECT_EQ(products[i].adds_to, before);
    }
}

TEST(WarpgroupMoment, SumsGrowWithEachProduct) {
    Recorded small("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    expect_sums(small, 1);
}

// TILE 128: two products take turns, one for the upper 64 rows and one for the lower ones.
TEST(WarpgroupMoment, TwoAccumulatorsTakeTurns) {
    Recorded large("24_wgmma", {.m = 128, .n = 128, .k = 128, .tile = 128, .pad = 0});
    expect_sums(large, 2);
}

// 25: two warpgroups with 64 rows each. What they read has landed, also the half of B that the
// other block of the cluster copies; the TMA's stores of Cs are no stores of sums.
TEST(WarpgroupMoment, WarpgroupsReadWhatHasLanded) {
    Recorded roles("25_warp_specialised", {.m = 256, .n = 64, .k = 384, .tile = 64, .pad = 0});
    for (const Step& step : roles.replay.schedule().steps) {
        if (!roles.replay.trace().sites[step.site].is_of_product()) continue;
        for (const LaneState& piece : roles.replay.seek(step.begin).request.lanes)
            ASSERT_TRUE(piece.known) << step.begin;
    }
    std::array<int, 2> seen{};
    for (const GroupProduct& product : roles.replay.warpgroups().products()) {
        const int first_row = 64 * static_cast<int>(product.group);
        const int k = 16 * ++seen[product.group];
        ASSERT_EQ(product.sums.size(), 64u * 64);
        for (int row = 0; row < 64; row += 9)
            for (int column = 0; column < 64; column += 5) {
                float sum = 0;
                for (int at_k = 0; at_k < k; ++at_k)
                    sum += roles.a_at(first_row + row, at_k) * roles.b_at(at_k, column);
                ASSERT_EQ(product.sums[std::size_t(row * 64 + column)], sum) << k;
            }
    }
    EXPECT_EQ(seen, (std::array{24, 24}));
}

// A lane stores two neighbours of D at once: elements 4 j and 4 j + 1 are columns 8 j + 2 (lane %
// 4) and the next of row lane / 4, elements 4 j + 2 and 4 j + 3 those of row lane / 4 + 8.
TEST(WarpgroupMoment, AStoreTakesTheSums) {
    Recorded wgmma("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    std::set<std::pair<int, int>> stored;  // warp and element
    for (const Step& step : wgmma.replay.schedule().steps) {
        const Site& site = wgmma.replay.trace().sites[step.site];
        if (site.operation != Operation::kStore) continue;
        const LaneState& first = wgmma.replay.seek(step.begin).request.lanes[0];
        const auto moment = warpgroup_moment(wgmma.replay, std::nullopt);
        ASSERT_TRUE(moment && moment->stores);
        EXPECT_EQ(moment->number, 7u);
        const int element = 4 * static_cast<int>(first.column / 8) + (first.row % 16 == 8 ? 2 : 0);
        EXPECT_EQ(moment->stored_element, element);
        stored.emplace(step.warp, element);
    }
    EXPECT_EQ(stored.size(), 4u * 16);
}

// The products of the first phase are waited for in the second one, by the wait that leaves one
// group; those of the last phase after the loop.
TEST(WarpgroupMoment, AProductKnowsTheLineThatWaitsForIt) {
    Recorded wgmma("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    const auto& products = wgmma.replay.warpgroups().products();
    EXPECT_EQ(products.front().line, wgmma.line_of("wgmma_64x64x16(sum[i]"));
    EXPECT_EQ(products.front().wait_line, wgmma.line_of("wgmma_wait(1);"));
    EXPECT_EQ(products.back().wait_line, wgmma.line_of("wgmma_wait(0);"));
}

// What is counted has no modelled reads, and what is played has no others.
TEST(WarpgroupMoment, TheRecordedTraceStays) {
    Recorded wgmma("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    EXPECT_EQ(&wgmma.replay.recorded_trace(), &wgmma.trace);
    const Trace& played = wgmma.replay.trace();
    EXPECT_EQ(played.records.size(), wgmma.trace.records.size() + 8u * 4 * 2);
    EXPECT_EQ(count_kernel(wgmma.trace).shared_load.wavefronts, 0u);
    std::uint64_t last = 0;
    for (std::uint64_t record = 0; record < played.records.size(); ++record) {
        const std::uint64_t was = wgmma.replay.recorded(record);
        ASSERT_TRUE(was == last || was == last + 1);
        last = was;
        const Operation operation = site_at(wgmma.trace, was).operation;
        if (site_at(played, record).is_of_product())
            EXPECT_EQ(operation, Operation::kMatrixProduct);
        else
            EXPECT_EQ(site_of(played, record), site_of(wgmma.trace, was));
    }
}

TEST(WarpgroupMoment, TheSentenceSaysThatReadsAreModelled) {
    Recorded wgmma("24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0});
    std::set<std::string> sentences;
    for (const Step& step : wgmma.replay.schedule().steps) {
        if (!wgmma.replay.trace().sites[step.site].is_of_product()) continue;
        wgmma.replay.seek(step.begin);
        std::string text;
        for (const Span& span : wgmma.replay.sentence()) text += span.text;
        sentences.insert(text);
    }
    const std::string wait = std::to_string(wgmma.line_of("wgmma_wait(1);"));
    EXPECT_TRUE(
        sentences.contains("Warp 2 multiplies: wgmma itself reads the warp's 16 rows of As[0], 32 "
                           "pieces of 16 bytes in "
                           "4 wavefronts (modelled)."));
    EXPECT_TRUE(sentences.contains(
        "Warp 2 multiplies: wgmma itself reads its part of the 16 \xc3\x97 64 elements in Bs[0][0] "
        "for all four warps, 32 pieces of 16 bytes in 4 wavefronts (modelled); its sums may be "
        "read "
        "after the wait in line " +
        wait + "."));
}

// 25 with K 384: six tiles for four stages. Before the producer, warp 8, fills a stage again, it
// waits until the consumers, warps 0 to 7, have read it.
TEST(PhaseWaits, TheProducerWaitsForTheConsumers) {
    Recorded roles("25_warp_specialised", {.m = 256, .n = 64, .k = 384, .tile = 64, .pad = 0});
    const Trace& trace = roles.replay.trace();
    const BlockRecords records = records_of_block(trace, 0);
    const auto names = names_of_mbarriers(trace, records);
    std::set<std::string> all;
    for (const auto& [number, name] : names) all.insert(name);
    EXPECT_EQ(all, (std::set<std::string>{"full[0]", "full[1]", "full[2]", "full[3]", "empty[0]",
                                          "empty[1]", "empty[2]", "empty[3]"}));
    std::set<std::string> of_producer;
    const std::vector<std::uint16_t> consumers = {0, 1, 2, 3, 4, 5, 6, 7};
    for (const PhaseWait& wait : find_phase_waits(trace, records, roles.replay.schedule())) {
        EXPECT_LT(wait.begin, wait.end);
        EXPECT_LE(wait.end, roles.replay.schedule().ticks);
        if (!names.contains(wait.phase.barrier)) continue;  // a named barrier of the consumers
        const std::string& name = names.at(wait.phase.barrier);
        if (wait.warp == 8) {
            of_producer.insert(name);
            EXPECT_EQ(wait.line, roles.line_of("empty[slot], parity ^ 1"));
            EXPECT_EQ(wait.awaited, consumers);
            EXPECT_FALSE(wait.for_bytes);
        } else {
            EXPECT_TRUE(name.starts_with("full"));
            EXPECT_TRUE(wait.for_bytes);
        }
    }
    // Only the places of the first two tiles are filled again.
    EXPECT_FALSE(of_producer.empty());
    for (const std::string& name : of_producer)
        EXPECT_TRUE(name == "empty[0]" || name == "empty[1]") << name;
}

}  // namespace
}  // namespace tilereel::warpgroup_moment_test
