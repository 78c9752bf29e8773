// The table of operations against FORMAT.md, which states the same for readers of trace files.
#include "instrumentation/trace/operations.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/trace/views.h"

namespace tilereel::operations_test {
namespace {

std::string format_document() {
    std::ifstream in(TILEREEL_SOURCE_DIR "/instrumentation/trace/FORMAT.md");
    return {std::istreambuf_iterator<char>(in), {}};
}

// The numbers in a text: "0 load, 1 store" has 0 and 1.
std::set<std::size_t> numbers_in(const std::string& text) {
    std::set<std::size_t> found;
    for (std::size_t at = 0; at < text.size();) {
        if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
            ++at;
            continue;
        }
        std::size_t digits = 0;
        found.insert(std::stoul(text.substr(at), &digits));
        at += digits;
    }
    return found;
}

// The first cells of the table below "### Operations".
std::set<std::size_t> documented_operations() {
    const std::string text = format_document();
    std::set<std::size_t> found;
    std::size_t at = text.find("| --- |", text.find("### Operations"));
    for (at = text.find('\n', at) + 1; text[at] == '|'; at = text.find('\n', at) + 1)
        found.merge(numbers_in(text.substr(at + 1, text.find('|', at + 1) - at - 1)));
    return found;
}

TEST(Operations, AreThoseOfTheFormat) {
    std::set<std::size_t> rows;
    for (const OperationFacts& facts : kOperations)
        rows.insert(static_cast<std::size_t>(facts.operation));
    EXPECT_EQ(documented_operations(), rows);
}

// "Every access (0, 1, 5, 6, 13) lies inside its array"
TEST(Operations, AccessesAreThoseOfTheFormat) {
    const std::string text = format_document();
    const std::size_t begin = text.find('(', text.find("Every access ("));
    const std::set<std::size_t> documented =
        numbers_in(text.substr(begin, text.find(')', begin) - begin));
    std::set<std::size_t> accesses;
    for (const OperationFacts& facts : kOperations)
        if (is_access(facts.operation)) accesses.insert(static_cast<std::size_t>(facts.operation));
    EXPECT_EQ(accesses, documented);
}

TEST(Operations, AccessesHaveTheirWordsAndOffsets) {
    std::set<std::string_view> names;
    for (const OperationFacts& facts : kOperations) {
        const OperationWords& words = facts.words;
        EXPECT_TRUE(names.insert(words.name).second) << words.name << " twice";
        const bool access = is_access(facts.operation);
        EXPECT_EQ(facts.base == BaseMeaning::kOffset, access) << words.name;
        EXPECT_EQ(facts.part == PhasePart::kAccess, access) << words.name;
        for (const std::string_view word : {words.access, words.request, words.moment})
            EXPECT_EQ(!word.empty(), access) << words.name;
        // A warpgroup's product has no address, but what it reads is modelled and may race.
        const bool may_race = access || facts.operation == Operation::kMatrixProduct;
        EXPECT_EQ(!words.hazard.empty(), may_race) << words.name;
        // What is stored must be known, or the replay could not show the memory after it.
        EXPECT_EQ(facts.values == Values::kAlways, writes(facts.operation)) << words.name;
    }
}

TEST(Views, LanesAreTheBitsOfTheMask) {
    const auto lanes = [](std::uint32_t mask) {
        std::vector<std::uint32_t> found;
        for (const std::uint32_t lane : lanes_in(mask)) found.push_back(lane);
        return found;
    };
    EXPECT_EQ(lanes(0), std::vector<std::uint32_t>{});
    EXPECT_EQ(lanes(0x8000'0005), (std::vector<std::uint32_t>{0, 2, 31}));
    EXPECT_EQ(lanes(0xffff'ffff).size(), 32u);
}

TEST(Views, RecordsOfASegmentAreItsOwn) {
    Segments segments;
    segments.block = {0, 0, 0};
    segments.record_begin = {0, 2, 2, 5};
    const auto records = [&](auto which) {
        std::vector<std::uint64_t> found;
        for (const std::uint64_t record : records_of(segments, which)) found.push_back(record);
        return found;
    };
    EXPECT_EQ(records(std::size_t{0}), (std::vector<std::uint64_t>{0, 1}));
    EXPECT_EQ(records(std::size_t{1}), std::vector<std::uint64_t>{});
    EXPECT_EQ(records(SegmentRange{1, 3}), (std::vector<std::uint64_t>{2, 3, 4}));
}

}  // namespace
}  // namespace tilereel::operations_test
