#pragma once
// Traces written by hand, access by access, independent of any recorder.
#include <map>
#include <optional>
#include <tuple>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// For each lane the byte offset that it accesses (as Records::base), or nullopt if it is inactive.
using HandLanes = std::array<std::optional<std::uint32_t>, kWarpSize>;

class HandTrace {
  public:
    HandTrace(std::uint32_t m, std::uint32_t n, std::uint32_t k, Dim3 grid, Dim3 block);

    // A, B and C are there from the start, as arrays 0, 1 and 2.
    ArrayId shared_array(std::string name, std::uint32_t rows, std::uint32_t columns,
                         std::uint32_t leading_dimension, std::uint32_t element_bytes = 4);

    // Each appends one record to the warp's current epoch.
    void access(std::uint32_t block, std::uint16_t warp, std::uint32_t line, ArrayId array,
                Operation operation, const HandLanes& lanes, const std::vector<float>& values = {},
                std::uint8_t width_bytes = 4);
    void multiply_add(std::uint32_t block, std::uint16_t warp, std::uint32_t line,
                      std::uint32_t mask, std::uint32_t accumulator,
                      const std::vector<float>& values);
    void barrier(std::uint32_t block, std::uint16_t warp, std::uint32_t line);

    Trace trace;              // launch and the rest may be set directly
    std::vector<float> a, b;  // zeros; finish() makes them the content of A and B
    void keep_inputs();       // does the same before
    [[nodiscard]] Trace finish();

  private:
    struct Entry {
        SiteId site = 0;
        std::uint32_t pattern = 0, base = 0;
        std::vector<float> values;
    };
    SiteId site(const Site& wanted);
    std::uint32_t pattern(const HandLanes& lanes, std::uint32_t& base);
    void add(std::uint32_t block, std::uint16_t warp, Entry entry);

    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> epoch_;  // of (block, warp)
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, std::vector<Entry>>
        entries_;  // by block, epoch, warp
};

// Lane l at base + l * step bytes, for `count` lanes from 0.
[[nodiscard]] HandLanes strided(std::uint32_t base, std::uint32_t step, int count = kWarpSize);

}  // namespace tilereel
