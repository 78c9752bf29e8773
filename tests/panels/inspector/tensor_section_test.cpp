// What the inspector says of a lane and the rows of a matrix load. Expected: PTX ISA, "ldmatrix":
// the address of row i of matrix m comes from lane 8 m + i; row i goes to lanes 4 i to 4 i + 3.
#include "app/panels/inspector/tensor_section.h"

#include <gtest/gtest.h>

#include "tests/trace/tensor_traces.h"

namespace tilereel::tensor_section_test {
namespace {

TensorMoment moment_of(const Trace& trace, std::uint32_t line) {
    auto replay = Replay::of_block(trace, 0);
    for (const Step& step : replay->schedule().steps)
        if (trace.sites[step.site].line == line) {
            replay->seek(step.begin);
            return *tensor_moment(*replay, std::nullopt, 0, 0);
        }
    return {};
}

TEST(TensorSection, TheLaneThatNamesARowIsNotTheLaneThatGetsIt) {
    const Trace trace = tests::tensor_trace();
    const TensorMoment load_a = moment_of(trace, 7), load_b = moment_of(trace, 8);
    EXPECT_EQ(address_sentence(load_a, 13),
              "It names the address of row 5 of matrix 1, and gets parts of row 3 of each matrix.");
    EXPECT_EQ(address_sentence(load_b, 13),
              "It names the address of row 5 of matrix 1, and gets parts of row 3 of each matrix.");
    EXPECT_EQ(address_sentence(load_b, 31),  // .x2: 16 lanes name addresses, 32 get elements
              "It names no address, and gets parts of row 7 of each matrix.");
}

// With .trans a lane gets two elements of a column.
TEST(TensorSection, ATransposedLoadGivesColumns) {
    const Trace trace = tests::tensor_trace({.transposes = true});
    EXPECT_EQ(address_sentence(moment_of(trace, 8), 9),
              "It names the address of row 1 of matrix 1, and gets parts of column 2 of each "
              "matrix.");
}

TEST(TensorSection, OtherRequestsNameNoRows) {
    EXPECT_EQ(address_sentence(moment_of(tests::tensor_trace(), 11), 0), "");
}

}  // namespace
}  // namespace tilereel::tensor_section_test
