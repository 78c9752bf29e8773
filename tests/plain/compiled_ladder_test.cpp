// Kernels of the ladder at a TILE and PAD that are not built in: compiled on the spot, against the
// dialect's kernel, instantiated here with the same TILE and PAD and recorded by the emulator.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/plain/ladder.h"
#include "instrumentation/record/emulated_kernel.h"
#include "instrumentation/record/kernel_of_trace.h"
#include "instrumentation/record/record_plan.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/variants.h"
#include "ladder_kernels.h"

namespace tilereel::plain {
namespace {

using ::testing::HasSubstr;

RecordRequest request_for(std::string_view kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.workers = 2;
    return request;
}

// As the emulator records the dialect's kernel, whether or not it is built in.
Trace emulated(const RecordRequest& request, KernelBody body) {
    const Result<RequestedLaunch> launch = launch_of(request);
    EXPECT_TRUE(launch) << (launch ? "" : launch.error().message);
    EmulatedLaunch emulated;
    emulated.launch = traced_launch(*launch, request);
    emulated.body = body;
    emulated.dynamic_shared_bytes = launch->shape.dynamic_shared_bytes;
    Result<Trace> trace = emulate(emulated, inputs_of(request));
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
    return std::move(trace).value();
}

// Lines are numbered anew: the two files do not have the same ones.
std::vector<std::uint32_t> lines_of(const Trace& trace) {
    std::set<std::uint32_t> lines;
    for (const Site& site : trace.sites) lines.insert(site.line);
    return {lines.begin(), lines.end()};
}

std::string words_of(const Trace& trace, std::size_t record) {
    const Site& site = trace.sites[site_of(trace, record)];
    const std::vector<std::uint32_t> lines = lines_of(trace);
    const LaneOffsets lanes = lane_offsets(trace, record);
    std::string text = "line " +
                       std::to_string(std::ranges::find(lines, site.line) - lines.begin()) +
                       " operation " + std::to_string(static_cast<int>(site.operation)) +
                       " array " + std::to_string(site.array) + " width " +
                       std::to_string(site.width_bytes) + " lanes " + std::to_string(lanes.mask);
    for (const std::uint32_t offset : lanes.bytes) text += " " + std::to_string(offset);
    return text;
}

void expect_same(const Trace& ours, const Trace& theirs) {
    EXPECT_EQ(ours.launch.grid, theirs.launch.grid);
    EXPECT_EQ(ours.launch.block, theirs.launch.block);
    EXPECT_EQ(ours.launch.shared_bytes, theirs.launch.shared_bytes);
    EXPECT_EQ(ours.a, theirs.a);
    EXPECT_EQ(ours.b, theirs.b);
    EXPECT_EQ(ours.c, theirs.c);
    ASSERT_EQ(ours.arrays.size(), theirs.arrays.size());
    for (std::size_t i = 0; i < ours.arrays.size(); ++i) {
        const Array &a = ours.arrays[i], &b = theirs.arrays[i];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.space, b.space) << a.name;
        EXPECT_EQ(a.rows, b.rows) << a.name;
        EXPECT_EQ(a.columns, b.columns) << a.name;
        EXPECT_EQ(a.leading_dimension, b.leading_dimension) << a.name;
        EXPECT_EQ(a.base_bytes, b.base_bytes) << a.name;
        EXPECT_EQ(a.outer_extents, b.outer_extents) << a.name;
    }
    EXPECT_EQ(ours.segments.block, theirs.segments.block);
    EXPECT_EQ(ours.segments.epoch, theirs.segments.epoch);
    EXPECT_EQ(ours.segments.warp, theirs.segments.warp);
    EXPECT_EQ(ours.segments.record_begin, theirs.segments.record_begin);
    EXPECT_EQ(ours.accumulators, theirs.accumulators);
    EXPECT_EQ(ours.words, theirs.words);
    ASSERT_EQ(ours.records.size(), theirs.records.size());
    for (std::size_t i = 0; i < ours.records.size(); ++i)
        ASSERT_EQ(words_of(ours, i), words_of(theirs, i)) << "record " << i;
}

void compare(const char* kernel, const KernelParameters& parameters, KernelBody body) {
    SCOPED_TRACE(std::string(kernel) + " TILE " + std::to_string(parameters.tile) + " PAD " +
                 std::to_string(parameters.pad));
    const RecordRequest request = request_for(kernel, parameters);
    const Result<Trace> compiled = record_ladder(request);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_EQ(compiled->launch.kernel, kernel);
    EXPECT_EQ(compiled->launch.tile, static_cast<std::uint32_t>(parameters.tile));
    EXPECT_EQ(compiled->launch.pad, static_cast<std::uint32_t>(parameters.pad));
    EXPECT_EQ(compiled->source, find_kernel(kernel)->plain_source);
    EXPECT_EQ(compiled->wrong_elements, 0u);
    expect_same(*compiled, emulated(request, body));
}

TEST(CompiledLadder, RecordsWhatTheEmulatorWould) {
    compare("09_tiled", {.m = 26, .n = 39, .k = 26, .tile = 13, .pad = 3}, body_of<tiled<13, 3>>);
    compare("10_tiled_any_size", {.m = 17, .n = 11, .k = 14, .tile = 10, .pad = 16},
            body_of<tiled_any_size<10, 16>>);
    compare("11_tiled_dynamic", {.m = 24, .n = 12, .k = 24, .tile = 12, .pad = 3},
            body_of<tiled_dynamic<3>>);
    compare("06_single_block", {.m = 9, .n = 7, .k = 5, .tile = 16, .pad = 5},
            body_of<single_block<5>>);
    compare("16_vectorized", {.m = 32, .n = 16, .k = 16, .tile = 16, .pad = 16},
            body_of<vectorized<16, 16>>);
}

}  // namespace
}  // namespace tilereel::plain
