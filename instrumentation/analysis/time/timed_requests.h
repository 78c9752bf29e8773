#pragma once
// What requests of memory ask of the pipes, with what would be different in the kernel.
#include <algorithm>
#include <cstdint>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/analysis/time/sectors.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

class TimedRequests {
  public:
    // Without conflicts: of shared memory. Coalesced: requests of global memory.
    TimedRequests(const Trace& trace, const Generation& generation, bool without_conflicts,
                  bool coalesced)
        : trace_(trace),
          without_conflicts_(without_conflicts),
          coalesced_(coalesced),
          costs_(trace, generation) {}

    [[nodiscard]] const RequestCost& operator()(std::uint64_t record) { return costs_(record); }
    [[nodiscard]] std::uint32_t wavefronts_of(const RequestCost& cost) const {
        return without_conflicts_ ? cost.ideal_wavefronts : cost.wavefronts;
    }
    [[nodiscard]] std::uint32_t lines_of(const RequestCost& cost) const {
        if (!coalesced_) return cost.lines;
        return std::min(cost.lines, (cost.bytes_requested + kCacheLineBytes - 1) / kCacheLineBytes);
    }
    // Appends the record's sectors to those of a request, [first, first + count) of a stream's.
    template <class Request, class Stream>
    void add_sectors(std::uint64_t record, Request& op, Stream& stream) {
        if (op.sectors == 0) op.first_sector = static_cast<std::uint32_t>(stream.sectors.size());
        for (const std::uint64_t sector : sectors_of(trace_, record)) {
            if (std::find(stream.sectors.begin() + op.first_sector, stream.sectors.end(), sector) !=
                stream.sectors.end())
                continue;
            stream.sectors.push_back(sector);
            ++op.sectors;
        }
        if (coalesced_)
            op.sectors =
                std::min(op.sectors, (costs_(record).bytes_requested + kCacheSectorBytes - 1) /
                                         kCacheSectorBytes);
    }
    [[nodiscard]] std::uint8_t words_of(std::uint64_t record) const {
        return static_cast<std::uint8_t>(std::max(1, site_at(trace_, record).width_bytes / 4));
    }
    static std::uint16_t passes(std::uint32_t count) {
        return static_cast<std::uint16_t>(std::clamp<std::uint32_t>(count, 1, 0xffff));
    }

  private:
    const Trace& trace_;
    const bool without_conflicts_, coalesced_;
    CostCache costs_;
};

}  // namespace tilereel
