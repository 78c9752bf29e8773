// Terms of the field in texts of exercises.
#include "app/lesson/glossary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tilereel::glossary_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> found(std::string_view text) {
    std::vector<std::string> all;
    for (const TermPlace& each : terms_in(text))
        all.push_back(std::string(each.term->name) + "=" +
                      std::string(text.substr(each.begin, each.end - each.begin)));
    return all;
}

TEST(Glossary, FindsTermsInChecks) {
    EXPECT_THAT(found("global_load.sectors <= rows * columns / 8"), ElementsAre("sector=sectors"));
    EXPECT_THAT(found("shared.bank_conflicts == 0"), ElementsAre("bank conflict=bank_conflicts"));
    EXPECT_THAT(found("barriers per phase <= 2"), ElementsAre("barrier=barriers", "phase=phase"));
    EXPECT_THAT(found("lanes on >= 70 %"), ElementsAre("lanes on=lanes on"));
    EXPECT_THAT(found("at least 8 x fewer global_atomic.accesses than handed out"),
                ElementsAre("atomic=atomic", "access=accesses"));
}

TEST(Glossary, FindsTheFirstPlaceOfEachTermInSentences) {
    EXPECT_THAT(found("Each warp waits: a Warp, and two warps at a bank, in shared memory."),
                ElementsAre("warp=warp", "bank=bank", "shared memory=shared memory"));
    EXPECT_THAT(found("bankers, blockIdx.x, relaunched, shared, memory"), IsEmpty());
    EXPECT_THAT(found(""), IsEmpty());
}

TEST(Glossary, EachTermIsOneSentenceAboutItself) {
    std::set<std::string_view> names;
    for (const Term& each : glossary()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_TRUE(each.meaning.ends_with('.')) << each.name;
        EXPECT_EQ(each.meaning.find(". "), std::string_view::npos) << each.name;
        EXPECT_LE(each.meaning.size(), 160u) << each.name;
    }
}

}  // namespace
}  // namespace tilereel::glossary_test
