#pragma once
// The cost of one warp-wide access: wavefronts and bank conflicts in shared memory, sectors and
// lines in global memory.
//
// Accesses of 1 and 2 bytes: a bank serves whole words, so lanes that access different bytes of one
// word do not conflict (CUDA C++ Programming Guide, "Shared Memory").
// Constant memory: one wavefront for each distinct address ("Constant Memory": a request is split
// into as many requests as it has different addresses).
// Atomics: their words and sectors are counted by the rules of a store. Lanes that change the same
// address are serialised by rules that NVIDIA does not publish. That is not part of wavefronts or
// ticks; `collisions` counts such lanes.
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "instrumentation/analysis/cost/bank_service.h"
#include "instrumentation/analysis/cost/warp_access.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct RequestCost {
    std::uint32_t lanes = 0;             // active
    std::uint32_t lanes_off = 0;         // of a warp of 32 threads: the others
    std::uint32_t wavefronts = 0;        // shared and constant
    std::uint32_t ideal_wavefronts = 0;  // without bank conflicts; constant: 1
    std::uint32_t bank_conflicts = 0;    // shared only: wavefronts - ideal_wavefronts
    std::uint32_t transactions = 0;      // global: in units of GlobalRules::unit
    std::uint32_t sectors = 0;           // global: 32 bytes each, bytes_moved / 32
    std::uint32_t lines = 0;             // global: passes of the memory pipe: 128-byte lines from
                                         // 2.0 on, transactions before that
    std::uint32_t bytes_requested = 0;   // lanes x width
    std::uint32_t bytes_used = 0;        // global: moved bytes that lanes access; bytes that lanes
                                         // served together share count once
    std::uint32_t bytes_moved = 0;       // global; shared: 0
    std::uint32_t collisions = 0;        // atomics: lanes beyond the first at each address
    bool operator==(const RequestCost&) const = default;
};
[[nodiscard]] RequestCost cost_of(const WarpAccess& access,
                                  const Generation& generation = default_generation());

[[nodiscard]] WarpAccess access_of(const Trace& trace, std::size_t record);

// cost_of() for the records of one trace, computed once for each distinct combination of pattern,
// site and base mod 128 (for a copy: of its load and its store). The trace must outlive it.
// References are valid during the lifetime of the cache.
class CostCache {
  public:
    explicit CostCache(const Trace& trace, const Generation& generation = default_generation());
    [[nodiscard]] const RequestCost& operator()(std::size_t record);  // accesses only

    // A small dense number of the record's cost, equal for records with that combination. A sum
    // over a trace can count the records of each slot and multiply once. Accesses only.
    [[nodiscard]] std::uint32_t slot_of(std::size_t record);
    [[nodiscard]] std::size_t slots() const { return costs_.size(); }
    [[nodiscard]] const RequestCost& cost_in(std::uint32_t slot) const { return costs_[slot]; }
    [[nodiscard]] SiteId site_in(std::uint32_t slot) const { return sites_[slot]; }

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    // The slots of one pattern at one site, by (base mod 128) / 4. The rows of a pattern are a
    // linked list, because nearly every pattern belongs to one site.
    struct Row {
        SiteId site = 0;
        std::uint8_t byte = 0;  // base mod 4
        std::uint32_t next = kNone;
        std::array<std::uint32_t, 32> slot{};
    };
    [[nodiscard]] std::uint32_t row_of(std::uint32_t pattern, SiteId site, std::uint8_t byte);
    [[nodiscard]] std::uint32_t slot_of_copy(std::size_t record);
    [[nodiscard]] std::uint32_t add_slot(std::size_t record);

    const Trace& trace_;
    const Generation& generation_;
    std::vector<std::uint32_t> first_row_;  // per pattern
    std::vector<Row> rows_;
    std::deque<RequestCost> costs_;  // per slot; a deque keeps references valid
    std::vector<SiteId> sites_;      // per slot
    // Slots of copies, by site, and by pattern and (base mod 128) of either side.
    std::map<std::array<std::uint32_t, 5>, std::uint32_t> copies_;
};

}  // namespace tilereel
