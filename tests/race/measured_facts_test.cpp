// The measured figures in facts agree with the race in assets/races.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "app/race/files/race_file.h"
#include "kernels/catalog.h"
#include "kernels/facts.h"

namespace tilereel::measured_facts_test {
namespace {

struct Ratio {
    const char* fact;
    Contender above, below;
};

// GFLOPS of a contender at N x N x N: the median of its samples.
double median_gflops(const Race& race, const Contender& contender, int n) {
    const auto at = std::ranges::find(race.request.contenders, contender);
    if (at == race.request.contenders.end()) return 0;
    const auto number = static_cast<std::uint32_t>(at - race.request.contenders.begin());
    std::vector<double> samples;
    for (const Sample& sample : race.samples)
        if (sample.contender == number && race.request.sizes[sample.size].n == n)
            samples.push_back(2.0 * n * n * n / (sample.milliseconds * 1e6));
    std::ranges::sort(samples);
    const std::size_t half = samples.size() / 2;
    if (samples.empty()) return 0;
    return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

TEST(MeasuredFacts, SayWhatTheShippedRaceSays) {
    const Result<Race> race = read_race(TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json");
    ASSERT_TRUE(race) << race.error().message;
    const std::vector<Fact> facts = all_facts(16);
    constexpr double kTwoDecimals = 0.005;  // as printed
    for (const Ratio& ratio :
         {Ratio{"speed_up_tile_32", {"09_tiled", 32, 0}, {"02_naive", 32, 0}},
          Ratio{"speed_up_tile_16", {"09_tiled", 16, 0}, {"02_naive", 16, 0}},
          Ratio{"by_column_measured", {"02_naive", 32, 0}, {"01_naive_by_column", 32, 0}},
          Ratio{"padding_measured",
                {"08_tiled_b_transposed", 32, 1},
                {"08_tiled_b_transposed", 32, 0}}}) {
        const auto fact = std::ranges::find(facts, ratio.fact, &Fact::id);
        ASSERT_NE(fact, facts.end()) << ratio.fact;
        ASSERT_EQ(fact->figures.size(), 4u) << ratio.fact;
        for (const FactFigure& figure : fact->figures) {
            const int n = std::stoi(figure.name.substr(figure.name.find('=') + 1));
            const double raced =
                median_gflops(*race, ratio.above, n) / median_gflops(*race, ratio.below, n);
            EXPECT_NEAR(figure.value, raced, kTwoDecimals) << ratio.fact << ' ' << n;
        }
    }
}

// "//        16 vectorized TILE 128 PAD 4: 41,600", below "GFLOPS at 4096 in ..."
TEST(MeasuredFacts, CommentsOfTheLadderSayWhatTheShippedRaceSays) {
    const Result<Race> race = read_race(TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json");
    ASSERT_TRUE(race) << race.error().message;
    const std::regex figure(
        R"(\n//        (?:(\d\d) (\w+) TILE (\d+)(?: PAD (\d+))?|cuBLAS): ([0-9,]+)\n)");
    constexpr const char* kHeading = "// GFLOPS at 4096 in assets/races/h100_ladder.json";
    std::set<std::string_view> with_figures;
    for (const KernelInfo& kernel : catalog()) {
        const std::size_t heading = kernel.source.find(kHeading);
        EXPECT_EQ(kernel.source.find("GFLOPS") != std::string_view::npos,
                  heading != std::string_view::npos)
            << kernel.id << ": say which race the figures are from";
        std::cmatch words;
        if (heading == std::string_view::npos) continue;
        const char* from = kernel.source.data() + heading;
        const char* const end = kernel.source.data() + kernel.source.size();
        for (; std::regex_search(from, end, words, figure); from = words[5].second) {
            Contender contender{"cublas", 0, 0};
            if (words[1].matched)
                contender = {words[1].str() + "_" + words[2].str(), std::stoi(words[3]),
                             words[4].matched ? std::stoi(words[4]) : 0};
            std::string said = words[5];
            std::erase(said, ',');
            const double hundreds = std::round(median_gflops(*race, contender, 4096) / 100);
            EXPECT_EQ(std::stoi(said), static_cast<int>(hundreds) * 100)
                << kernel.id << ": " << contender.kernel;
            with_figures.insert(kernel.id);
        }
    }
    EXPECT_EQ(with_figures,
              (std::set<std::string_view>{"15_register_tile", "16_vectorized", "17_swizzled",
                                          "18_warp_tiled", "19_async_pipeline"}));
}

}  // namespace
}  // namespace tilereel::measured_facts_test
