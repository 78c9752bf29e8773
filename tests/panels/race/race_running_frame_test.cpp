// The Race mode while a race runs: which contender runs, Cancel, races of one size, and what the
// menu says of each race.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/panels/race/race_views.h"
#include "app/race/files/race_file.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/race/race_window.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::race_running_frame_test {
namespace {

constexpr std::uint32_t kTiled = 1, kLast = 6, k256 = 0, k1024 = 1;

// The race as run_race() reports it, up to `samples` of the size k1024.
void run_up_to(RaceWindow& window, std::uint32_t samples) {
    Race race = hardware_race();
    race.recorded = false;
    const auto contenders = static_cast<std::uint32_t>(race.request.contenders.size());
    RaceBench& bench = window.bench.races();
    bench.begin_again(race);
    for (const std::uint32_t size : {k256, k1024}) {
        for (std::uint32_t c = 0; c < contenders; ++c)
            bench.add_event(Verified{.contender = c, .size = size});
        const std::uint32_t all = size == k256 ? contenders * 7 : samples;
        for (std::uint32_t i = 0; i < all; ++i)
            bench.add_event(Sample{.contender = i % contenders,
                                   .size = size,
                                   .repeat = i / contenders,
                                   .milliseconds = 1,
                                   .rate = 1000.0 + i % contenders});
    }
    window.driver.frames(2);
}

bool seen(RaceWindow& window, std::string_view words) {
    const auto texts = texts_of([&] { window.driver.frame(); });
    return std::ranges::any_of(
        texts, [&](const DrawnText& each) { return each.text.find(words) != std::string::npos; });
}

TEST(RaceRunning, SaysWhichContenderRunsAndItsRepetition) {
    struct Size {
        float width, height;
        int text_px;
    };
    for (const Size& size : {Size{1920, 1080, 14}, Size{1280, 720, 28}, Size{1366, 768, 14}}) {
        RaceWindow window({.width = size.width, .height = size.height, .text_px = size.text_px});
        run_up_to(window, 7 * 2 + 1);  // two repetitions, and the reference's third
        EXPECT_TRUE(seen(window, "09 tiled 32, 3 of 7")) << size.width << " " << size.text_px;
        EXPECT_TRUE(window.driver.has("race.pulse." + std::to_string(kTiled))) << size.text_px;
        run_up_to(window, 7);
        EXPECT_TRUE(seen(window, "cuBLAS FP32, 2 of 7"));
        run_up_to(window, 6);
        EXPECT_TRUE(
            seen(window, short_name(hardware_race().request.contenders[kLast]) + ", 1 of 7"));
        EXPECT_TRUE(window.driver.has("race.pulse." + std::to_string(kLast)));
        run_up_to(window, 0);
        EXPECT_TRUE(seen(window, "warming up"));
        window.bench.races().end();
        window.driver.frames(2);
        EXPECT_FALSE(seen(window, "warming up"));
        EXPECT_FALSE(window.driver.has("race.pulse." + std::to_string(kTiled)));
    }
}

// The pointer rests where Cancel was: a second click right after neither starts a race nor saves.
TEST(RaceRunning, ASecondClickOnCancelDoesNothing) {
    for (const float width : {1280.0f, 1366.0f, 1920.0f, 3440.0f})
        for (const int text_px : {14, 28}) {
            RaceWindow window({.width = width, .height = width * 9 / 16, .text_px = text_px});
            run_up_to(window, 7);
            const ImVec2 at = window.driver.rect_of("race.cancel").center();
            window.driver.click_at(at);
            EXPECT_TRUE(window.races().cancelling());
            window.bench.races().end();
            for (int clicks = 0; clicks < 3; ++clicks) window.driver.click_at(at);
            EXPECT_FALSE(window.races().racing()) << width << " " << text_px;
            EXPECT_EQ(window.races().shown()->race.samples.size(), 7u * 7 + 7);
            EXPECT_FALSE(window.driver.has("save.path")) << width << " " << text_px;
            // After a while, the same click acts on what is there.
            window.driver.frames(90);
            const Rect start = window.driver.rect_of("race.start");
            window.driver.click_at(start.center());
            EXPECT_NE(window.races().shown()->race.samples.size(), 7u * 7 + 7);
        }
}

TEST(RaceRunning, ARaceOfOneSizeHasBars) {
    Race race = hardware_race();
    const std::size_t k4096 = 2;
    race.request.sizes = {race.request.sizes[k4096]};
    std::erase_if(race.samples, [](const Sample& sample) { return sample.size != k4096; });
    std::erase_if(race.verified, [](const Verified& verified) { return verified.size != k4096; });
    for (Sample& sample : race.samples) sample.size = 0;
    for (Verified& verified : race.verified) verified.size = 0;
    for (const int text_px : {14, 28}) {
        RaceWindow window({.race = race, .text_px = text_px});
        const Rect plot = window.driver.rect_of("race.plot");
        const auto length = [&](std::uint32_t c) {
            const Rect bar = window.driver.rect_of("race.bar.length." + std::to_string(c));
            EXPECT_TRUE(inside(bar, plot)) << c << " " << text_px;
            return bar.w;
        };
        // In proportion to the medians; the bars begin at 0.
        const double share = kHardwareRows[5].gflops[k4096] / kHardwareRows[0].gflops[k4096];
        EXPECT_NEAR(length(5) / length(0), share, 0.01);
        EXPECT_TRUE(seen(window, "GFLOPS at N = 4,096"));
        window.driver.hover("race.bar.5");
        EXPECT_TRUE(seen(window, "click: replay it"));
        window.driver.click("race.bar.5");
        EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed");
        EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    }
    RaceWindow many;
    EXPECT_FALSE(many.driver.has("race.bar.0")) << "lines over N";
}

TEST(RaceRunning, TheMenuSaysWhatEachRaceHolds) {
    const tests::ScratchFolder folder;
    const auto file = folder / "h100.json", damaged = folder / "damaged.json";
    ASSERT_TRUE(write_race(hardware_race(), file).has_value());
    std::ofstream(damaged) << "{";
    RaceWindow window({.width = 1280, .height = 720, .text_px = 28, .files = {file, damaged}});
    window.driver.click("chip.race");
    window.driver.frames(2);
    EXPECT_TRUE(seen(window, "2026-11-21"));
    EXPECT_EQ(
        window.races().summary(0),
        "NVIDIA H100 80GB HBM3, 2026-11-21. 7 contenders of 5 kernels; N = 256 to 8,192; cold "
        "caches.");
    EXPECT_FALSE(window.races().summary(1).empty()) << "why it cannot be opened";
    // No words run under the buttons of their rows.
    const Rect button = window.driver.rect_of("chip.race.compare.1");
    const auto texts = texts_of([&] { window.driver.frame(); });
    const auto label = std::ranges::find(texts, "compare", &DrawnText::text);
    ASSERT_NE(label, texts.end());
    for (const DrawnText& text : texts)
        EXPECT_FALSE(text.list == label->list && text.text != "compare" &&
                     overlap(text.box, button, 1))
            << text.text;
}

}  // namespace
}  // namespace tilereel::race_running_frame_test
