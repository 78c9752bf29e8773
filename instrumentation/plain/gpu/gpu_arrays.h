#pragma once
// The arrays of a launch that a GPU has recorded: which address lies in which, and what they are.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/plain/gpu/gpu_dump.h"
#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

class GpuArrays {
  public:
    GpuArrays(const GpuDump& dump, const GpuFacts& facts);

    // A piece of memory, by a number of its own.
    struct Place {
        std::uint32_t number = 0;
        std::uint64_t begin = 0, end = 0;
        Space space = Space::kGlobal;
    };
    // Null: in none. `address` of shared memory: an offset from the block's own.
    [[nodiscard]] const Place* find(bool shared, std::uint64_t address);
    // The number of its array until put(). `width_bytes`: of the access that asks first.
    [[nodiscard]] ArrayId number_of(const Place& place, std::uint32_t width_bytes);
    // Global and constant arrays first, then shared ones as they lie; renumbers the trace's sites.
    void put(Trace& trace) const;

  private:
    struct Known {
        Place place;
        std::optional<GpuVariable> variable;
        std::string symbol;
        std::size_t region = 0;  // of the dump
        bool touched = false;
        ArrayId number = 0;
        std::uint32_t width_bytes = 4;
    };
    void add_shared(const GpuDump& dump, const GpuFacts& facts);
    void name_by_parameters(const GpuFacts& facts);
    [[nodiscard]] Array make(const Known& known) const;

    const GpuDump& dump_;
    std::vector<Known> known_;
    std::vector<std::uint32_t> global_, shared_;  // of known_, by address
    std::vector<std::uint32_t> touched_;          // of known_, by array number
    const Place* last_ = nullptr;
};

}  // namespace tilereel::plain
