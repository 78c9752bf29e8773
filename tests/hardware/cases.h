#pragma once
// What is measured on a GPU: kernels and the sizes they are run at.
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "kernels/cuda/champion_choice.h"

namespace tilereel::hardware {

struct Case {
    std::string_view kernel;
    KernelParameters parameters;
};

// Every kernel at every TILE and PAD at the sizes that the window and the commands begin with, and
// each at more: small, rectangular (ragged, where the kernel takes that), and 256 cubed.
[[nodiscard]] std::vector<Case> counted_cases();
// Every kernel once: small, for tools that make a launch a thousand times slower.
[[nodiscard]] std::vector<Case> small_cases();
// For the speed of recording.
[[nodiscard]] std::vector<Case> large_cases();

// A launch of 20_champion on the GPU as a race has it.
struct ChampionCase {
    ChampionSize size;
    ChampionChoice choice;
    std::size_t offset = 0;  // floats from a multiple of 16 bytes to each matrix
};
// Small ones through every path of its kernels.
[[nodiscard]] std::vector<ChampionCase> champion_cases();

}  // namespace tilereel::hardware
