// `check` says "sound" only of sound traces; `trace` and `report` show a kernel whose C is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "instrumentation/trace/file/trace_file.h"
#include "tests/cli/shell_command.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::tests::sound_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Sound : public ::testing::Test {
  protected:
    // A trace that the program recorded, changed, and written again as t.npz.
    void record(const std::function<void(Trace&)>& change = {}) {
        const Ended ended =
            shell("tilereel trace 09_tiled --m 16 --n 16 --k 16 --tile 4 -o t.npz", folder_.path());
        ASSERT_EQ(ended.exit_code, 0) << ended.err;
        if (!change) return;
        auto trace = read_trace(folder_ / "t.npz");
        ASSERT_TRUE(trace) << trace.error().message;
        change(trace.value());
        const Status written = write_trace(*trace, folder_ / "t.npz");
        ASSERT_TRUE(written) << written.error().message;
    }
    Ended run(const std::string& command) { return shell("tilereel " + command, folder_.path()); }
    ScratchFolder folder_;
};

TEST_F(Sound, ARecordedTraceIsSound) {
    record();
    const Ended checked = run("check t.npz");
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("sound"));
}

TEST_F(Sound, AChangedTraceIsNotSound) {
    static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::pair<const char*, std::function<void(Trace&)>>> changes = {
        {"its C[0][3] is", [](Trace& t) { add_to_element(t, MatrixRole::kC, 3, 1); }},
        {"is NaN",
         [](Trace& t) {
             t.words.assign(t.words.size(), std::bit_cast<std::uint32_t>(kNaN));
             set_matrix(t, MatrixRole::kC, std::vector<float>(16 * 16, kNaN));
         }},
        {"does not follow", [](Trace& t) { t.words[t.words.size() / 2] ^= 1u << 23; }},
        {"is not sound", [](Trace& t) { add_to_element(t, MatrixRole::kA, 7, 30); }},
        {"records of 0 of its 16 blocks",
         [](Trace& t) {
             t.records = {};
             t.segments = {};
             t.segments.record_begin = t.segments.value_begin = {0};
             t.words.clear();
         }},
        {"TILE is 0", [](Trace& t) { t.launch.tile = 0; }},
        {"its grid is", [](Trace& t) { t.launch.grid.x = 5; }}};
    for (const auto& [says, change] : changes) {
        record(change);
        const Ended checked = run("check t.npz");
        EXPECT_EQ(checked.exit_code, 1) << says;
        EXPECT_EQ(checked.out, "") << says;
        EXPECT_THAT(checked.err, HasSubstr(std::string_view(says) == "is NaN" ? "NaN" : says));
    }
}

// A kernel that is not in the catalogue may have no TILE: `check` and `report` apply no rule of the
// catalogue to it.
TEST_F(Sound, AnotherKernelOpensWithoutTheCataloguesRules) {
    record([](Trace& t) {
        t.launch.kernel = "my_own";
        t.launch.tile = 0;
    });
    EXPECT_EQ(run("check t.npz").exit_code, 0);
    const Ended report = run("report t.npz");
    EXPECT_EQ(report.exit_code, 0) << report.err;
    EXPECT_THAT(report.out, HasSubstr("my_own  M 16"));
}

// The JSON has M, N and K of a product, and TILE and PAD of a kernel of the ladder.
TEST_F(Sound, JsonSaysWhatTheLaunchHas) {
    const auto keys_of_five = [this] {
        const Json json = Json::parse(run("report t.npz --json").out, nullptr, false);
        std::string found;
        for (const char* key : {"m", "n", "k", "tile", "pad"})
            if (json.contains(key)) found += std::string(key) + " ";
        return found;
    };
    record();
    EXPECT_EQ(keys_of_five(), "m n k tile pad ");
    const auto as_program = [](Trace& t) {
        t.launch.kernel = "my_own";
        t.launch.tile = t.launch.pad = 0;
    };
    record(as_program);
    EXPECT_EQ(keys_of_five(), "m n k ");
    record([&](Trace& t) {
        as_program(t);
        t.launch.m = t.launch.n = t.launch.k = 0;
        t.product.reset();
        t.wrong_elements.reset();
        t.unexplained_values.reset();
    });
    EXPECT_EQ(keys_of_five(), "");
}

TEST_F(Sound, AWrongCIsAFinding) {
    record([](Trace& t) {
        t.launch.kernel = "my_own";
        t.wrong_elements = 1;
        const float right = matrix_of(t, MatrixRole::kC)[255];
        for (std::size_t i = t.words.size(); i-- > 0;)
            if (std::bit_cast<float>(t.words[i]) == right) {  // the last store
                t.words[i] = std::bit_cast<std::uint32_t>(right + 2);
                break;
            }
        set_element(t, MatrixRole::kC, 255, right + 2);
        t.unexplained_values.reset();
    });
    const Ended report = run("report t.npz");
    EXPECT_EQ(report.exit_code, 0) << report.err;
    EXPECT_THAT(report.out, AllOf(HasSubstr("ERROR: 1 of 256 elements of C is wrong: C[15][15] is"),
                                  HasSubstr("but A times B there is"), HasSubstr("No race")));
    const Json json = Json::parse(run("report t.npz --json").out, nullptr, false);
    EXPECT_EQ(json["findings"][0]["kind"], "wrong_product");
    EXPECT_EQ(json["wrong"]["elements"], 1);
}

TEST_F(Sound, AMissingFileForCIsAWrongCall) {
    const Ended missing = run("trace 02_naive --m 4 --n 4 --k 4 --tile 2 --c none.npy -o t.npz");
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_THAT(missing.err, AllOf(HasSubstr("none.npy"), Not(HasSubstr("\n\n"))));
}

}  // namespace
}  // namespace tilereel::tests::sound_test
