#pragma once
// Which wavefront of a shared-memory request serves which lane.
#include <array>
#include <cstdint>

#include "instrumentation/analysis/cost/warp_access.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {

// How the banks serve one shared-memory request, wavefront by wavefront. Lanes are served in
// ascending order: an assumption, because the hardware counts wavefronts but does not report their
// order. Banks that a generation does not have stay empty.
struct BankService {
    static constexpr std::uint8_t kOff = 0xff;
    std::array<std::uint8_t, kWarpSize> bank{};       // of each lane's first word; kOff: inactive
    std::array<std::uint8_t, kWarpSize> wavefront{};  // that completes each lane, from 0
    std::array<std::uint8_t, 32> words_in_bank{};     // distinct words accessed in each bank
    // The most distinct words that one group of lanes accesses in each bank.
    std::array<std::uint8_t, 32> worst_group_words{};
    // The most wavefronts in which each bank serves one group of lanes; more than 1 is a conflict.
    // It can exceed the words if only one word per step is broadcast (SharedRules, 1.x).
    std::array<std::uint8_t, 32> worst_group_wavefronts{};
    std::uint32_t banks_used = 0;
};
[[nodiscard]] BankService bank_service(const WarpAccess& access,
                                       const Generation& generation = default_generation());

}  // namespace tilereel
