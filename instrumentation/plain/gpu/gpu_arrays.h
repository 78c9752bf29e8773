#pragma once
// The arrays of a launch that a GPU has recorded: which address lies in which, and what they are.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/plain/gpu/gpu_dump.h"
#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/gpu/gpu_memory.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

class GpuArrays final : public GpuMemory {
  public:
    GpuArrays(const GpuDump& dump, const GpuFacts& facts);

    [[nodiscard]] const Place* find(bool shared, std::uint64_t address) const override;
    [[nodiscard]] const std::byte* content(std::uint64_t address,
                                           std::uint32_t bytes) const override;
    [[nodiscard]] const TensorMap* map(std::uint64_t hash) const override;
    // Those that the trace's sites access: global and constant arrays in the order of the sites,
    // then shared ones as they lie. Renumbers the sites.
    void put(Trace& trace) const;

  private:
    struct Known {
        Place place;
        Space space = Space::kGlobal;
        std::optional<GpuVariable> variable;
        std::string symbol;
        std::size_t region = 0;  // of the dump
    };
    void add_shared(const GpuDump& dump, const GpuFacts& facts);
    void name_by_parameters(const GpuFacts& facts);
    void find_constant_content();
    // `width_bytes`: of the first access, for an array without a type.
    [[nodiscard]] Array make(const Known& known, std::uint32_t width_bytes) const;

    const GpuDump& dump_;
    std::vector<Known> known_;
    std::vector<std::uint32_t> global_, shared_;  // of known_, by address
    std::vector<TensorMap> maps_;                 // as the dump has them
    std::vector<bool> has_changed_;               // by region: its content, in the launch
};

}  // namespace tilereel::plain
