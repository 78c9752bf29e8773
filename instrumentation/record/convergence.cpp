#include "instrumentation/record/convergence.h"

#include <algorithm>

namespace tilereel {

using dialect::EventKey;
using dialect::EventKind;

// A backward jump: the line decreases, or a site repeats on the same line.
std::uint64_t ConvergenceOrder::stand(EventKey key) {
    const std::uint32_t line = dialect::line_of(key);
    EventKey site = key;
    if (dialect::kind_of(key) == EventKind::kMultiplyAdd)  // whichever accumulator it is
        site = dialect::event_key(line, EventKind::kMultiplyAdd, 0, 4);
    const bool repeats = line == line_ && std::ranges::find(on_line_, site) != on_line_.end();
    if (line < line_ || repeats) ++jumps_;
    if (line != line_ || repeats) on_line_.clear();
    on_line_.push_back(site);
    line_ = line;
    return (std::uint64_t{jumps_} << 32) | key;
}

void ConvergenceOrder::start_over() {
    line_ = jumps_ = 0;
    on_line_.clear();
}

}  // namespace tilereel
