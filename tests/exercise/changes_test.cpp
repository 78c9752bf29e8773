// What a submission does better than what was handed out.
#include "app/exercise/changes.h"

#include <gtest/gtest.h>

namespace tilereel::tests::changes_test {
namespace {

RunFacts facts(double sectors, double conflicts, std::uint64_t wrong, std::size_t errors) {
    RunFacts run;
    run.counters = {{"global_load.sectors", sectors},
                    {"global_store.sectors", 0},
                    {"shared.bank_conflicts", conflicts}};
    run.outputs = {{.name = "C", .elements = 4096, .wrong = wrong, .sentence = {}}};
    run.errors.resize(errors);
    return run;
}

TEST(Changes, NameElementsErrorsAndCounts) {
    EXPECT_EQ(changes_text({facts(1600, 0, 3532, 2)}, {facts(100, 0, 0, 0)}),
              "3,532 elements right, 2 errors gone, sectors \xc3\xb7 16");
    EXPECT_EQ(changes_text({facts(64, 31744, 1, 1)}, {facts(64, 0, 0, 0)}),
              "1 element right, 1 error gone, bank conflicts 31,744 to 0");
}

// Runs at several sizes count together.
TEST(Changes, AreThoseOfAllRuns) {
    EXPECT_EQ(changes_text({facts(100, 0, 10, 0), facts(300, 0, 20, 0)},
                           {facts(100, 0, 0, 0), facts(100, 0, 0, 0)}),
              "30 elements right, sectors \xc3\xb7 2");
}

// Padding may cost a few sectors more: that is no success. Nor is a difference of a few per cent.
TEST(Changes, WhatIsNotBetterIsNotNamed) {
    EXPECT_EQ(changes_text({facts(100, 0, 0, 0)}, {facts(200, 0, 0, 0)}), "");
    EXPECT_EQ(changes_text({facts(100, 0, 0, 0)}, {facts(97, 0, 0, 0)}), "");
    EXPECT_EQ(changes_text({facts(100, 5, 7, 1)}, {facts(100, 5, 7, 1)}), "");
    EXPECT_EQ(changes_text({}, {}), "");
}

}  // namespace
}  // namespace tilereel::tests::changes_test
