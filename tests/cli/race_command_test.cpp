// `tilereel race` as a user calls it, on the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "instrumentation/base/sanitizers.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::race_command_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

TEST(RaceSubcommand, EndsWithATable) {
    const Ended ended =
        shell("tilereel race cpu_tiled:16 cpu_naive --sizes 48,50x30x20 --repeats 3");
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    const auto lines = lines_of(ended.out);
    const auto header = std::ranges::find_if(
        lines, [](const std::string& line) { return line.starts_with("KERNEL"); });
    ASSERT_NE(header, lines.end()) << ended.out;
    for (const char* column : {"TILE", "PAD", "SIZE", "GFLOPS", "SPREAD", "OF PEAK", "VERIFIED"})
        EXPECT_THAT(*header, HasSubstr(column));
    ASSERT_GE(lines.end() - header, 5);
    EXPECT_THAT(header[1], ::testing::MatchesRegex("cpu_tiled +16 +0 +48 .* yes"));
    EXPECT_THAT(header[2], ::testing::MatchesRegex("cpu_naive +16 +0 +48 .* yes"));
    EXPECT_THAT(ended.out, HasSubstr("50x30x20"));
    EXPECT_THAT(ended.out, HasSubstr("CPU"));
    EXPECT_THAT(ended.out, Not(HasSubstr("NOT COMPLETE")));
}

TEST(RaceSubcommand, PrintsAJsonLineForEachSample) {
    const Ended ended = shell(
        "tilereel race cpu_tiled --tile 8,16 --no-reference --sizes 32,20x30x40 --repeats 3 "
        "--json");
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    const auto lines = lines_of(ended.out);
    ASSERT_EQ(lines.size(), 2u * 2u * 3u) << ended.out << ended.err;
    for (const std::string& line : lines) {
        const Json sample = Json::parse(line);
        EXPECT_EQ(sample["kernel"], "cpu_tiled");
        EXPECT_EQ(sample["outcome"], "verified");
        const double flop =
            2.0 * sample["m"].get<int>() * sample["n"].get<int>() * sample["k"].get<int>();
        EXPECT_NEAR(sample["gflops"].get<double>(),
                    flop / 1e6 / sample["milliseconds"].get<double>(), 1e-6);
    }
    EXPECT_EQ(Json::parse(lines[0])["tile"], 8);  // interleaved
    EXPECT_EQ(Json::parse(lines[1])["tile"], 16);
    EXPECT_EQ(Json::parse(lines[6])["k"], 40);
}

TEST(RaceSubcommand, ReportsSizesThatAKernelDoesNotSupport) {
    const Ended ended =
        shell("tilereel race 09_tiled --cpu --no-reference --sizes 32,33 --repeats 1 --json");
    EXPECT_EQ(ended.exit_code, 0);
    const auto lines = lines_of(ended.out);
    ASSERT_EQ(lines.size(), 2u) << ended.out;
    EXPECT_EQ(Json::parse(lines[0])["outcome"], "skipped");
    EXPECT_THAT(Json::parse(lines[0])["sentence"].get<std::string>(), HasSubstr("CPU"));
    EXPECT_THAT(Json::parse(lines[1])["sentence"].get<std::string>(), HasSubstr("33"));
}

TEST(RaceSubcommand, SavesOpensComparesAndExports) {
    const ScratchFolder folder;
    const std::string race =
        "tilereel race cpu_tiled:16 --no-reference --sizes 32 --repeats 3 --warm ";
    ASSERT_EQ(shell(race + "-o one.json", folder.path()).exit_code, 0);
    const Json saved = Json::parse(read_bytes(folder / "one.json"));
    EXPECT_EQ(saved["complete"], true);
    EXPECT_EQ(saved["request"]["caches"], "warm");
    EXPECT_EQ(saved["samples"].size(), 3u);

    const Ended opened = shell("tilereel race --open one.json", folder.path());
    EXPECT_EQ(opened.exit_code, 0);
    EXPECT_THAT(opened.out, HasSubstr("(recorded)"));
    EXPECT_THAT(opened.out, HasSubstr("cpu_tiled"));
    const Ended lines = shell("tilereel race --open one.json --json", folder.path());
    EXPECT_EQ(lines_of(lines.out).size(), 3u);
    const Ended csv = shell("tilereel race --open one.json --csv", folder.path());
    EXPECT_EQ(lines_of(csv.out).size(), 4u);
    EXPECT_THAT(csv.out, ::testing::StartsWith("kernel,tile,pad,"));

    const Ended same = shell("tilereel race --open one.json --compare one.json", folder.path());
    EXPECT_THAT(same.out, HasSubstr("1.000"));
    const Ended anew = shell(race + "--compare one.json --json", folder.path());
    EXPECT_EQ(anew.exit_code, 0);
    ASSERT_EQ(lines_of(anew.out).size(), 4u) << anew.out;
    EXPECT_GT(Json::parse(lines_of(anew.out).back())["ratio"].get<double>(), 0);
}

// Width and height of a PNG: 4 bytes each, big-endian, after the signature and the first chunk's
// length and type (PNG specification, 11.2.2).
std::pair<int, int> png_size(const std::string& bytes) {
    if (bytes.size() < 24 || bytes.substr(1, 3) != "PNG") return {0, 0};
    const auto number = [&](std::size_t at) {
        int value = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            value = value * 256 + static_cast<unsigned char>(bytes[i]);
        return value;
    };
    return {number(16), number(20)};
}

TEST(RaceSubcommand, DrawsASavedRaceAndANewRace) {
    const ScratchFolder folder;
    const std::string race =
        "tilereel race cpu_tiled:16 cpu_naive --no-reference --sizes 16,32 "
        "--repeats 3 -o one.json";
    const Ended raced = shell(race + " --png now.png --size 800x600", folder.path());
    if (raced.err.find("EGL") != std::string::npos) GTEST_SKIP() << raced.err;
    ASSERT_EQ(raced.exit_code, 0) << raced.err;
    EXPECT_EQ(png_size(read_bytes(folder / "now.png")), std::pair(800, 600));
    // Each --plot makes a different picture. The table of the race is printed as without --png.
    std::set<std::string> pictures;
    for (const std::string view : {"gflops", "speedup", "bandwidth", "roofline", "sweep",
                                   "occupancy", "table", "gflops --linear", "gflops --light"}) {
        const Ended ended = shell(
            "tilereel race one.json --png view.png --size 640x480 --plot " + view, folder.path());
        ASSERT_EQ(ended.exit_code, 0) << view << ended.err;
        EXPECT_THAT(ended.out, HasSubstr("(recorded)"));
        const std::string bytes = read_bytes(folder / "view.png");
        EXPECT_EQ(png_size(bytes), std::pair(640, 480)) << view;
        pictures.insert(bytes);
    }
    EXPECT_EQ(pictures.size(), 9u);
}

// Each thread of OpenBLAS takes 128 MiB of address space, and waits forever if it gets none. The
// race must end nevertheless.
TEST(RaceSubcommand, EndsIfMemoryIsShort) {
    if (TILEREEL_ADDRESS_SANITIZER || TILEREEL_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer reserves more addresses";
    for (const char* kilobytes : {"150000", "200000", "400000"}) {
        const Ended ended = shell("ulimit -v " + std::string(kilobytes) +
                                  "; timeout 30 '" TILEREEL_PROGRAM
                                  "' race cpu_tiled openblas --cpu --sizes 64 --repeats 1");
        EXPECT_THAT(ended.exit_code, ::testing::AnyOf(0, 1)) << kilobytes << ended.err;
        if (ended.exit_code == 1) {
            EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
        }
    }
}

TEST(RaceSubcommand, AnInterruptSavesTheSamplesSoFar) {
    const std::pair<std::string, std::string> signals[] = {
        {"INT", "130"}, {"TERM", "143"}, {"HUP", "129"}};
    for (const auto& [signal, code] : signals) {
        const ScratchFolder folder;
        const Ended ended =
            shell("'" TILEREEL_PROGRAM
                  "' race cpu_tiled:16 --no-reference --sizes 64 --repeats 1000 --json "
                  "-o race.json >lines &\n"
                  "until [[ -s lines ]]; do sleep 0.02; done\n"
                  "kill -" +
                      signal +
                      " $!\n"
                      "wait $!; echo $?",
                  folder.path());
        EXPECT_EQ(ended.out, code + "\n") << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("interrupted; 'race.json' holds what was raced"));
        const Json saved = Json::parse(read_bytes(folder / "race.json"));
        EXPECT_EQ(saved["complete"], false);
        EXPECT_GE(saved["samples"].size(), 1u);
        EXPECT_LT(saved["samples"].size(), 1000u);
        EXPECT_EQ(saved["samples"].size(), lines_of(read_bytes(folder / "lines")).size());
        EXPECT_THAT(shell("tilereel race --open race.json", folder.path()).out,
                    HasSubstr("NOT COMPLETE"));
    }
}

TEST(RaceSubcommand, AClosedPipeEndsTheRace) {
    const Ended ended = shell(
        "tilereel race cpu_tiled:16 --no-reference --sizes 64 --repeats 1000 --json | head -n 1\n"
        "echo ${PIPESTATUS[0]}");
    EXPECT_EQ(lines_of(ended.out).back(), "1");
    EXPECT_THAT(ended.err, HasSubstr("closed"));
}

TEST(RaceSubcommand, RefusesWrongCallsInOneLine) {
    const ScratchFolder folder;
    write_bytes(folder / "broken.json", "{\"format\": \"tilereel race\"");
    const auto expect = [&](const std::string& arguments, int code, const char* words) {
        const Ended ended = shell("tilereel race " + arguments, folder.path());
        EXPECT_EQ(ended.exit_code, code) << arguments;
        EXPECT_EQ(ended.out, "") << arguments;
        EXPECT_THAT(ended.err, HasSubstr(words)) << arguments;
        EXPECT_EQ(lines_of(ended.err).size(), 1u) << arguments << ": " << ended.err;
    };
    expect("99_none", 2, "no kernel '99_none'");
    expect("cpu_naive 09_tiled", 2, "name kernels of one");
    expect("cpu_tiled:x", 2, "KERNEL:TILE");
    expect("cpu_tiled:7 --cpu", 2, "not built in with TILE 7");
    expect("cpu_tiled --tile 7", 2, "not built in with TILE 7");
    expect("cpu_tiled --sizes 0", 2, "--sizes takes");
    expect("cpu_tiled --sizes 4x4", 2, "--sizes takes");
    expect("cpu_tiled --sizes 9999999", 2, "use extents from 1 to 1048576");
    expect("cpu_tiled --sizes 9999999999", 2, "--sizes takes");
    expect("cpu_tiled --define TILE=8", 2, "--define is for a kernel of your own");
    expect("cpu_tiled --launch 1", 2, "--launch is for a kernel of your own");
    expect("cpu_tiled --repeats 0", 2, "--repeats takes");
    expect("cpu_tiled --json --csv", 2, "excludes");
    expect("cpu_tiled --cpu --gpu", 2, "excludes");
    expect("--open none.json", 1, "no such file");
    expect("--open broken.json", 1, "not a race");
    expect("--open broken.json --sizes 4", 2, "leave out");
    expect("broken.json", 1, "not a race");
    expect("broken.json cpu_tiled", 2, "leave out");
    expect("cpu_tiled --sizes 16 --light", 2,
           "give --png, --svg, --pdf, --gif, --mp4 or --webm with a FILE");
    expect("cpu_tiled --sizes 16 --plot gflops", 2,
           "give --png, --svg, --pdf, --gif, --mp4 or --webm with a FILE");
    expect("cpu_tiled --png a.png --plot pie", 2, "roofline");
    expect("cpu_tiled --png a.png --size 1x1", 2, "--size takes");
    expect("cpu_tiled --compare none.json", 1, "no such file");
    expect("cpu_tiled --sizes 16 -o none/race.json", 1, "folder does not exist");
    expect("cpu_tiled --sizes 16 -o .", 1, "folder");
}

}  // namespace
}  // namespace tilereel::tests::race_command_test
