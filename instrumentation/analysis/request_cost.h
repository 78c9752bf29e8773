#pragma once
// What one warp-wide access costs: wavefronts and bank conflicts in shared memory, sectors and
// lines in global memory.
#include <array>
#include <cstdint>
#include <unordered_map>

#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct WarpAccess {
    Space space = Space::kGlobal;
    Operation operation = Operation::kLoad;  // kLoad or kStore
    std::uint32_t width_bytes = 4;           // 4, 8 or 16
    LaneOffsets lanes;                       // multiples of width_bytes
};

struct RequestCost {
    std::uint32_t lanes = 0;             // active
    std::uint32_t wavefronts = 0;        // shared only
    std::uint32_t ideal_wavefronts = 0;  // shared only: non-empty groups of lanes
    std::uint32_t bank_conflicts = 0;    // shared only: wavefronts - ideal_wavefronts
    std::uint32_t sectors = 0;           // global only
    std::uint32_t lines = 0;             // global only
    std::uint32_t bytes_requested = 0;   // lanes x width
    std::uint32_t bytes_moved = 0;       // global: 32 x sectors; shared: 0
    bool operator==(const RequestCost&) const = default;
};
[[nodiscard]] RequestCost cost_of(const WarpAccess& access,
                                  const Generation& generation = default_generation());

// How the banks serve one shared request, wavefront by wavefront. Lanes queue in lane order: the
// hardware counts wavefronts but does not say in which order it serves them.
struct BankService {
    static constexpr std::uint8_t kOff = 0xff;
    std::array<std::uint8_t, kWarpSize> bank{};       // of each lane's first word; kOff: inactive
    std::array<std::uint8_t, kWarpSize> wavefront{};  // 0-based, that completes each lane
    std::array<std::uint8_t, 32> words_in_bank{};     // distinct words wanted from each bank
    std::uint32_t banks_used = 0;
};
[[nodiscard]] BankService bank_service(const WarpAccess& access,
                                       const Generation& generation = default_generation());

[[nodiscard]] WarpAccess access_of(const Trace& trace, std::size_t record);

// cost_of() for the records of one trace, each distinct (pattern, site kind, base mod 128) computed
// once. The trace must outlive it.
class CostCache {
  public:
    explicit CostCache(const Trace& trace, const Generation& generation = default_generation());
    [[nodiscard]] const RequestCost& operator()(std::size_t record);  // loads and stores only

  private:
    const Trace& trace_;
    const Generation& generation_;
    std::unordered_map<std::uint64_t, RequestCost> costs_;
};

}  // namespace tilereel
