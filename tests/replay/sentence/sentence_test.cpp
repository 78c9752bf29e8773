// Every number and name of every sentence, read back from the text and held against the kernels'
// index arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"
#include "app/replay/sentence/sentence_facts.h"
#include "tests/replay/kernel_script.h"
#include "tests/replay/sentence/sentence_checker.h"
#include "tests/replay/sentence/sentence_parser.h"

namespace tilereel::sentence_test {
namespace {

void check_every_sentence(const std::string& kernel, const ScriptSize& size, const Trace& trace) {
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        const Script script = script_of(kernel, size, static_cast<int>(block % trace.launch.grid.x),
                                        static_cast<int>(block / trace.launch.grid.x));
        const std::vector<ScheduledRequest> schedule = schedule_of(script);
        Result<Replay> replay = Replay::of_block(trace, block);
        for (const ScheduledRequest& request : schedule) {
            for (const std::size_t tick : {request.begin, request.begin + request.ticks - 1}) {
                replay->seek(tick);
                const std::string text = plain_text(replay->sentence());
                SCOPED_TRACE(kernel + " tile " + std::to_string(size.tile) + " pad " +
                             std::to_string(size.pad) + " block " + std::to_string(block) +
                             " tick " + std::to_string(tick) + ": " + text);
                const std::optional<ParsedSentence> said = parse_sentence(text);
                ASSERT_TRUE(said.has_value());
                check_sentence(script, request, *said);
                EXPECT_TRUE(counts_agree(text));
                // One line at 1920 pixels, and two if lanes are off.
                EXPECT_LE(text.size(), said->off == 0 ? 180u : 210u);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(Sentence, IsRightAtEveryStepOf16) {
    for (const std::string kernel : {"01", "02", "08", "09"})
        for (const int tile : {2, 4, 8, 16, 32})
            for (const int pad : {0, 1, 2}) {
                const bool tiled = kernel == "08" || kernel == "09";
                if ((tiled && tile > 16) || (!tiled && pad > 0)) continue;
                const ScriptSize size{16, 16, 16, tile, pad};
                check_every_sentence(kernel, size, trace_of(kernel, size));
                if (HasFailure()) return;
            }
}

TEST(Sentence, IsRightAtTheEdgesOfOddShapes) {
    for (const std::string kernel : {"01", "02"})
        for (const ScriptSize size : {ScriptSize{9, 21, 5, 8}, ScriptSize{1, 1, 3, 4},
                                      ScriptSize{33, 2, 2, 32}, ScriptSize{7, 70, 1, 16}})
            check_every_sentence(kernel, size, trace_of(kernel, size));
}

// On recordings of the kernels' own sources, not on traces made by the script.
TEST(Sentence, IsRightOnRecordedTraces) {
    const std::pair<std::string, std::string> kernels[] = {{"01", "01_naive_by_column"},
                                                           {"02", "02_naive"},
                                                           {"08", "08_tiled_b_transposed"},
                                                           {"09", "09_tiled"}};
    for (const auto& [kernel, id] : kernels)
        for (const int tile : {2, 4, 8, 16}) {
            const int pad = kernel < "08" ? 0 : tile % 3;
            RecordRequest request;
            request.kernel = id;
            request.parameters = {16, 16, 16, tile, pad};
            const Result<Trace> trace = record_built_in(request);
            ASSERT_TRUE(trace.has_value()) << trace.error().message;
            check_every_sentence(kernel, {16, 16, 16, tile, pad}, *trace);
            if (HasFailure()) return;
        }
}

TEST(Sentence, IsRightWith32WayConflicts) {
    for (const int pad : {0, 1, 2}) {
        const ScriptSize size{32, 32, 32, 32, pad};
        check_every_sentence("08", size, trace_of("08", size));
    }
}

std::string text_at(const std::string& kernel, const ScriptSize& size, std::uint32_t block,
                    Tick tick) {
    const Trace trace = trace_of(kernel, size);
    Result<Replay> replay = Replay::of_block(trace, block);
    replay->seek(tick);
    return plain_text(replay->sentence());
}

TEST(Sentence, TellsTheScenesOfTheScreens) {
    EXPECT_EQ(text_at("09", {16, 16, 16, 4}, 6, 18),
              "Warp 0 loads its tile of B: 16 lanes ask for 64 bytes in 4 rows of the matrix, so 4 "
              "sectors move 128 bytes and half of them go unused.");
    EXPECT_EQ(text_at("09", {16, 16, 16, 8}, 1, 55),
              "Warp 0 has stored its half of both tiles and waits at the barrier; warp 1 still "
              "stores rows 4 to 7 of Bs, 32 lanes to 32 banks in 1 wavefront.");
    // The store of Bs ends at 32 + 32 + 32 + 32 * 32; a round of As reads is 32, of Bs reads 1,024.
    EXPECT_EQ(text_at("08", {32, 32, 32, 32}, 0, 1120 + 5 * 1056 + 32 + 3 * 32 + 7),
              "Warp 3 reads column 5 of Bs: 32 lanes want 32 different words of bank 5, so the "
              "read takes 32 wavefronts instead of 1.");
    EXPECT_EQ(text_at("08", {32, 32, 32, 32}, 0, 1120),
              "Warp 0 reads As: all 32 lanes read the same word As[0][0], so one wavefront serves "
              "them all.");
}

// 14 has two buffers, As[2][16][16]. A sentence about a buffer names the buffer and counts rows
// from its start.
TEST(Sentence, NamesTheBufferOfAnArrayWithSeveral) {
    RecordRequest request;
    request.kernel = "14_outer_product_prefetch";
    request.parameters = {.m = 16, .n = 64, .k = 32, .tile = 16, .pad = 0};
    const Trace trace = record_built_in(request).value();
    Replay replay = Replay::of_block(trace, 0).value();
    std::set<std::string> said;
    for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
        replay.seek(tick);
        said.insert(plain_text(replay.sentence()));
    }
    const auto any = [&](const std::string& part) {
        return std::ranges::any_of(
            said, [&](const std::string& text) { return text.find(part) != std::string::npos; });
    };
    // Thread i stores element i, i + 64, ...: a warp two rows at a time, first into buffer 0.
    EXPECT_TRUE(any("Warp 0 stores rows 0 and 1 of As[0]: 32 lanes"));
    EXPECT_TRUE(any("Warp 1 stores rows 14 and 15 of As[1]: 32 lanes"));
    EXPECT_TRUE(any("all 32 lanes read the same word As[0][3][5]"));
    EXPECT_TRUE(any("all 32 lanes read the same word As[1][15][0]"));
    EXPECT_FALSE(any(" of As:")) << "no buffer named";
    EXPECT_TRUE(any("Warp 0 has stored its half of As[0] and waits at the barrier"));
}

// One lane's word differs from no other.
TEST(Sentence, OneWordIsNoDifferentWord) {
    RecordRequest request;
    request.kernel = "10_tiled_any_size";
    request.parameters = {.m = 1, .n = 1, .k = 1, .tile = 1, .pad = 0};
    for (const std::string kernel : {"10_tiled_any_size", "cpu_tiled"}) {
        request.kernel = kernel;
        request.parameters.tile = kernel == "cpu_tiled" ? 16 : 2;
        const Trace trace = record_built_in(request).value();
        Replay replay = Replay::of_block(trace, 0).value();
        for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
            replay.seek(tick);
            const std::string text = plain_text(replay.sentence());
            EXPECT_EQ(text.find("1 different"), std::string::npos) << text;
            EXPECT_TRUE(counts_agree(text)) << text;
        }
    }
}

TEST(Sentence, TellsTheEnd) {
    EXPECT_EQ(text_at("09", {16, 16, 16, 4}, 6, 58),
              "Block 2,1 is done after 4 phases and 58 ticks: 16 elements of C are stored.");
    EXPECT_EQ(text_at("08", {32, 32, 32, 32}, 0, 34'944),
              "Block 0 is done after 1 phase and 34,944 ticks: 1,024 elements of C are stored.");
}

TEST(Sentence, ColoursArraysAndConflicts) {
    const Trace trace = trace_of("08", {32, 32, 32, 32});
    Result<Replay> replay = Replay::of_block(trace, 0);
    replay->seek(1120 + 32);
    bool array = false, conflict = false;
    for (const Span& span : replay->sentence()) {
        array |= span.tone == Tone::kB && span.text == "Bs";
        conflict |= span.tone == Tone::kConflict && span.text == "32 different words of bank 0";
    }
    EXPECT_TRUE(array);
    EXPECT_TRUE(conflict);
}

// The parser is part of the proof: it must refuse what no template says.
TEST(SentenceParser, RefusesOtherText) {
    EXPECT_FALSE(parse_sentence("Warp 0 does something."));
    EXPECT_FALSE(parse_sentence("Warp 0 reads row 1 of As: 32 lanes."));
    EXPECT_FALSE(counts_agree("1 lanes"));
    EXPECT_FALSE(counts_agree("32 lane"));
    EXPECT_TRUE(counts_agree("1 lane, 31 lanes, 1 different word"));
}

}  // namespace
}  // namespace tilereel::sentence_test
