#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/openings.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::commands_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

Json json_of(const std::string& call, const std::filesystem::path& folder) {
    const Ended ended = shell(call, folder);
    EXPECT_EQ(ended.exit_code, 0) << call << ended.err;
    EXPECT_EQ(ended.err, "") << call;
    return Json::parse(ended.out, nullptr, false);
}

std::vector<std::string> keys(const Json& json) {
    std::vector<std::string> names;
    for (const auto& [name, value] : json.items()) names.push_back(name);
    return names;
}

class Commands : public ::testing::Test {
  protected:
    ScratchFolder folder_;
};

TEST_F(Commands, SubcommandsHaveHelp) {
    for (const char* command : {"", "open ", "kernels ", "facts ", "trace ", "check ", "report ",
                                "run ", "explain ", "occupancy ", "lesson ", "race ", "export "}) {
        const Ended ended = shell("tilereel " + std::string(command) + "--help");
        EXPECT_EQ(ended.exit_code, 0);
        EXPECT_EQ(ended.err, "");
        EXPECT_THAT(ended.out, HasSubstr("Usage: tilereel " + std::string(command)));
    }
}

TEST_F(Commands, LessonsAreListedCheckedAndPrinted) {
    const Json listed = json_of("tilereel lesson --json", folder_.path());
    EXPECT_GE(listed.size(), 8u);
    const Ended checked = shell("tilereel lesson bank_conflicts --check");
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_THAT(checked.out, EndsWith("7 scenes with 7 stops, 2 questions, 1 race\n"));
    // 32 lanes read a column of a 32 x 32 tile; with a word of padding a row, no conflict is left.
    EXPECT_THAT(shell("tilereel lesson bank_conflicts --script").out,
                AllOf(HasSubstr("32 words"),
                      HasSubstr("32,736 bank conflicts at the left, 0 at the right")));
    const Ended page =
        shell("tilereel lesson tiling --html p.html --light && head -c 60 p.html", folder_.path());
    EXPECT_EQ(page.exit_code, 0) << page.err;
    EXPECT_THAT(page.out, AllOf(HasSubstr("'p.html' has "), HasSubstr(" KiB and 6 scenes\n"),
                                HasSubstr("<html lang=\"en\" class=\"light\">")));
}

// The other blocks do not run, so nothing says that all of C is right.
TEST_F(Commands, OfALargeProductCIsJudgedInTheBlocksThatRan) {
    const std::string product = " 09_tiled --m 512 --n 512 --k 64 --tile 16 --memory-limit 10MiB ";
    const Json report = json_of("tilereel report --json" + product, folder_.path());
    EXPECT_EQ(report["product"]["wrong_elements"], 0);
    const std::uint64_t judged = report["product"]["judged_elements"];
    const std::string blocks = std::to_string(judged / (16 * 16));
    EXPECT_GE(judged, 3 * 16 * 16);
    EXPECT_LT(judged, 512 * 512);
    const std::string sentence = "\nC is right in the " + blocks +
                                 " of 1,024 blocks that had run; the rest of C is not judged\n";
    EXPECT_THAT(shell("tilereel report" + product, folder_.path()).out, HasSubstr(sentence));
    EXPECT_THAT(shell("tilereel trace -o t.npz" + product, folder_.path()).out,
                HasSubstr(sentence));
    EXPECT_THAT(shell("tilereel check t.npz", folder_.path()).out, HasSubstr(sentence));
    EXPECT_THAT(shell("tilereel report t.npz", folder_.path()).out, HasSubstr(sentence));
}

TEST_F(Commands, KernelsListsTheLadder) {
    const Json kernels = json_of("tilereel kernels --json", folder_.path());
    ASSERT_TRUE(kernels.is_array());
    std::vector<std::string> ids;
    for (const Json& kernel : kernels) ids.push_back(kernel["id"]);
    EXPECT_THAT(ids, ::testing::IsSupersetOf(
                         {"01_naive_by_column", "02_naive", "08_tiled_b_transposed", "09_tiled"}));
    const Ended text = shell("tilereel kernels");
    for (const std::string& id : ids) EXPECT_THAT(text.out, HasSubstr(id));
}

TEST_F(Commands, ReportHasTheAgreedKeysAndTheAnalyticCounts) {
    const Json report = json_of("tilereel report 09_tiled --json", folder_.path());
    EXPECT_THAT(keys(report),
                ElementsAre("kernel", "m", "n", "k", "tile", "pad", "generation", "recorded_by",
                            "complete", "product", "totals", "sites", "as_compiled", "findings"));
    const Json& totals = report["totals"];
    EXPECT_THAT(keys(totals),
                ElementsAre("global_load", "global_store", "shared_load", "shared_store",
                            "shared_copy", "lanes_on_percent", "barriers", "multiply_adds", "flop",
                            "flop_per_byte_requested", "flop_per_byte_moved"));
    for (const char* name : {"global_load", "global_store"})
        EXPECT_THAT(keys(totals[name]), ElementsAre("accesses", "requests", "lanes_off", "sectors",
                                                    "lines", "bytes_requested", "bytes_moved"));
    for (const char* name : {"shared_load", "shared_store"})
        EXPECT_THAT(keys(totals[name]),
                    ElementsAre("accesses", "requests", "lanes_off", "wavefronts", "bank_conflicts",
                                "worst_wavefronts"));
    EXPECT_EQ(report["generation"], "9.0");
    EXPECT_EQ(report["recorded_by"], "cpu");
    EXPECT_EQ(report["complete"], true);
    EXPECT_EQ(report["findings"], Json::array());
    // 64^3, TILE 16: each element of A and B is loaded by 64 / 16 blocks, and each of the 64^3
    // multiply-adds reads two shared operands; 4 phases of 2 barriers.
    EXPECT_EQ(totals["global_load"]["accesses"], 32768);
    EXPECT_EQ(totals["shared_load"]["accesses"], 524288);
    EXPECT_EQ(totals["shared_store"]["accesses"], 32768);
    EXPECT_EQ(totals["barriers"], 8);
    EXPECT_EQ(totals["multiply_adds"], 262144);
    EXPECT_EQ(totals["flop"], 524288);
    // 524,288 FLOP over 4 B x (32,768 loads + 4,096 stores).
    EXPECT_DOUBLE_EQ(totals["flop_per_byte_requested"], 524288.0 / (4 * (32768 + 4096)));
}

TEST_F(Commands, SitesAddUpToTheTotals) {
    const Json report =
        json_of("tilereel report 08_tiled_b_transposed --tile 32 --pad 0 --json", folder_.path());
    std::uint64_t wavefronts = 0, sectors = 0;
    for (const Json& site : report["sites"]) {
        EXPECT_GT(site["line"], 0);
        EXPECT_TRUE(site.contains("array") && site.contains("operation"));
        wavefronts += site.value("wavefronts", std::uint64_t{0});
        sectors += site.value("sectors", std::uint64_t{0});
    }
    const Json& totals = report["totals"];
    EXPECT_EQ(wavefronts, totals["shared_load"]["wavefronts"].get<std::uint64_t>() +
                              totals["shared_store"]["wavefronts"].get<std::uint64_t>());
    EXPECT_EQ(sectors, totals["global_load"]["sectors"].get<std::uint64_t>() +
                           totals["global_store"]["sectors"].get<std::uint64_t>());
    EXPECT_EQ(totals["shared_load"]["worst_wavefronts"], 32);
}

TEST_F(Commands, ReportOfATraceEqualsReportOfItsKernel) {
    for (const std::string call :
         {"09_tiled --m 32 --n 48 --k 16", "02_naive --m 5 --n 7 --k 9 --tile 4",
          "08_tiled_b_transposed --m 32 --n 32 --k 32 --tile 32 --pad 1 --seed 5"}) {
        const Ended trace = shell("tilereel trace " + call + " -o t.npz", folder_.path());
        ASSERT_EQ(trace.exit_code, 0) << trace.err;
        for (const char* json : {"", " --json"}) {
            const Ended kernel = shell("tilereel report " + call + json);
            const Ended file = shell("tilereel report t.npz" + std::string(json), folder_.path());
            EXPECT_EQ(kernel.exit_code, 0) << kernel.err;
            EXPECT_EQ(kernel.out, file.out) << call;
        }
    }
    EXPECT_EQ(folder_.file_count(), 1);
}

TEST_F(Commands, ATraceIsTheSameForAnyNumberOfWorkers) {
    for (const char* workers : {"1", "3"})
        ASSERT_EQ(shell("tilereel trace 09_tiled --workers " + std::string(workers) + " -o " +
                            workers + ".npz",
                        folder_.path())
                      .exit_code,
                  0);
    EXPECT_EQ(read_bytes(folder_ / "1.npz"), read_bytes(folder_ / "3.npz"));
}

TEST_F(Commands, PhaseTablesArePrintedAsTextCsvAndJson) {
    const std::string call = "tilereel report 09_tiled --m 4 --n 4 --k 4 --tile 2 --phases ";
    const Ended text = shell(call);
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, AllOf(HasSubstr("Phase 1"), HasSubstr("Phase 2"),
                                Not(HasSubstr("Phase 0")), HasSubstr("Thread[1,0]"),
                                HasSubstr("Load A[0,3] -> As[0,1]  Load B[2,1] -> Bs[0,1]  "
                                          "C[0,1]+=As[0,0]*Bs[0,1] + As[0,1]*Bs[1,1]\n")));
    EXPECT_THAT(shell(call + "--csv").out, ::testing::StartsWith("\"Thread\",\"Phase 1\","));
    EXPECT_THAT(shell(call + "--csv").out,
                HasSubstr("\"Thread[0,0]\",\"Load A[0,0] -> As[0,0]\",\"Load B[0,0] -> "
                          "Bs[0,0]\",\"C[0,0]+=As[0,0]*Bs[0,0] + As[0,1]*Bs[1,0]\","));
    const Json table = json_of(call + "--block 1,0 --json", folder_.path());
    EXPECT_EQ(table["threads"].size(), 4u);
    const Json& second = table["threads"][1]["phases"][1];
    EXPECT_EQ(second["loads"][0]["from"], "A[0,3]");
    EXPECT_EQ(second["sums"][0]["c"], "C[0,3]");
    EXPECT_EQ(second["sums"][0]["products"][1]["b"], "Bs[1,1]");
    EXPECT_EQ(second["sums"][0]["products"][1]["b_holds"], "B[3,3]");
    for (const std::string wrong : {"--block 2,0", "--block 1", "--csv --json"})
        EXPECT_EQ(shell(call + wrong).exit_code, 2) << wrong;
    const Ended large = shell("tilereel report 09_tiled --k 4096 --tile 32 --phases");
    EXPECT_EQ(large.exit_code, 2);
    EXPECT_THAT(large.err, HasSubstr("choose a smaller K or TILE"));
    EXPECT_EQ(shell("tilereel report 09_tiled --csv").exit_code, 2);
}

TEST_F(Commands, CountsFollowTheGeneration) {
    const std::string call = "tilereel report 02_naive --tile 16 --m 16 --n 16 --k 16 --json";
    const Json new_gpu = json_of(call, folder_.path());
    const Json old_gpu = json_of(call + " --generation 1.0", folder_.path());
    EXPECT_EQ(old_gpu["generation"], "1.0");
    EXPECT_EQ(keys(old_gpu), keys(new_gpu));
    // 8 warps, 16 trips, two half-warps: 16 transactions of 32 bytes for A, one of 64 for B.
    EXPECT_EQ(old_gpu["totals"]["global_load"]["lines"], 8 * 16 * 2 * (16 + 1));
    EXPECT_EQ(old_gpu["totals"]["global_load"]["bytes_moved"], 8 * 16 * 2 * (16 * 32 + 64));
    EXPECT_EQ(new_gpu["totals"]["global_load"]["bytes_moved"], 8 * 16 * (2 * 32 + 64));

    const std::string lanes = "tilereel explain --lanes \"0,128\" --generation ";
    EXPECT_THAT(shell(lanes + "9.0").out, HasSubstr("shared,load,4,1,2,1,"));
    const std::string row = "tilereel explain --space global --lanes \"0,0\" --json --generation ";
    EXPECT_EQ(json_of(row + "1.1", folder_.path())[0]["l1_line_accesses"], 2);
    EXPECT_EQ(json_of(row + "2.x", folder_.path())[0]["sectors"], 4);
    const Ended wrong = shell(lanes + "4.2");
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, AllOf(HasSubstr("--generation takes"), HasSubstr("1.0")));
}

TEST_F(Commands, OneExtentDoesNotImplyTheOthers) {
    const Json report = json_of("tilereel report 09_tiled --n 32 --json", folder_.path());
    EXPECT_EQ(report["m"], 64);
    EXPECT_EQ(report["n"], 32);
    EXPECT_EQ(report["k"], 64);
    EXPECT_EQ(report["tile"], 16);
    EXPECT_EQ(report["pad"], 0);
}

// Kernels that cannot run 64 x 64 x 64 with TILE 16.
TEST_F(Commands, AKernelThatCannotHaveTheUsualValuesIsRecordedAsItOpens) {
    for (const char* kernel : {"04_guide_a_shared", "06_single_block", "18_warp_tiled"}) {
        const Ended ended = shell("tilereel report " + std::string(kernel));
        const KernelParameters p = opening_of(*find_kernel(kernel));
        EXPECT_EQ(ended.exit_code, 0) << ended.err;
        EXPECT_THAT(ended.out,
                    HasSubstr("M " + std::to_string(p.m) + "  N " + std::to_string(p.n) + "  K " +
                              std::to_string(p.k) + "  TILE " + std::to_string(p.tile)));
    }
}

TEST_F(Commands, GivenMatricesDecideTheSizesAndTheSums) {
    const std::string save =
        "/usr/bin/python3 -c \"import numpy as n; n.save('a.npy', n.arange(15.).reshape(3, 5)); "
        "n.save('b.npy', n.ones((5, 2), 'f4'))\" 2>/dev/null";
    if (shell(save, folder_.path()).exit_code != 0) GTEST_SKIP() << "python3 has no numpy";
    const Json report =
        json_of("tilereel report 02_naive --tile 2 --a a.npy --b b.npy --json", folder_.path());
    EXPECT_EQ(report["m"], 3);
    EXPECT_EQ(report["k"], 5);
    EXPECT_EQ(report["n"], 2);
    const Ended sums = shell(
        "tilereel trace 02_naive --tile 2 --a a.npy --b b.npy -o t.npz >/dev/null && "
        "/usr/bin/python3 -c \"import numpy as n; "
        "print(n.load('t.npz')['array_2_last'].view('f4').reshape(3, 2).tolist())\"",
        folder_.path());
    EXPECT_EQ(sums.out, "[[10.0, 10.0], [35.0, 35.0], [60.0, 60.0]]\n") << sums.err;
}

TEST_F(Commands, ExplainReproducesTheHardwareTable) {
    const std::string table = TILEREEL_SOURCE_DIR "/tests/hardware/h100_warp_accesses.csv";
    const Ended ended = shell("tilereel explain --csv '" + table + "'");
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    std::string expected = read_bytes(table);
    std::erase(expected, '\r');
    EXPECT_EQ(ended.out, expected);
    // The counted columns are not read: without them the answer is the same.
    const Ended bare = shell("cut -d, -f1-4,10- '" + table + "' | tilereel explain --csv -");
    EXPECT_EQ(bare.out, expected);
}

// Lanes beyond 8 a matrix give no address; the table has them, the answer says -1.
TEST_F(Commands, ExplainReproducesTheHardwareTableOfMatrixLoadsAndStores) {
    const std::string table = TILEREEL_SOURCE_DIR "/tests/hardware/h100_matrix_accesses.csv";
    const Ended counted = shell("tilereel explain --csv '" + table + "' | cut -d, -f1-7");
    ASSERT_EQ(counted.exit_code, 0) << counted.err;
    const Ended expected = shell("cut -d, -f1-7 '" + table + "' | tr -d '\\r'");
    EXPECT_EQ(counted.out, expected.out);
    const Ended rows = shell("cut -d, -f1-4,8- '" + table + "' | tilereel explain --csv - --json");
    const Json json = Json::parse(rows.out, nullptr, false);
    ASSERT_EQ(json.size(), 231u);
    EXPECT_THAT(keys(json[0]), ElementsAre("id", "instruction", "matrices", "transposed",
                                           "requests", "wavefronts", "bank_conflicts"));
}

// RFC 4180: a quoted field may hold separators and, doubled, quotes.
TEST_F(Commands, ExplainKeepsAQuotedId) {
    std::string csv = "id,space,op,width_bytes", row = "\"a, \"\"b\"\"\",global,load,4";
    for (int lane = 0; lane < 32; ++lane) {
        csv += ",lane" + std::to_string(lane);
        row += "," + std::to_string(4294967292u - 4u * static_cast<unsigned>(lane));
    }
    write_bytes(folder_ / "rows.csv", csv + "\r\n" + row + "\r\n");
    const Json rows = json_of("tilereel explain --csv rows.csv --json", folder_.path());
    EXPECT_EQ(rows[0]["id"], "a, \"b\"");
    EXPECT_EQ(rows[0]["sectors"], 4);  // the last 128 bytes that an offset can name
    const Ended again =
        shell("tilereel explain --csv rows.csv | tilereel explain --csv - --json", folder_.path());
    EXPECT_EQ(Json::parse(again.out, nullptr, false), rows);
}

TEST_F(Commands, ExplainAnswersInJson) {
    const Json rows = json_of(
        "tilereel explain --space shared --op load --width 4 --lanes '0, 128, 256,-1,384' --json",
        folder_.path());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_THAT(keys(rows[0]),
                ElementsAre("id", "space", "op", "width_bytes", "requests", "wavefronts",
                            "bank_conflicts", "sectors", "l1_line_accesses"));
    EXPECT_EQ(rows[0]["wavefronts"], 4);
    EXPECT_EQ(rows[0]["bank_conflicts"], 3);
    EXPECT_TRUE(rows[0]["sectors"].is_null());
    const Json global = json_of(
        "tilereel explain --space global --op store --lanes '0 32 4' --json", folder_.path());
    EXPECT_EQ(global[0]["sectors"], 2);
    EXPECT_TRUE(global[0]["wavefronts"].is_null());
}

TEST_F(Commands, ExplainWorksOutAnIndexExpression) {
    const Ended text = shell("tilereel explain --expression 'ty*33 + tx' --block 16x16");
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("so it takes 2 wavefronts where 1 would do: 1 conflict."));
    EXPECT_THAT(text.out, HasSubstr("Block of 16 x 16: 8 requests, 16 wavefronts, 8 conflicts."));
    EXPECT_THAT(text.out, HasSubstr("\n  16   0   1   0   132     1          2\n"));
    const std::string by_column = "tilereel explain --expression 'tx*32 + ty' --json";
    const Json packed = json_of(by_column, folder_.path());
    EXPECT_EQ(packed["wavefronts"], 32);
    EXPECT_EQ(packed["least_pad"], 1);
    EXPECT_EQ(packed["lane_bytes"][31], 31 * 128);
    EXPECT_EQ(json_of(by_column + " --pad 1", folder_.path())["wavefronts"], 1);
    EXPECT_EQ(json_of(by_column + " --swizzle 32", folder_.path())["wavefronts"], 1);
    // The same offsets, lane by lane.
    const Json half =
        json_of("tilereel explain --expression 'lane < 2 ? 64*lane : -1' --json", folder_.path());
    const Json lanes = json_of("tilereel explain --lanes 0,256 --json", folder_.path());
    EXPECT_EQ(half["wavefronts"], lanes[0]["wavefronts"]);
    const Json global = json_of(
        "tilereel explain --expression 'tx*1024 + ty' --space global --json", folder_.path());
    EXPECT_EQ(global["sectors"], 32);
    EXPECT_TRUE(global["wavefronts"].is_null());
    EXPECT_EQ(global["block_sectors"], 8 * 32);
}

// 64 rows of 128 bytes: the 8 rows of a matrix meet in one slot of 16 bytes.
TEST_F(Commands, ExplainWorksOutMatrixLoads) {
    const std::string tile = "tilereel explain --op ldmatrix --width 2 --expression ";
    const Ended text = shell(tile + "'(64,64):(64,1)'");
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("so it takes 32 wavefronts where 4 would do: 28 conflicts."));
    EXPECT_THAT(text.out, HasSubstr("Tile: 16 requests, 512 wavefronts, 448 conflicts."));
    EXPECT_THAT(text.out,
                HasSubstr("The least PAD without a conflict for rows of 64 elements: 8."));
    EXPECT_THAT(text.out,
                HasSubstr("The least swizzle without a conflict, in elements: Swizzle<3,3,3>."));
    EXPECT_THAT(text.out, HasSubstr("\n  17       2    1   144     1         18\n"));
    const Json swizzled =
        json_of(tile + "'Swizzle<3,3,3> o (64,64):(64,1)' --json", folder_.path());
    EXPECT_EQ(swizzled["op"], "ldmatrix");
    EXPECT_EQ(swizzled["matrices"], 4);
    EXPECT_EQ(swizzled["wavefronts"], 4);
    EXPECT_EQ(swizzled["plain_wavefronts"], 32);
    EXPECT_EQ(swizzled["row"], 64);
    const Json padded =
        json_of(tile + "'(64,64):(64,1)' --matrices 1 --pad 8 --json", folder_.path());
    EXPECT_EQ(padded["wavefronts"], 1);
    EXPECT_EQ(padded["block_requests"], 64);
    // By addresses, as the rows of the table.
    const Json lanes = json_of(
        "tilereel explain --op stmatrix --matrices 1 --lanes '0 128 256 384 512 640 768 896' "
        "--json",
        folder_.path());
    EXPECT_EQ(lanes[0]["wavefronts"], 8);
}

TEST_F(Commands, TheSmallestProductMovesThreeSectors) {
    const Json report =
        json_of("tilereel report 02_naive --m 1 --n 1 --k 1 --tile 2 --json", folder_.path());
    EXPECT_DOUBLE_EQ(report["totals"]["flop_per_byte_requested"], 2.0 / 12);
    EXPECT_DOUBLE_EQ(report["totals"]["flop_per_byte_moved"], 2.0 / 96);
}

}  // namespace
}  // namespace tilereel::tests::commands_test
