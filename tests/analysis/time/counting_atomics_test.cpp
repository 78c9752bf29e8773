// Atomics by which threads count: the values that they leave follow one another.
#include "instrumentation/analysis/time/counting_atomics.h"

#include <gtest/gtest.h>

#include "tests/analysis/trace_builder.h"

namespace tilereel::counting_atomics_test {
namespace {

// A block of two warps; all lanes add to one of `bins` words, `by` each.
Trace histogram(Space space, std::uint32_t bins, std::uint32_t by, ElementType type) {
    TraceBuilder builder;
    const ArrayId array = builder.add_array("own", space, 1, 64);
    std::vector<std::uint32_t> counts(bins), words;
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        builder.begin_segment(0, 0, warp);
        builder.access(Operation::kAtomic, array,
                       [&](int lane) { return 4 * (static_cast<std::uint32_t>(lane) % bins); });
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            words.push_back(counts[lane % bins] += by);
    }
    Trace trace = builder.take();
    trace.arrays[array].type = type;
    trace.words = words;
    for (std::uint16_t& site : trace.records.site) site |= 0x8000;
    trace.segments.value_begin = {0, kWarpSize, 2 * kWarpSize};
    return trace;
}

TEST(CountingAtomics, AddOneToIntegers) {
    EXPECT_TRUE(counting_sites(histogram(Space::kShared, 5, 1, ElementType::kUint32), 0).at(0));
    EXPECT_TRUE(counting_sites(histogram(Space::kShared, 1, 1, ElementType::kInt32), 0).at(0));
}

TEST(CountingAtomics, AddMoreThanOne) {
    EXPECT_FALSE(counting_sites(histogram(Space::kShared, 5, 3, ElementType::kUint32), 0).at(0));
}

TEST(CountingAtomics, OfOtherTypesOrInGlobalMemory) {
    EXPECT_FALSE(counting_sites(histogram(Space::kShared, 5, 1, ElementType::kFloat32), 0).at(0));
    EXPECT_FALSE(counting_sites(histogram(Space::kGlobal, 5, 1, ElementType::kUint32), 0).at(0));
}

}  // namespace
}  // namespace tilereel::counting_atomics_test
