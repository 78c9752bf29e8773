// Memory that changes where no record stores: a launch that writes in a way that is not counted.
#include "app/exercise/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/trace_builder.h"

namespace tilereel::outputs_test {
namespace {

using ::testing::HasSubstr;

// One warp stores 32 floats from the first on; the array has 33.
Trace stored() {
    TraceBuilder builder;
    const ArrayId out = builder.add_array("out", Space::kGlobal, 1, 33);
    builder.begin_segment(0, 0, 0);
    builder.access(Operation::kStore, out, [](int lane) { return std::uint32_t(4 * lane); });
    Trace trace = builder.take();
    trace.arrays[out].first_bytes.assign(33 * 4, std::byte{0});
    trace.arrays[out].last_bytes = trace.arrays[out].first_bytes;
    return trace;
}

TEST(Outputs, AStoreExplainsAChange) {
    Trace trace = stored();
    for (std::size_t byte = 0; byte < 32 * 4; ++byte)
        trace.arrays[0].last_bytes[byte] = std::byte{7};
    EXPECT_EQ(uncounted_change(trace), "");
}

TEST(Outputs, AChangeWithoutAStoreIsNamed) {
    Trace trace = stored();
    trace.arrays[0].last_bytes[32 * 4 + 3] = std::byte{7};
    EXPECT_THAT(uncounted_change(trace), HasSubstr("out changed where no counted store wrote"));
}

}  // namespace
}  // namespace tilereel::outputs_test
