#pragma once
// Writes GPU events into a batch as records of a trace.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "instrumentation/gpu/convert/gpu_box.h"
#include "instrumentation/gpu/convert/gpu_events.h"
#include "instrumentation/gpu/convert/gpu_lanes.h"
#include "instrumentation/gpu/convert/gpu_records.h"
#include "instrumentation/gpu/convert/gpu_sums.h"
#include "instrumentation/record/accumulator_sampler.h"
#include "instrumentation/record/batch.h"

namespace tilereel::gpu {

class GpuWriter {
  public:
    // The arguments must outlive this object. `events`: the reader that produced the events.
    GpuWriter(const GpuConversion &all, const GpuSums &sums, const GpuEvents &events)
        : all_(all),
          facts_(*all.facts),
          sums_(sums),
          events_(events),
          places_(*all.memory),
          sampler_(all.accumulator_interval),
          latest_(facts_.sites.size() * kLatestOfSite) {}
    void begin_batch(Batch &batch) {
        batch_ = &batch;
        known_.clear();
        latest_.assign(latest_.size(), {});
    }
    // `rank`: of the block in its cluster. `landings`: those that are to be written where a thread
    // of the block first waits for their phase.
    void begin_block(std::uint32_t warps, std::uint32_t rank = 0,
                     std::vector<GpuPhases::Landing> landings = {}) {
        sampler_.begin_block(warps);
        rank_ = rank;
        landings_ = std::move(landings);
    }
    // Later events belong to this warp and to the batch's current segment.
    void begin_warp(std::uint32_t warp) { warp_ = warp; }
    void write(const GpuEvent &event);
    // Writes the record of a load, store or atomic in `place` if its lanes and the distances
    // between their addresses are those of the site's latest record, as is nearly always so.
    // Otherwise it writes nothing and returns false.
    [[nodiscard]] bool write_like_last(const tilereel_gpu::DeviceRecord &record,
                                       const std::uint32_t *words, const GpuMemory::Place &place);
    // Writes a pending load of a copy, whose store has not come, as a load.
    void flush_copy();

  private:
    // The trace's site for the latest event of a PTX site.
    struct LatestSite {
        std::uint32_t caller = 0, array = 0;
        Operation operation = Operation::kLoad;
        std::uint8_t width_bytes = 0;
        std::uint8_t variety = 0;
        bool known = false;
        SiteId site = 0;
        [[nodiscard]] bool is(std::uint32_t of_caller, std::uint32_t of_array, Operation does,
                              std::uint32_t width, std::uint32_t of_variety) const {
            return known && caller == of_caller && array == of_array && operation == does &&
                   width_bytes == width && variety == of_variety;
        }
    };
    // A bulk copy has three operations at one site, each with an entry of its own in `latest_`; one
    // to global memory has two.
    static constexpr std::size_t kLatestOfSite = 3;
    [[nodiscard]] LatestSite &latest(std::uint32_t site, Operation operation) {
        return latest_[site * kLatestOfSite + static_cast<std::size_t>(operation) % kLatestOfSite];
    }
    [[nodiscard]] Operation operation_of(const GpuEvent &event) const {
        return facts_.sites[event.site].operation;
    }
    void write_as(const GpuEvent &event, Operation operation);
    void write_descriptors(const PtxSite &site, const GpuEvent &event);
    void write_values(const PtxSite &site, const std::uint32_t *values, std::uint32_t mask);
    void write_phase(const GpuEvent &event);
    void write_landings(const GpuEvent &wait, std::uint32_t phase);
    void write_stored_boxes(const GpuEvent &event);
    // `variety`: of the loads.
    void add_box(const GpuEvent &start, const GpuBox &box, std::uint8_t variety);
    [[nodiscard]] GpuBox box_of(const GpuEvent &event, std::uint32_t lane) const;
    // The content from the first of the pieces to the end of the last; empty if a part is unknown.
    [[nodiscard]] std::span<const std::byte> content_of(std::span<const runtime::BoxPiece> pieces,
                                                        std::uint32_t width_bytes) const;
    // The values that a bulk copy to global memory stores, which are still there after the launch.
    [[nodiscard]] bool last_values(std::span<const runtime::BoxPiece> pieces,
                                   std::uint32_t width_bytes,
                                   std::uint32_t (&values)[4][kWarpSize]) const;
    void add_pieces(const GpuEvent &start, const runtime::BoxBatch &batch,
                    std::span<const runtime::BoxPiece> pieces, Operation operation,
                    std::uint8_t variety);
    SiteId site_of(const GpuEvent &event, Operation operation, std::uint32_t width_bytes) {
        std::uint8_t variety = facts_.sites[event.site].variety;
        // The barrier of a cluster of one block is that block's.
        if (operation == Operation::kBarrier && all_.cluster.count() == 1 &&
            variety == static_cast<std::uint8_t>(BarrierKind::kCluster))
            variety = static_cast<std::uint8_t>(BarrierKind::kBlock);
        return site_of(event, operation, width_bytes, variety);
    }
    SiteId site_of(const GpuEvent &event, Operation operation, std::uint32_t width_bytes,
                   std::uint8_t variety);

    const GpuConversion &all_;
    const GpuFacts &facts_;
    const GpuSums &sums_;
    const GpuEvents &events_;
    GpuPlaceFinder places_;
    AccumulatorSampler sampler_;
    Batch *batch_ = nullptr;
    std::uint32_t warp_ = 0, rank_ = 0;
    std::vector<GpuPhases::Landing> landings_;  // not written yet
    std::optional<GpuEvent> copy_;              // the load of a copy whose store has not come yet
    std::uint32_t copy_offsets_[kWarpSize] = {};
    std::map<std::pair<std::uint64_t, std::uint64_t>, SiteId> known_;
    std::vector<LatestSite> latest_;
};

}  // namespace tilereel::gpu
