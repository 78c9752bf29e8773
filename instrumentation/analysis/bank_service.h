#pragma once
// Which wavefront of a shared request serves which lane.
#include <array>
#include <cstdint>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/analysis/warp_access.h"

namespace tilereel {

// How the banks serve one shared request, wavefront by wavefront. Lanes queue in lane order: the
// hardware counts wavefronts but does not say in which order it serves them. Banks that a
// generation does not have stay empty.
struct BankService {
    static constexpr std::uint8_t kOff = 0xff;
    std::array<std::uint8_t, kWarpSize> bank{};       // of each lane's first word; kOff: inactive
    std::array<std::uint8_t, kWarpSize> wavefront{};  // 0-based, that completes each lane
    std::array<std::uint8_t, 32> words_in_bank{};     // distinct words wanted from each bank
    // The most distinct words that one group of lanes wants from each bank.
    std::array<std::uint8_t, 32> worst_group_words{};
    // The most wavefronts in which each bank serves one group of lanes; over 1 is a conflict. More
    // than its words where only one word at a time goes to all lanes that want it (1.x).
    std::array<std::uint8_t, 32> worst_group_wavefronts{};
    std::uint32_t banks_used = 0;
};
[[nodiscard]] BankService bank_service(const WarpAccess& access,
                                       const Generation& generation = default_generation());

}  // namespace tilereel
