#pragma once
// The cases that are measured on a GPU: kernels and their sizes.
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "kernels/cuda/champion/champion_choice.h"

namespace tilereel::hardware {

// The kernels to measure: all or one. Kernels with TMA copies need compute capability 9.0. Kernels
// for the CPU are left out.
struct Chosen {
    std::string_view kernel{};  // empty: all
    int compute_capability = 90;
    [[nodiscard]] bool has(const KernelInfo& info) const;
};

struct Case {
    std::string_view kernel;
    KernelParameters parameters;
};

// Every kernel at every TILE and PAD with 16 and 64 cubed, or the nearest sizes that it takes. Some
// TILEs also with other sizes: small, rectangular (ragged, where the kernel takes that), and 256
// cubed.
[[nodiscard]] std::vector<Case> counted_cases(const Chosen& chosen);
// Every kernel at every PAD, small: for tools that make a launch a thousand times slower.
[[nodiscard]] std::vector<Case> small_cases(const Chosen& chosen);
// The products of estimate.csv whose pipes are measured: 1024 and 4096 cubed.
[[nodiscard]] std::vector<Case> estimated_cases();
// Cases that measure the speed of recording.
[[nodiscard]] std::vector<Case> large_cases();

// A launch of 20_champion as it races on a GPU.
struct ChampionCase {
    ChampionSize size;
    ChampionChoice choice;
    std::size_t offset = 0;  // floats from a 16-byte boundary to the first element of each matrix
};
// Small launches that cover every path of the champion's kernels.
[[nodiscard]] std::vector<ChampionCase> champion_cases();

}  // namespace tilereel::hardware
