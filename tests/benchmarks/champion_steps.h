#pragma once
// The compiled variants of 20_champion, which champion_steps.py writes.
#include <vector>

#include "kernels/cuda/champion/champion_kernels.cuh"

namespace tilereel {

struct ChampionStep {
    const char* name;  // of the variant
    CompiledChampion kernel;
};
std::vector<ChampionStep> champion_steps();

}  // namespace tilereel
