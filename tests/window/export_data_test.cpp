// Exports that need no frame: the trace for Perfetto and the table of counters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/export/counters_csv.h"
#include "app/export/perfetto.h"
#include "app/ladder/ladder.h"
#include "instrumentation/analysis/cost/counters.h"
#include "tests/trace/program_traces.h"

namespace tilereel::export_data_test {
namespace {

using Json = nlohmann::json;

Trace recorded_09() {
    RecordRequest request;
    request.kernel = "09_tiled";
    request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0};
    auto trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

Json events_of(const Trace& trace) {
    auto replay = Replay::of_block(trace, 0);
    EXPECT_TRUE(replay);
    return Json::parse(perfetto_events(*replay).dump())["traceEvents"];
}

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// 09 with TILE 8 and K = 16: 2 warps, 2 phases. A warp makes 2 loads, 2 stores and 2 x 8 reads in
// each, and stores C once: 41 requests. Each phase has 2 barriers.
TEST(Perfetto, HasASpanForEachRequestAndAnInstantForEachBarrier) {
    std::map<int, int> requests;  // by track
    int barriers = 0;
    for (const Json& event : events_of(recorded_09())) {
        if (event["ph"] == "X" && event["cat"] != "phase" && event["cat"] != "wait")
            ++requests[event["tid"].get<int>()];
        barriers += event["ph"] == "i";
    }
    EXPECT_EQ(requests, (std::map<int, int>{{1, 41}, {2, 41}}));
    EXPECT_EQ(barriers, 4);
}

TEST(Perfetto, SpansAreThoseOfTheReplay) {
    const Trace trace = recorded_09();
    auto replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    std::size_t next = 0;
    for (const Json& event : events_of(trace)) {
        if (event["ph"] != "X" || event["cat"] == "phase" || event["cat"] == "wait") continue;
        ASSERT_LT(next, replay->schedule().steps.size());
        const Step& step = replay->schedule().steps[next++];
        (void)replay->seek(step.begin);
        EXPECT_EQ(event["ts"], step.begin);
        EXPECT_EQ(event["dur"], step.ticks);
        EXPECT_EQ(event["args"]["line"], trace.sites[step.site].line);
        EXPECT_EQ(event["args"]["sentence"], plain_text(replay->sentence()));
    }
    EXPECT_EQ(next, replay->schedule().steps.size());
}

// Spans of a track follow each other: a warp does not load while it waits.
TEST(Perfetto, SpansOfATrackDoNotOverlap) {
    for (const Trace& trace : {recorded_09(), tests::reduction_trace(), tests::stencil_trace(),
                               tests::histogram_trace()}) {
        std::map<int, std::map<std::uint64_t, std::uint64_t>> tracks;  // begin -> end
        for (const Json& event : events_of(trace))
            if (event["ph"] == "X" && event["cat"] != "phase")
                tracks[event["tid"].get<int>()][event["ts"].get<std::uint64_t>()] =
                    event["ts"].get<std::uint64_t>() + event["dur"].get<std::uint64_t>();
        for (const auto& [track, spans] : tracks) {
            std::uint64_t end = 0;
            for (const auto& [begin, its_end] : spans) {
                EXPECT_GE(begin, end) << trace.launch.kernel << ", track " << track;
                end = its_end;
            }
        }
    }
}

TEST(Perfetto, CountersEndAtTheBlocksTotals) {
    const Trace trace = tests::histogram_trace();
    std::map<std::string, std::uint64_t> last;
    for (const Json& event : events_of(trace))
        if (event["ph"] == "C") last[event["name"]] = event["args"]["so far"].get<std::uint64_t>();
    const KernelCounts counts = count_kernel(trace, {.block = 0});
    EXPECT_EQ(last["global load requests"], counts.global_load.requests);
    EXPECT_EQ(last["shared atomic wavefronts"], counts.shared_atomic.wavefronts);
    EXPECT_EQ(last["global atomic requests"], counts.global_atomic.requests);
}

TEST(Perfetto, AWrongBlockLeavesTheOldFile) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("tilereel_perfetto_" + std::to_string(::getpid()) + ".json");
    std::ofstream(path) << "old";
    const Trace trace = recorded_09();
    const Status wrong = export_perfetto(trace, 2, 0, default_generation(), path);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().kind, ErrorKind::kWrongCall);
    EXPECT_EQ(text_of(path), "old");
    ASSERT_TRUE(export_perfetto(trace, 1, 1, default_generation(), path));
    EXPECT_TRUE(Json::accept(text_of(path)));
    std::filesystem::remove(path);
}

// By the kernel's indices: A and B are loaded by 4 blocks x 2 warps x 2 phases = 16 requests each.
// A warp of 32 threads covers 4 rows of 8 floats of a tile: 4 sectors.
TEST(CountersCsv, HasARowForEachPlaceThatAccessesMemory) {
    std::istringstream lines(counters_csv(recorded_09(), default_generation()));
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);) rows.push_back(line);
    ASSERT_EQ(rows.size(), 1u + 7u)
        << "loads of A and B; stores and loads of As and Bs; stores of C";
    EXPECT_THAT(rows[0], ::testing::StartsWith("file,line,column,array,space,operation"));
    EXPECT_THAT(rows[1], ::testing::HasSubstr(",A,global,load,no,4,512,16,64,"));
    EXPECT_THAT(rows[1], ::testing::EndsWith(",2048,2048,,,\r"));
    for (const std::string& row : rows)
        EXPECT_EQ(std::ranges::count(row, ','), std::ranges::count(rows[0], ',')) << row;
}

TEST(CountersCsv, ANameWithACommaStandsInQuotes) {
    Trace trace = tests::reduction_trace();
    trace.arrays[0].name = "in,\"put\"";
    EXPECT_THAT(counters_csv(trace, default_generation()),
                ::testing::HasSubstr(",\"in,\"\"put\"\"\","));
}

}  // namespace
}  // namespace tilereel::export_data_test
