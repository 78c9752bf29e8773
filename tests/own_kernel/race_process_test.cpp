// Races in a process of its own: its command line, what it tells, and how it ends. The process is a
// script in place of tilereel.
#include "app/own_kernel/race_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/race/files/race_file.h"
#include "tests/race/hardware_race.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::race_process_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RaceRequest request() {
    RaceRequest request;
    request.contenders = {{"multiply.cu"}, {"cublas"}, {"09_tiled", 32, 1}, {"20_champion"}};
    request.sizes = {{512, 512, 512}, {1000, 3000, 700}};
    request.repeats = 3;
    request.seed = 7;
    return request;
}

TEST(RaceProcess, IsCalledAsOnTheCommandLine) {
    const auto command = race_command(
        request(), {.program = "/usr/bin/tilereel", .libraries = {"/tmp/a/own.so"}, .begun = {}});
    EXPECT_THAT(command,
                ElementsAre("/usr/bin/tilereel", "race", "cublas", "09_tiled:32:1", "20_champion",
                            "/tmp/a/own.so", "--gpu", "--sizes", "512,1000x3000x700", "--repeats",
                            "3", "--seconds", "5", "--seed", "7", "--cold", "--events", "3"));
}

class RaceProcessTest : public ::testing::Test {
  protected:
    // Runs a shell script as the process. $LINES is a file with the events of a race.
    Status run(const std::string& script) {
        const Race raced = hardware_race(2);
        std::ofstream lines(folder_ / "lines");
        lines << race_line(raced);
        for (const Verified& verified : raced.verified) lines << event_line(verified);
        for (const Sample& sample : raced.samples) lines << event_line(sample);
        lines.close();
        const auto program = folder_ / "race.sh";
        std::ofstream(program) << "#!/bin/sh\nLINES='" << (folder_ / "lines").string() << "'\n"
                               << script << "\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return race_in_process(request(),
                               {.program = program,
                                .libraries = {},
                                .begun = [this](const Race& race) { begun_.push_back(race); },
                                .listener =
                                    [this](const RaceEvent& event) {
                                        events_.push_back(event);
                                        if (events_.size() == cancel_after_) cancel_ = true;
                                    }},
                               cancel_);
    }
    tests::ScratchFolder folder_;
    std::vector<Race> begun_;
    std::vector<RaceEvent> events_;
    std::size_t cancel_after_ = 0;
    std::atomic<bool> cancel_ = false;
};

TEST_F(RaceProcessTest, ItsEventsArriveAsTheyWere) {
    const Status ended = run("cat \"$LINES\" >&3; echo what a kernel prints");
    ASSERT_TRUE(ended) << ended.error().message;
    Race expected = hardware_race(2);
    ASSERT_EQ(begun_.size(), 1u);
    EXPECT_EQ(begun_[0].request, expected.request);
    EXPECT_EQ(begun_[0].machine.device, expected.machine.device);
    EXPECT_FALSE(begun_[0].recorded);
    EXPECT_TRUE(begun_[0].samples.empty());
    Race heard = begun_[0];
    for (const RaceEvent& event : events_) add(heard, event);
    ASSERT_EQ(heard.samples.size(), expected.samples.size());
    EXPECT_EQ(heard.verified.size(), expected.verified.size());
    for (std::size_t i = 0; i < heard.samples.size(); ++i) {
        EXPECT_EQ(heard.samples[i].milliseconds, expected.samples[i].milliseconds);
        EXPECT_NEAR(heard.samples[i].rate, expected.samples[i].rate, 1e-6);
    }
}

// The program itself, with kernels of the CPU. What it prints besides disturbs nothing.
TEST_F(RaceProcessTest, TheProgramWritesSuchLines) {
    const Status ended = run("echo noise; exec '" TILEREEL_PROGRAM
                             "' race cpu_tiled:16:0 cpu_naive --cpu --sizes 64,100 --repeats 2 "
                             "--seconds 0 --threads 1 --events 3");
    ASSERT_TRUE(ended) << ended.error().message;
    ASSERT_EQ(begun_.size(), 1u);
    EXPECT_EQ(begun_[0].request.contenders.size(), 2u) << "no reference unless it is named";
    Race heard = begun_[0];
    for (const RaceEvent& event : events_) add(heard, event);
    EXPECT_EQ(heard.verified.size(), 4u);
    EXPECT_GE(heard.samples.size(), 4u);
    for (const Sample& sample : heard.samples) EXPECT_GT(sample.rate, 0);
}

TEST_F(RaceProcessTest, AnErrorIsItsLastWord) {
    const Status ended = run("echo working; echo 'tilereel: no GPU works here' >&2; exit 1");
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().message, "no GPU works here");
    EXPECT_TRUE(begun_.empty());
}

// What it has told until then stays.
TEST_F(RaceProcessTest, ACrashIsNamed) {
    const Status ended = run("head -n 20 \"$LINES\" >&3; kill -SEGV $$");
    ASSERT_FALSE(ended);
    EXPECT_THAT(ended.error().message, HasSubstr("signal 11"));
    EXPECT_EQ(events_.size(), 19u);
}

// A kernel can write to the descriptor, too: nothing of it is believed.
TEST_F(RaceProcessTest, OtherLinesEndTheRace) {
    for (const char* const lie :
         {"hello", "{}", "{\"sample\": {}}",
          "{\"sample\": {\"contender\": 99, \"size\": 0, \"repeat\": 0, \"launches\": 1, "
          "\"milliseconds\": 1}}",
          "{\"verified\": [[[[]]]]}"}) {
        events_.clear();
        begun_.clear();
        const Status ended = run("head -n 1 \"$LINES\" >&3; echo '" + std::string(lie) + "' >&3");
        ASSERT_FALSE(ended) << lie;
        EXPECT_THAT(ended.error().message, HasSubstr("something else than a race"));
        EXPECT_TRUE(events_.empty());
    }
}

TEST_F(RaceProcessTest, AProcessThatDoesNotEndIsCancelled) {
    cancel_after_ = 3;
    const Status ended = run("cat \"$LINES\" >&3; sleep 1000");
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace tilereel::race_process_test
