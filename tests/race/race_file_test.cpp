#include "app/race/files/race_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/race/sample_race.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::race_file_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

using tests::ScratchFolder;

void expect_same(const Race& a, const Race& b) {
    EXPECT_EQ(a.request, b.request);
    EXPECT_EQ(a.machine.gpu, b.machine.gpu);
    EXPECT_EQ(a.machine.device, b.machine.device);
    EXPECT_EQ(a.machine.driver, b.machine.driver);
    EXPECT_EQ(a.machine.toolkit, b.machine.toolkit);
    EXPECT_EQ(a.machine.reference, b.machine.reference);
    EXPECT_EQ(a.machine.threads, b.machine.threads);
    EXPECT_EQ(a.machine.compute_capability, b.machine.compute_capability);
    EXPECT_EQ(a.machine.multiprocessors, b.machine.multiprocessors);
    EXPECT_EQ(a.machine.last_cache_bytes, b.machine.last_cache_bytes);
    EXPECT_EQ(a.machine.measured_bandwidth_gbs, b.machine.measured_bandwidth_gbs);
    EXPECT_EQ(a.machine.measured_peak_gflops, b.machine.measured_peak_gflops);
    EXPECT_EQ(a.date, b.date);
    EXPECT_EQ(a.complete, b.complete);
    EXPECT_EQ(a.resources, b.resources);
    ASSERT_EQ(a.verified.size(), b.verified.size());
    for (std::size_t i = 0; i < a.verified.size(); ++i) {
        EXPECT_EQ(a.verified[i].contender, b.verified[i].contender);
        EXPECT_EQ(a.verified[i].size, b.verified[i].size);
        EXPECT_EQ(a.verified[i].outcome, b.verified[i].outcome);
        EXPECT_EQ(a.verified[i].worst_error, b.verified[i].worst_error);
        EXPECT_EQ(a.verified[i].sentence, b.verified[i].sentence);
        EXPECT_EQ(a.verified[i].checked, b.verified[i].checked);
    }
    ASSERT_EQ(a.samples.size(), b.samples.size());
    for (std::size_t i = 0; i < a.samples.size(); ++i) {
        EXPECT_EQ(a.samples[i].contender, b.samples[i].contender);
        EXPECT_EQ(a.samples[i].size, b.samples[i].size);
        EXPECT_EQ(a.samples[i].repeat, b.samples[i].repeat);
        EXPECT_EQ(a.samples[i].launches, b.samples[i].launches);
        EXPECT_EQ(a.samples[i].milliseconds, b.samples[i].milliseconds);
        EXPECT_EQ(a.samples[i].rate, b.samples[i].rate);
        EXPECT_EQ(a.samples[i].conditions.sm_clock_mhz, b.samples[i].conditions.sm_clock_mhz);
        EXPECT_EQ(a.samples[i].conditions.temperature_c, b.samples[i].conditions.temperature_c);
        EXPECT_EQ(a.samples[i].conditions.power_w, b.samples[i].conditions.power_w);
    }
}

TEST(RaceFile, ComesBackAsItWas) {
    const ScratchFolder folder;
    const Race race = sample_race();
    ASSERT_TRUE(write_race(race, folder / "race.json"));
    const auto read = read_race(folder / "race.json");
    ASSERT_TRUE(read) << read.error().message;
    expect_same(race, *read);
    EXPECT_TRUE(read->recorded);
    EXPECT_FALSE(race.recorded);
}

TEST(RaceFile, AnEmptyRaceComesBack) {
    const auto read = race_of_json(race_json(Race{}));
    ASSERT_TRUE(read) << read.error().message;
    expect_same(Race{}, *read);
}

TEST(RaceFile, IsPlainJsonWithoutNan) {
    Race race = sample_race();
    race.verified[1].worst_error = std::numeric_limits<double>::infinity();
    race.machine.measured_peak_gflops = std::numeric_limits<double>::quiet_NaN();
    const Json json = Json::parse(race_json(race));
    EXPECT_EQ(json["format"], "tilereel race");
    EXPECT_EQ(json["version"], 1);
    EXPECT_EQ(json["machine"]["device"], "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(json["request"]["sizes"][1], Json::array({1000, 3000, 700}));
    EXPECT_EQ(json["verified"][1]["outcome"], "wrong");
    EXPECT_EQ(json["samples"].size(), 3u);
    EXPECT_TRUE(race_of_json(race_json(race)));
}

TEST(RaceFile, SaysWhyItCannotBeRead) {
    const ScratchFolder folder;
    const auto expect = [](const std::filesystem::path& file, const char* why) {
        const auto read = read_race(file);
        ASSERT_FALSE(read) << why;
        EXPECT_EQ(read.error().kind, ErrorKind::kFailed);
        EXPECT_THAT(read.error().message, HasSubstr(why));
    };
    expect(folder / "absent.json", "no such file");
    expect(folder.path(), "not a file");
    std::ofstream(folder / "empty.json").close();
    expect(folder / "empty.json", "it is not a race");
    std::ofstream(folder / "huge.json").close();
    std::filesystem::resize_file(folder / "huge.json", kLargestRaceFileBytes + 1);
    expect(folder / "huge.json", "at most 32 MiB");
}

std::string error_of(const std::string& text) {
    const auto race = race_of_json(text);
    return race ? "" : race.error().message;
}

TEST(RaceOfJson, RefusesOtherFormatsAndLaterVersions) {
    EXPECT_THAT(error_of("[]"), HasSubstr("not a race"));
    EXPECT_THAT(error_of("null"), HasSubstr("not a race"));
    EXPECT_THAT(error_of(R"({"format": "tilereel trace", "version": 1})"), HasSubstr("not a race"));
    EXPECT_THAT(error_of(R"({"format": "tilereel race", "version": 3})"), HasSubstr("newer"));
    EXPECT_THAT(error_of("\xff\xfe"), HasSubstr("not a race"));
    EXPECT_THAT(error_of(std::string(20'000'000, '[')), HasSubstr("not a race"));
}

TEST(RaceOfJson, RefusesNumbersOutOfRange) {
    const Json good = Json::parse(race_json(sample_race()));
    ASSERT_EQ(error_of(good.dump()), "");
    struct Change {
        const char *place, *value, *named;
    };
    const auto huge = "\"" + std::string(3000, 'x') + "\"";
    for (const Change& change : std::initializer_list<Change>{
             {"/date", "7", "date"},
             {"/date", "\"a\\u001b[31m\"", "date"},
             {"/complete", "1", "complete"},
             {"/machine", "[]", "machine"},
             {"/machine/device", huge.c_str(), "machine"},
             {"/machine/threads", "-1", "machine"},
             {"/machine/measured_peak_gflops", "1e300", "machine"},
             {"/machine/measured_peak_gflops", "null", "machine"},
             {"/request/repeats", "0", "request"},
             {"/request/repeats", "1001", "request"},
             {"/request/repeats", "2.5", "request"},
             {"/request/seed", "18446744073709551616", "request"},
             {"/request/caches", "\"lukewarm\"", "request"},
             {"/request/sizes/0", "[1, 2]", "request"},
             {"/request/sizes/0", "[1, 2, 0]", "request"},
             {"/request/sizes/0", "[1, 2, 1048577]", "request"},
             {"/request/contenders/0/kernel", "\"\"", "request"},
             {"/request/contenders/0/tile", "1025", "request"},
             {"/resources/0", "3", "resources"},
             {"/resources/0/block_threads", "-1", "resources"},
             {"/verified/0/contender", "3", "verified"},
             {"/verified/0/size", "2", "verified"},
             {"/verified/0/outcome", "\"fast\"", "verified"},
             {"/verified/0/worst_error", "-1", "verified"},
             {"/verified/2/contender", "0", "verified"},  // twice the same
             {"/samples/0/contender", "3", "samples"},
             {"/samples/0/size", "2", "samples"},
             {"/samples/0/size", "1", "samples"},       // skipped there
             {"/samples/0/contender", "1", "samples"},  // wrong there
             {"/samples/0/repeat", "1", "samples"},     // twice the same
             {"/samples/0/launches", "0", "samples"},
             {"/samples/0/milliseconds", "0", "samples"},
             {"/samples/0/milliseconds", "-4", "samples"},
             {"/samples/0/milliseconds", "\"4\"", "samples"},
             {"/samples/2/power_w", "\"4\"", "samples"},
             {"/samples/2/temperature_c", "-300", "samples"}}) {
        Json json = good;
        json[Json::json_pointer(change.place)] = Json::parse(change.value);
        EXPECT_THAT(error_of(json.dump()), HasSubstr(change.named))
            << change.place << " = " << change.value;
    }
}

TEST(RaceOfJson, RefusesARaceThatLacksAMember) {
    const Json good = Json::parse(race_json(sample_race()));
    for (const char* member : {"/date", "/complete", "/machine/device", "/request/contenders",
                               "/resources/0/local_bytes", "/verified/0/outcome",
                               "/samples/0/milliseconds", "/samples", "/verified"}) {
        Json json = good;
        const Json::json_pointer place(member);
        json[place.parent_pointer()].erase(place.back());
        EXPECT_NE(error_of(json.dump()), "") << member;
    }
    Json json = good;
    json["resources"].erase(2);
    EXPECT_THAT(error_of(json.dump()), HasSubstr("resources"));
}

TEST(RaceOfJson, ComputesTheSpeedFromTheTime) {
    Json json = Json::parse(race_json(sample_race()));
    json["samples"][0]["gflops"] = 1e9;
    const auto race = race_of_json(json.dump());
    ASSERT_TRUE(race);
    EXPECT_EQ(race->samples[0].rate, 2.0 * 1024 * 1024 * 1024 / 0.25e6);
}

// Cut off anywhere, or with any one byte changed: a sentence or a sound race, never a crash.
TEST(RaceOfJson, SurvivesDamage) {
    const std::string good = race_json(sample_race());
    for (std::size_t length = 0; length + 2 < good.size(); ++length)
        EXPECT_NE(error_of(good.substr(0, length)), "") << length;
    std::mt19937 random(1);
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string damaged = good;
        damaged[at] = static_cast<char>(random());
        const auto race = race_of_json(damaged);
        if (!race) continue;
        for (const Sample& sample : race->samples) {
            ASSERT_LT(sample.contender, race->request.contenders.size());
            ASSERT_LT(sample.size, race->request.sizes.size());
            ASSERT_TRUE(std::isfinite(sample.rate));
        }
    }
}

// A race of what is no product has its bytes at each size, and outcomes that are no verdict.
TEST(RaceFile, KeepsARaceOfBytes) {
    Race race = sample_race();
    race.request.contenders = {{"sum.cu TILE=8"}};
    race.request.sizes = {{1000, 1000, 1000}, {1 << 26, 1 << 26, 1 << 26}};
    race.request.bytes = {4000.5, 268435456};
    race.resources.clear();
    race.verified = {{.contender = 0, .size = 0, .checked = "every element"},
                     {.contender = 0,
                      .size = 1,
                      .outcome = Outcome::kUnchecked,
                      .sentence = "the same from launch to launch"}};
    race.samples = {{.contender = 0, .size = 1, .repeat = 0, .launches = 3, .milliseconds = 0.5}};
    const std::string text = race_json(race);
    const auto read = race_of_json(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->request, race.request);
    EXPECT_EQ(read->verified[1].outcome, Outcome::kUnchecked);
    EXPECT_DOUBLE_EQ(read->samples[0].rate, 268435456 / 0.5e6);
    EXPECT_NE(text.find("\"version\": 2"), std::string::npos);
    EXPECT_NE(race_json(sample_race()).find("\"version\": 1"), std::string::npos)
        << "a former Tilereel reads races of products";
    // One number for each size, and above 0.
    for (const char* const wrong : {"[4000.5]", "[4000.5,0]", "[4000.5,\"x\"]", "7"}) {
        std::string damaged = text;
        const std::string bytes = "[4000.5,268435456.0]";
        ASSERT_NE(damaged.find(bytes), std::string::npos);
        damaged.replace(damaged.find(bytes), bytes.size(), wrong);
        EXPECT_FALSE(race_of_json(damaged)) << wrong;
    }
}

}  // namespace
}  // namespace tilereel::race_file_test
