// The kernel of the open program in the next race, with made-up tools in place of nvcc and of the
// process that races.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trace/program_traces.h"
#include "tests/workbench/fake_gpu_bench.h"
#include "tests/workbench/fake_own_tools.h"

namespace tilereel::race_own_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RaceBench bench_with(OwnLog& log, RunnerFactory factory = fake_gpu(), bool on_worker = false) {
    return RaceBench({.runner = std::move(factory),
                      .own = fake_own_tools(log),
                      .recorded = {},
                      .save_folder = ".",
                      .on_worker = on_worker});
}

std::vector<std::string> names(const std::vector<Contender>& contenders) {
    std::vector<std::string> all;
    for (const Contender& each : contenders) all.push_back(each.kernel);
    return all;
}

TEST(RaceOwn, AProductRacesBesideTheChosenContenders) {
    OwnLog log;
    RaceBench bench = bench_with(log);
    EXPECT_EQ(bench.own(), nullptr);
    bench.apply(RaceOwn{});
    EXPECT_THAT(bench.message(), HasSubstr("Open a CUDA program first"));
    choose_two(bench);
    bench.offer(offer_of());
    ASSERT_NE(bench.own(), nullptr);
    EXPECT_EQ(bench.own()->call(), kOwnCall);
    EXPECT_EQ(bench.why_own_cannot(), "");
    bench.apply(RaceOwn{});
    EXPECT_EQ(bench.message(), "");
    ASSERT_EQ(log.prepared.size(), 1u);
    EXPECT_EQ(log.prepared[0].source.file, "/folder/multiply.cu");
    EXPECT_EQ(log.prepared[0].text, "") << "as recognised";
    ASSERT_NE(bench.shown(), nullptr);
    EXPECT_THAT(names(bench.shown()->race.request.contenders),
                ElementsAre("08_tiled_b_transposed", "08_tiled_b_transposed", "multiply.cu"));
    EXPECT_EQ(bench.shown()->race.samples.size(), 3u);
    EXPECT_EQ(bench.focus(), 2u) << "it is the one in the accent colour";
    EXPECT_TRUE(bench.shown()->race.complete);
    EXPECT_EQ(log.libraries, std::vector<std::string>{"/made/multiply.cu.so"});
    // It stays chosen; again: it is left out.
    EXPECT_EQ(bench.next().contenders.size(), 3u);
    bench.apply(ToggleOwn{});
    EXPECT_EQ(bench.next().contenders.size(), 2u);
}

TEST(RaceOwn, ItsLaunchAndValuesCanBeSet) {
    OwnLog log;
    RaceBench bench = bench_with(log);
    choose_two(bench);
    bench.offer(offer_of());
    const std::string call = "multiply<<<dim3(N / 8, M / 8), dim3(8, 8)>>>(A, B, C, N)";
    bench.apply(SetOwnCall{call});
    bench.apply(SetOwnValues{"TILE=8,16"});
    EXPECT_EQ(bench.own()->call(), call);
    bench.apply(RaceOwn{});
    ASSERT_EQ(log.prepared.size(), 2u);
    EXPECT_EQ(log.prepared[0].text, call);
    EXPECT_EQ(log.prepared[1].source.value, std::pair(std::string("TILE"), std::string("16")));
    EXPECT_THAT(names(bench.shown()->race.request.contenders),
                ElementsAre("08_tiled_b_transposed", "08_tiled_b_transposed", "multiply.cu TILE=8",
                            "multiply.cu TILE=16"));
    // Other values replace the contenders that were chosen.
    bench.apply(SetOwnValues{"TILE=4"});
    EXPECT_EQ(bench.next().contenders.back().kernel, "multiply.cu TILE=4");
    EXPECT_EQ(bench.next().contenders.size(), 3u);
    bench.apply(SetOwnValues{"TILE"});
    EXPECT_THAT(bench.message(), HasSubstr("is not NAME=VALUE"));
    bench.apply(SetOwnValues{""});
    bench.apply(SetOwnCall{""});
    EXPECT_EQ(bench.own()->call(), kOwnCall) << "empty: as recognised";
}

TEST(RaceOwn, WhatIsNoProductRacesAloneOverN) {
    OwnLog log;
    log.is_product = false;
    RaceBench bench = bench_with(log);
    choose_two(bench);
    bench.offer(offer_of());
    EXPECT_FALSE(bench.own()->is_product);
    bench.apply(ToggleOwn{});
    EXPECT_EQ(bench.next().contenders.size(), 2u) << "not beside products";
    bench.apply(RaceOwn{});
    ASSERT_NE(bench.shown(), nullptr) << bench.message();
    const Race& race = bench.shown()->race;
    EXPECT_THAT(names(race.request.contenders), ElementsAre("multiply.cu"));
    EXPECT_FALSE(is_of_products(race.request));
    EXPECT_EQ(race.request.sizes.front().n, 1000) << "the program's own";
    EXPECT_EQ(log.prepared[0].sizes, race.request.sizes);
    EXPECT_EQ(bench.next().contenders.size(), 2u);
}

TEST(RaceOwn, ErrorsOfTheCompilerKeepTheirLines) {
    OwnLog log;
    log.refused = {{"multiply.cu", 12, 0, "identifier \"k\" is undefined"}};
    RaceBench bench = bench_with(log);
    choose_two(bench);
    bench.offer(offer_of());
    bench.apply(RaceOwn{});
    EXPECT_EQ(bench.shown(), nullptr);
    EXPECT_THAT(bench.message(), HasSubstr("multiply.cu does not compile"));
    ASSERT_EQ(bench.own()->errors.size(), 1u);
    EXPECT_EQ(bench.own()->errors[0].line, 12u);
    EXPECT_FALSE(bench.racing());
    log.refused.clear();
    bench.apply(RaceOwn{});
    EXPECT_TRUE(bench.own()->errors.empty());
    EXPECT_NE(bench.shown(), nullptr);
}

TEST(RaceOwn, WhatIsMissingIsASentence) {
    const auto why = [](OwnLog log, RunnerFactory factory, bool sandbox = false) {
        RaceBench bench = bench_with(log, std::move(factory));
        bench.apply(FindDevice{});
        OwnOffer offer = offer_of();
        offer.program.in_sandbox = sandbox;
        bench.offer(std::move(offer));
        bench.apply(RaceOwn{});
        EXPECT_EQ(bench.message(), bench.why_own_cannot());
        EXPECT_TRUE(log.prepared.empty());
        return bench.message();
    };
    EXPECT_THAT(why({.missing = "there is no nvcc here"}, fake_gpu()), HasSubstr("no nvcc"));
    EXPECT_THAT(why({.unclear = "what the parameter mode stands for is not clear"}, fake_gpu()),
                HasSubstr("the parameter mode"));
    EXPECT_THAT(why({}, fake_gpu(), true), HasSubstr("trust its folder first"));
    EXPECT_THAT(why({},
                    [] {
                        return FoundRunner{nullptr, "no GPU and no CPU"};
                    }),
                HasSubstr("no GPU"));
    EXPECT_THAT(why({},
                    [] {
                        return FoundRunner{std::make_unique<FakeRunner>(), "no GPU was found"};
                    }),
                HasSubstr("races on a GPU: no GPU was found"));
}

// A new recording of the same kernel, as after a save, keeps what was typed; another program does
// not.
TEST(RaceOwn, WhatWasTypedStaysWithTheKernel) {
    OwnLog log;
    RaceBench bench = bench_with(log);
    choose_two(bench);
    bench.offer(offer_of());
    bench.apply(SetOwnCall{"f<<<1, N>>>(A, B, C)"});
    bench.apply(SetOwnValues{"TILE=8"});
    bench.apply(ToggleOwn{});
    OwnOffer saved = offer_of();
    saved.recording = 2;
    bench.offer(saved);
    EXPECT_EQ(bench.own()->call(), "f<<<1, N>>>(A, B, C)");
    EXPECT_EQ(bench.own()->values, "TILE=8");
    EXPECT_EQ(bench.next().contenders.size(), 3u);
    OwnOffer other = offer_of();
    other.recording = 3;
    other.program.file = "/folder/other.cu";
    bench.offer(other);
    EXPECT_EQ(bench.own()->call(), kOwnCall);
    EXPECT_EQ(bench.next().contenders.size(), 2u) << "the former program's kernel is gone";
}

TEST(RaceOwn, IsCancelled) {
    OwnLog log;
    const auto gate = std::make_shared<Gate>();
    log.gate = [gate](const std::atomic<bool>& cancel) { gate->wait(cancel); };
    RaceBench bench = bench_with(log, fake_gpu(), true);
    bench.apply(FindDevice{});
    ASSERT_TRUE(frames_until(bench, [&] { return bench.machine() != nullptr; }));
    choose_two(bench);
    bench.offer(offer_of());
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.own()->recognising; }));
    bench.apply(RaceOwn{});
    ASSERT_TRUE(frames_until(bench, [&] { return gate->waiting() > 0; }));
    ASSERT_TRUE(frames_until(bench, [&] { return bench.stage() == "Compiling multiply.cu"; }));
    EXPECT_TRUE(bench.preparing());
    bench.apply(CancelRace{});
    ASSERT_TRUE(frames_until(bench, [&] { return !bench.racing(); }));
    EXPECT_EQ(bench.stage(), "");
    EXPECT_EQ(bench.shown(), nullptr);
    EXPECT_EQ(bench.message(), "");
}

}  // namespace
}  // namespace tilereel::race_own_test
