// What one process writes, the other reads. The expected values are the rules in
// instrumentation/contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "instrumentation/contract/message_line.h"
#include "instrumentation/contract/record_options.h"
#include "instrumentation/program/read_message.h"

namespace tilereel::program::contract_test {
namespace {

using contract::line_of;
using contract::Options;
using testing::ElementsAre;

Options unusual_options() {
    return {.folder = "/tmp/a;b=100%\n",
            .pipe = 3,
            .memory_file = 4,
            .generation = "8.6",
            .compiler = "g++ 12",
            .launch = 0,
            .blocks = {0, 1, 2, 3, 7, 4294967294, 4294967295},
            .more_blocks = {{3, 17}, {3, 18}},
            .accesses_a_launch = 1,
            .accesses_of_sample = 2,
            .accesses = ~std::uint64_t{0},
            .independent_blocks = true,
            .other_blocks = false,
            .all_blocks = true,
            .assignments = false,
            .contents = false,
            .interval = 5,
            .workers = 6};
}

TEST(ContractOptions, AreReadAsTheyWereWritten) {
    const std::string text = contract::text_of(unusual_options());
    EXPECT_EQ(
        text,
        "folder=/tmp/a%3bb=100%25%0a;pipe=3;memory_file=4;generation=8.6;compiler=g++ 12;"
        "launch=0;blocks=0-3,7,4294967294-4294967295;more_blocks=3:17,3:18;"
        "accesses_a_launch=1;accesses_of_sample=2;accesses=18446744073709551615;"
        "independent_blocks=1;other_blocks=0;all_blocks=1;assignments=0;contents=0;interval=5;"
        "workers=6;");
    const Options read = contract::read_options(text.c_str());
    EXPECT_EQ(read.folder, unusual_options().folder);
    EXPECT_THAT(read.blocks, ElementsAre(0, 1, 2, 3, 7, 4294967294, 4294967295));
    EXPECT_EQ(contract::text_of(read), text);
}

TEST(ContractOptions, ThatAreTheDefaultAreNotWritten) {
    EXPECT_EQ(contract::text_of({.folder = "/tmp/a"}), "folder=/tmp/a;");
    EXPECT_EQ(contract::text_of(contract::read_options(nullptr)), "folder=;");
    EXPECT_TRUE(
        contract::text_of(unusual_options()).starts_with(contract::begin_of(unusual_options())));
}

TEST(ContractOptions, ThatCannotBeReadHaveTheirDefault) {
    const Options usual;
    for (const char* const text : {"",
                                   ";",
                                   "=",
                                   "pipe",
                                   "pipe=",
                                   "pipe=x",
                                   "pipe=3x",
                                   "pipe=99999999999",
                                   "launch=",
                                   "unknown=3",
                                   "blocks=",
                                   "blocks=-1",
                                   "blocks=3-1",
                                   "blocks=0-4294967295",
                                   "blocks=x",
                                   "more_blocks=1",
                                   "more_blocks=1:",
                                   "more_blocks=:1",
                                   "workers=-1",
                                   "generation=9.0"})
        EXPECT_EQ(contract::text_of(contract::read_options(text)), contract::text_of(usual))
            << text;
    EXPECT_EQ(contract::read_options("folder=%").folder, "%");
    EXPECT_EQ(contract::read_options("folder=%4").folder, "%4");
    EXPECT_EQ(contract::read_options("folder=%zz%41").folder, "%zzA");
}

// What is read of the line has the same line.
template <class Message>
void expect_same(const Message& message, const std::string& line) {
    EXPECT_EQ(line_of(message), line + "\n");
    const auto read = read_message(line);
    ASSERT_TRUE(read) << line;
    ASSERT_TRUE(std::holds_alternative<Message>(*read)) << line;
    EXPECT_EQ(line_of(std::get<Message>(*read)), line + "\n");
}

TEST(ContractMessages, AreReadAsTheyWereWritten) {
    const contract::LaunchCall call{.kernel = "k<int, \"\\\x01>",
                                    .file = "a.cu",
                                    .line = 3,
                                    .grid = {3, 2, 1},
                                    .block = {32, 1, 1},
                                    .shared_bytes = 9};
    const std::string words =
        R"("number":7,"kernel":"k<int, \"\\\u0001>","file":"a.cu","line":3,"grid":[3,2,1],)"
        R"("block":[32,1,1],"shared":9)";
    expect_same(contract::Piece{}, R"({"kind":"piece"})");
    expect_same(contract::Start{7, {}}, R"({"kind":"start","number":7})");
    expect_same(contract::Start{7, call}, R"({"kind":"start",)" + words + "}");
    expect_same(contract::Progress{.of = 8, .done = 8}, R"({"kind":"progress","of":8,"done":8})");
    expect_same(contract::LeftOut{{7, 1, 2}},
                R"({"kind":"left_out","number":7,"blocks":1,"seconds":2})");
    expect_same(contract::Rest{{7, 1, 2}}, R"({"kind":"rest","number":7,"blocks":1,"seconds":2})");
    expect_same(contract::Launch{.number = 7, .call = call}, R"({"kind":"launch",)" + words + "}");
    expect_same(
        contract::Launch{.number = 7,
                         .call = call,
                         .recorded = 6,
                         .unhooked = 5,
                         .accesses = ~std::uint64_t{0},
                         .chosen = {0, 5},
                         .cut = {5},
                         .trace = "t",
                         .handed_over = true,
                         .sums = {4, 3},
                         .barriers = {2},
                         .textures = true,
                         .uses_cub = true,
                         .unrecorded = true,
                         .reason = "r",
                         .reason_kind = "rk",
                         .advice = "a",
                         .whole = false,
                         .called_from = 4096},
        R"({"kind":"launch",)" + words +
            R"(,"recorded":6,"unhooked":5,"accesses":18446744073709551615,"chosen":[0,5],"cut":[5],)"
            R"("trace":"t","handed_over":1,"sums":[4,3],"barriers":[2],"textures":1,"uses_cub":1,)"
            R"("unrecorded":1,"reason":"r","reason_kind":"rk","advice":"a","whole":0,)"
            R"("called_from":4096})");
    expect_same(contract::LaunchFinding{7, {.kind = "k", .what = "w", .advice = "a", .line = 3}},
                R"({"kind":"launch_finding","number":7,"what_kind":"k","what":"w","advice":"a",)"
                R"("line":3})");
    expect_same(contract::Finding{{.what = "w", .error = false}},
                R"({"kind":"finding","what":"w","error":0})");
    expect_same(contract::OnHost{"cub::Sum"}, R"({"kind":"on_host","name":"cub::Sum"})");
    expect_same(contract::Stopped{7}, R"({"kind":"stopped","launch":7})");
    expect_same(contract::WrongCall{"w"}, R"({"kind":"wrong_call","why":"w"})");
    expect_same(contract::RecorderFailed{"w"}, R"({"kind":"recorder_failed","why":"w"})");
    expect_same(contract::End{7}, R"({"kind":"end","process":7})");
}

TEST(ContractMessages, ThatTheRecorderDoesNotWriteAreRefused) {
    for (const char* const line : {"",
                                   "no JSON",
                                   "[]",
                                   "3",
                                   "{}",
                                   R"({"kind":3})",
                                   R"({"kind":"unknown"})",
                                   R"({"kind":"start"})",
                                   R"({"kind":"start","number":-1})",
                                   R"({"kind":"start","number":7,"file":"a.cu"})",
                                   R"({"kind":"progress","of":8})",
                                   R"({"kind":"progress","of":8,"done":9})",
                                   R"({"kind":"stopped","launch":4294967296})",
                                   R"({"kind":"end","process":0.5})",
                                   R"({"kind":"on_host","name":"a b"})",
                                   R"({"kind":"finding"})",
                                   R"({"kind":"finding","what":3})",
                                   R"({"kind":"finding","what":"w","error":true})",
                                   R"({"kind":"finding","what":"w","line":-3})",
                                   R"({"kind":"recorder_failed"})"})
        EXPECT_FALSE(read_message(line)) << line;
}

// A launch that no GPU runs has no blocks.
TEST(ContractMessages, BlocksOfALaunchAreInItsGrid) {
    const auto launch = [](const char* grid, const char* block, const char* fields) {
        return bool(read_message(
            std::string(
                R"({"kind":"launch","number":0,"kernel":"k","file":"","line":0,"shared":0,)") +
            R"("grid":)" + grid + R"(,"block":)" + block + fields + "}"));
    };
    EXPECT_TRUE(launch("[3,2,1]", "[1024,1,1]", R"(,"chosen":[5])"));
    EXPECT_TRUE(
        launch("[2147483647,65535,65535]", "[1,1,1]", R"(,"recorded":9000000000000000000)"));
    EXPECT_FALSE(launch("[3,2,1]", "[1024,1,1]", R"(,"chosen":[6])"));
    EXPECT_FALSE(launch("[3,2,1]", "[1024,1,1]", R"(,"cut":[1,1])"));
    EXPECT_FALSE(launch("[3,2,1]", "[1024,1,1]", R"(,"unhooked":7)"));
    for (const char* const block : {"[1025,1,1]", "[32,33,1]", "[65536,65536,1]", "[0,1,1]"}) {
        EXPECT_TRUE(launch("[1,1,1]", "[1,1,1]", R"(,"recorded":1)"));
        EXPECT_EQ(launch("[1,1,1]", block, R"(,"recorded":1)"), block[1] == '0') << block;
    }
    EXPECT_FALSE(launch("[0,1,1]", "[1,1,1]", R"(,"chosen":[0])"));
    EXPECT_FALSE(launch("[1,65536,1]", "[1,1,1]", R"(,"chosen":[0])"));
    EXPECT_FALSE(launch("[1,1]", "[1,1,1]", ""));
}

TEST(ContractMessages, ALineCanBeWrittenWithoutMemory) {
    contract::FixedText<40> text;
    contract::LineWriter(text).write(contract::RecorderFailedOf<std::string_view>{"\"no\""});
    EXPECT_EQ(std::string(text.data(), text.size()),
              std::string(R"({"kind":"recorder_failed","why":"\"no\""})"
                          "\n")
                  .substr(0, 40));
}

// A text of any length cannot fill a terminal. It is cut between letters.
TEST(Contract, LongTextsAreCut) {
    std::string why = "x";
    for (int i = 0; i < 40'000; ++i) why += "\u00e4";  // two bytes each
    const auto message = read_message(R"({"kind":"recorder_failed","why":")" + why + "\"}");
    ASSERT_TRUE(message && std::holds_alternative<contract::RecorderFailed>(*message));
    const std::string& read = std::get<contract::RecorderFailed>(*message).why;
    EXPECT_EQ(read.size(), contract::kMostTextBytes - 1 + 3);
    EXPECT_EQ(read.substr(read.size() - 5), "\u00e4...");
}

}  // namespace
}  // namespace tilereel::program::contract_test
