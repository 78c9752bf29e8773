#pragma once
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/runtime/warp/warp_collectives.h"
#include "instrumentation/cuda/runtime/warp/warp_rows.h"

namespace tilereel::runtime {

// Receives the events of a recorded block in the order of the trace.
class BlockSink {
  public:
    virtual ~BlockSink() = default;
    virtual void begin_block(std::uint32_t block) = 0;
    virtual void undo_block() = 0;  // discards all events since begin_block()
    virtual void begin_segment(std::uint32_t epoch, std::uint32_t warp) = 0;
    virtual void add_slice(const std::vector<WarpEvent>& events) = 0;
    // A call of a runtime function by the lanes of `mask` together: a barrier, a shuffle.
    // `operand`: kLanes words as in WarpCollectives::arrive(), or null.
    virtual void add_call(const Site* site, std::uint32_t mask, CollectiveKind kind,
                          const std::uint32_t* operand) = 0;
    virtual void end_segment() = 0;
    // Whether assignments to locals are still written to the trace; asked before each time slice.
    [[nodiscard]] virtual bool keeps_assignments() const { return true; }
};

}  // namespace tilereel::runtime
