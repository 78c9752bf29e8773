#pragma once
// The arrays of a launch that was recorded on a GPU: finds the array of an address, and describes
// the arrays for the trace.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/gpu/convert/gpu_dump.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {

class GpuArrays final : public GpuMemory {
  public:
    GpuArrays(const GpuDump &dump, const GpuFacts &facts);

    [[nodiscard]] const Place *find(bool shared, std::uint64_t address) const override;
    [[nodiscard]] const std::byte *content(std::uint64_t address,
                                           std::uint32_t bytes) const override;
    [[nodiscard]] const Place *find_in_cluster(std::uint32_t rank,
                                               std::uint64_t address) const override;
    [[nodiscard]] const std::byte *last_content(std::uint64_t address,
                                                std::uint32_t bytes) const override;
    [[nodiscard]] const runtime::TensorMap *map(std::uint64_t hash) const override;
    // Adds the arrays that the trace's sites access: global and constant ones in the order of the
    // sites, then shared ones by address. Sets each Site::array to the array's index in the
    // trace.
    void put(Trace &trace) const;

  private:
    struct Known {
        Place place;
        Space space = Space::kGlobal;
        std::optional<GpuVariable> variable;
        std::string symbol;
        std::uint32_t blocks = 1;  // in kSharedCluster: of the cluster
        std::size_t region = 0;    // index in GpuDump::regions; regions.size(): none
    };
    void add_shared(const GpuDump &dump, const GpuFacts &facts);
    void name_by_parameters(const GpuFacts &facts);
    void add_cluster();
    void find_changed_regions();
    // `width_bytes`: of the first access, for an array without a type.
    [[nodiscard]] Array make(const Known &known, std::uint32_t width_bytes) const;

    const GpuDump &dump_;
    std::vector<Known> known_;
    std::vector<std::uint32_t> global_, shared_;  // indices in known_, by address
    std::vector<std::vector<Place>> of_blocks_;   // by rank: those of shared_, in the cluster
    std::vector<runtime::TensorMap> maps_;        // in the order of the dump
    // For each region: the launch changed its content, or its content is unknown.
    std::vector<bool> has_changed_;
};

}  // namespace tilereel::gpu
