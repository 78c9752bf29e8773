// Kernels of the ladder, compiled by nvcc and recorded on this computer's GPU, against the CPU's
// recordings of the same plain CUDA files: every record with its lanes, addresses, values and sums.
// Skipped where there is no GPU or no nvcc.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "instrumentation/plain/ladder.h"
#include "instrumentation/plain/program.h"
#include "kernels/catalog.h"
#include "tests/plain/ladder_sizes.h"
#include "tests/plain/same_trace.h"

namespace tilereel::plain {
namespace {

// nvcc may turn the loads of one statement around: those of a run are put in order.
std::vector<Event> with_sorted_loads(std::vector<Event> events) {
    const auto is_load = [](const Event& event) { return event.operation == Operation::kLoad; };
    for (std::size_t begin = 0; begin < events.size();) {
        std::size_t end = begin + 1;
        while (is_load(events[begin]) && end < events.size() && is_load(events[end]) &&
               events[end].line == events[begin].line && events[end].mask == events[begin].mask)
            ++end;
        std::stable_sort(events.begin() + static_cast<std::ptrdiff_t>(begin),
                         events.begin() + static_cast<std::ptrdiff_t>(end),
                         [](const Event& one, const Event& other) {
                             return std::tuple(one.array, one.bytes) <
                                    std::tuple(other.array, other.bytes);
                         });
        begin = end;
    }
    return events;
}

// Which accumulator each multiply-add goes into.
std::vector<std::uint32_t> accumulators_of(const Trace& trace) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (trace.sites[site_of(trace, i)].operation == Operation::kMultiplyAdd)
            numbers.push_back(trace.records.base[i]);
    return numbers;
}

std::vector<std::uint32_t> lines_of(const Trace& trace) {
    std::set<std::uint32_t> lines;
    for (const Site& site : trace.sites) lines.insert(site.line);
    return {lines.begin(), lines.end()};
}

void compare(std::string_view kernel, const KernelParameters& p) {
    SCOPED_TRACE(std::string(kernel) + " TILE " + std::to_string(p.tile) + " PAD " +
                 std::to_string(p.pad) + ", " + std::to_string(p.m) + " x " + std::to_string(p.n) +
                 " x " + std::to_string(p.k));
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    const Result<Trace> gpu = record_compiled_on_gpu(request);
    const Result<Trace> cpu = record_built_in(request);
    ASSERT_TRUE(gpu) << gpu.error().message;
    ASSERT_TRUE(cpu) << cpu.error().message;
    EXPECT_EQ(gpu->recorded_by.recorder, "gpu");
    EXPECT_EQ(gpu->records.clock.size(), gpu->records.size());
    EXPECT_EQ(gpu->accumulators, cpu->accumulators);
    EXPECT_EQ(gpu->wrong_elements, 0u);
    EXPECT_EQ(lines_of(*gpu), lines_of(*cpu));
    EXPECT_EQ(accumulators_of(*gpu), accumulators_of(*cpu));
    expect_same_launch(*gpu, *cpu);
    std::vector<Event> ours = events_of(*gpu), theirs = events_of(*cpu);
    if (cpu->accumulator_interval != 1) {  // of many sums the CPU keeps some values
        leave_out_sums(ours);
        leave_out_sums(theirs);
    }
    expect_same_events(with_sorted_loads(std::move(ours)), with_sorted_loads(std::move(theirs)));
    if (!testing::Test::HasFailure())
        std::printf("%s TILE %d PAD %d: %zu records equal\n", std::string(kernel).c_str(), p.tile,
                    p.pad, gpu->records.size());
}

std::vector<KernelInfo> kernels_of_the_gpu() {
    std::vector<KernelInfo> kernels;
    for (const KernelInfo& kernel : catalog())
        if (!kernel.boxes && !kernel.on_cpu) kernels.push_back(kernel);
    return kernels;
}

TEST(GpuLadder, RecordsWhatTheCpuDoes) {
    if (!can_record_on_gpu()) GTEST_SKIP() << "there is no GPU, or no nvcc";
    for (const KernelInfo& kernel : kernels_of_the_gpu()) {
        const int tile = kernel.tiles[kernel.tiles.size() / 2];
        compare(kernel.id, parameters_for(kernel, tile, kernel.pads.back()));
    }
}

// A test for each kernel, so that several processes can share them.
class EveryVariant : public testing::TestWithParam<KernelInfo> {};

TEST_P(EveryVariant, DISABLED_RecordsWhatTheCpuDoes) {
    if (!can_record_on_gpu()) GTEST_SKIP() << "there is no GPU, or no nvcc";
    const KernelInfo& kernel = GetParam();
    for (const int tile : kernel.tiles)
        for (const int pad : kernel.pads) compare(kernel.id, parameters_for(kernel, tile, pad));
}

INSTANTIATE_TEST_SUITE_P(GpuLadder, EveryVariant, testing::ValuesIn(kernels_of_the_gpu()),
                         [](const auto& kernel) { return "of_" + std::string(kernel.param.id); });

}  // namespace
}  // namespace tilereel::plain
