#pragma once
// Which lanes of a warp go together when their ways part: the one that is behind in the source goes
// first, until the others meet it.
#include <cstdint>
#include <vector>

#include "kernels/dialect/emulated_thread.h"

namespace tilereel {

// Follows the events of one lane in its program order.
class ConvergenceOrder {
  public:
    // Where the lane's next event stands: first by how often the lane has jumped backwards, then by
    // source line, kind and array. Lanes whose next events stand equal do them as one operation.
    [[nodiscard]] std::uint64_t stand(dialect::EventKey key);
    // As at the start of a turn, in which all lanes are taken to be in step.
    void start_over();

    static constexpr std::uint64_t kEnd = ~std::uint64_t{0};  // of a lane without events
    [[nodiscard]] static dialect::EventKey key_of(std::uint64_t standing) {
        return static_cast<dialect::EventKey>(standing);
    }

  private:
    std::uint32_t line_ = 0, jumps_ = 0;
    std::vector<dialect::EventKey> on_line_;  // sites since the line was entered
};

}  // namespace tilereel
