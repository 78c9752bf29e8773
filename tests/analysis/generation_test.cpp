#include "instrumentation/analysis/generation.h"

#include <gtest/gtest.h>

namespace tilereel {
namespace {

TEST(Generation, TheDefaultIsTheOneMeasured) {
    EXPECT_EQ(default_generation().id, "9.0");
    EXPECT_EQ(default_generation().banks, 32);
    EXPECT_EQ(default_generation().sector_bytes, 32);
    EXPECT_EQ(default_generation().line_bytes, 128);
}

TEST(Generation, EveryGenerationIsFoundByItsId) {
    for (const Generation& generation : generations())
        EXPECT_EQ(find_generation(generation.id), &generation);
    EXPECT_NE(find_generation("5.0"), nullptr);
    EXPECT_EQ(find_generation("9.9"), nullptr);
    EXPECT_EQ(find_generation(""), nullptr);
}

}  // namespace
}  // namespace tilereel
