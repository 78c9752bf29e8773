#pragma once
// What a race means, in words: computed from its figures by rule.
#include <functional>

#include "app/replay/replay.h"
#include "app/workbench/race_figures.h"

namespace tilereel {

// "6,977", "48.3", "0.92": GFLOPS, GB/s and their like.
[[nodiscard]] std::string figure_text(double value);
// "x4.3", "x0.98", "x120"
[[nodiscard]] std::string times_text(double factor);
// "N = 4096", "M N K = 1000 3000 700"
[[nodiscard]] std::string size_text(const ProductSize& size);
// "NVIDIA H100 80GB HBM3", "CPU: AMD EPYC, 2 threads"
[[nodiscard]] std::string machine_text(const RaceMachine& machine);

struct RaceSentenceFacts {
    const Race& race;
    const RaceFigures& figures;
    std::optional<std::uint32_t> chosen{};  // the contender the sentence is about, if it can be
    bool running = false;
    // nullptr where the contender has not been recorded
    std::function<const SizedCounts*(const Contender&)> counts{};
};
[[nodiscard]] Sentence race_sentence(const RaceSentenceFacts& facts);

}  // namespace tilereel
