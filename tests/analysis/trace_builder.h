#pragma once
// Builds small traces by hand, record by record, for tests of the analysis.
#include <functional>
#include <map>
#include <tuple>

#include "instrumentation/trace/fragments/warpgroup_reads.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

class TraceBuilder {
  public:
    static constexpr std::uint32_t kAllLanes = 0xffffffff;
    using OffsetOfLane = std::function<std::uint32_t(int lane)>;  // bytes

    TraceBuilder() { trace_.product = MatrixProduct{}; }

    ArrayId add_array(const std::string& name, Space space, std::uint32_t rows,
                      std::uint32_t columns);
    // Segments must be begun in the order of the trace: block, epoch, warp.
    void begin_segment(std::uint32_t block, std::uint32_t epoch, std::uint16_t warp);
    void access(Operation operation, ArrayId array, const OffsetOfLane& offset,
                std::uint32_t mask = kAllLanes, std::uint8_t width_bytes = 4);
    void multiply_add(std::uint32_t accumulator = 0, std::uint32_t mask = kAllLanes);
    // `base`: Records::base; for an mbarrier operation MBarrierPhase::base().
    void barrier(Operation operation = Operation::kBarrier, std::uint32_t base = 0,
                 std::uint32_t mask = kAllLanes);
    // A warp's part of a warpgroup's product.
    void product(const WarpgroupProduct& product, const WarpgroupOperands& operands);
    void fence(FenceKind kind);
    void set_line(std::uint32_t line) { line_ = line; }  // of later records
    [[nodiscard]] std::size_t records() const { return trace_.records.size(); }
    // The finished trace. Do not use the builder afterwards.
    [[nodiscard]] Trace take();

  private:
    void add_record(Site site, std::uint32_t pattern, std::uint32_t base);
    std::uint32_t mask_pattern(std::uint32_t mask);

    Trace trace_;
    std::uint32_t line_ = 0;
    std::map<std::uint32_t, std::uint32_t> mask_patterns_;
};

// As a recorder writes them.
void write_patterns_once(Trace& trace);

}  // namespace tilereel
