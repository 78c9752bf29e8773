// Hazards in recordings of the ladder; program_hazards_test.cpp has small programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "kernels/catalog.h"
#include "kernels/openings.h"

namespace tilereel::hazards_on_kernels_test {
namespace {

using ::testing::IsEmpty;

// At every TILE, on every GPU, at the sizes nearest to 32 x 32 x 32 that the kernel takes.
TEST(HazardsOnKernels, TheLadderHasNone) {
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles) {
            std::optional<KernelParameters> takes;
            for (const int k : {32, tile, 64})
                for (const int n : {32, 64, 128, 256})
                    if (const KernelParameters p{.m = n, .n = n, .k = k, .tile = tile};
                        !takes && validate(kernel, p))
                        takes = p;
            ASSERT_TRUE(takes) << kernel.id << " takes none of these sizes";
            RecordRequest request;
            request.kernel = kernel.id;
            request.parameters = *takes;
            const Result<Trace> trace = record_built_in(request);
            ASSERT_TRUE(trace) << trace.error().message;
            for (const Generation& generation : generations())
                EXPECT_THAT(find_hazards(*trace, generation), IsEmpty())
                    << kernel.id << " TILE " << tile << " on " << generation.title;
        }
}

// At the sizes with which the window opens a kernel: pipelines go round all of their buffers there.
TEST(HazardsOnKernels, TheLadderHasNoneAtTheSizesThatItOpensWith) {
    for (const KernelInfo& kernel : catalog()) {
        RecordRequest request;
        request.kernel = kernel.id;
        request.parameters = opening_of(kernel);
        const Result<Trace> trace = record_built_in(request);
        ASSERT_TRUE(trace) << trace.error().message;
        EXPECT_THAT(find_hazards(*trace), IsEmpty()) << kernel.id;
    }
}

}  // namespace
}  // namespace tilereel::hazards_on_kernels_test
