#pragma once
// Describes a race in words, computed from its figures.
#include <functional>

#include "app/replay/replay.h"
#include "app/workbench/race/race_figures.h"

namespace tilereel {

// A figure in GFLOPS, GB/s etc.: "6,977", "48.3", "0.92".
[[nodiscard]] std::string figure_text(double value);
// "x4.3", "x0.98", "x120"
[[nodiscard]] std::string times_text(double factor);
// "N = 4,096", "M N K = 1,000 3,000 700"
[[nodiscard]] std::string size_text(const ProductSize& size);
// "NVIDIA H100 80GB HBM3", "CPU: AMD EPYC, 2 threads"
[[nodiscard]] std::string machine_text(const RaceMachine& machine);

struct RaceSentenceFacts {
    const Race& race;
    const RaceFigures& figures;
    std::optional<std::uint32_t> chosen{};  // the contender to describe, if it has figures
    bool running = false;
    // Returns nullptr if the contender has not been recorded.
    std::function<const SizedCounts*(const Contender&)> counts{};
};
[[nodiscard]] Sentence race_sentence(const RaceSentenceFacts& facts);

}  // namespace tilereel
