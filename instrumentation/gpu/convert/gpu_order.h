#pragma once
// Where a recorded instruction stands in the order of the program, as if all functions were
// inlined: what a function does comes between its call and what follows the call, once for each
// path of calls that leads to it (ptx/module/ptx_calls.h). Lanes that diverged in a function, or of
// which some are still in it, are then joined like lanes in a branch.
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/gpu/convert/gpu_facts.h"

namespace tilereel::gpu {

class GpuOrder {
  public:
    explicit GpuOrder(const GpuFacts& facts);
    // The site of a record with its loops. Valid as long as this object. `caller`: of the record.
    [[nodiscard]] runtime::Site& at(std::uint32_t site, std::uint32_t caller);

  private:
    using Place = std::pair<std::uint32_t, std::uint32_t>;  // a site or a loop, and its caller
    void number_sites();
    void find_loops();
    // How many places the function of a call has, with those that it calls.
    [[nodiscard]] std::uint32_t places_of(std::size_t function);
    [[nodiscard]] std::uint32_t ordinal_of(std::uint32_t site, std::uint32_t caller) const;
    [[nodiscard]] const runtime::Loop* loop_around(std::uint32_t site, std::uint32_t caller);

    static constexpr std::uint32_t kNone = 0xffffffff;
    const GpuFacts& facts_;
    std::vector<std::uint32_t> callee_;       // by site: the function that it calls, or kNone
    std::vector<std::uint32_t> in_function_;  // by site: the places of its function before it
    std::vector<std::uint32_t> places_;       // by function; 0: not counted yet
    std::vector<std::uint32_t> begin_;        // by function without callers: its first place
    std::vector<std::uint32_t> loop_of_;      // by site: the innermost loop around it, or kNone
    std::vector<std::uint32_t> outer_;        // by loop, likewise
    std::map<Place, runtime::Site> sites_;
    std::map<Place, runtime::Loop> loops_;
};

}  // namespace tilereel::gpu
