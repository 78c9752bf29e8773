#pragma once
// The cost of each source line in the watched block, for the chosen counter.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/replay.h"
#include "app/workbench/view/view_state.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

struct LineCosts {
    std::string_view unit = "ticks";
    std::vector<std::uint64_t> by_line;  // index = line
    std::uint64_t all = 0;               // total of the block
    [[nodiscard]] std::uint64_t of(std::uint32_t line) const {
        return line < by_line.size() ? by_line[line] : 0;
    }
    [[nodiscard]] float share(std::uint32_t line) const {  // 0..1
        return all == 0 ? 0 : static_cast<float>(of(line)) / static_cast<float>(all);
    }
};
// `counts`: counters of the block by line, from counts_by_line(). A request to global memory costs
// sectors (or the unit that the GPU generation moves instead); a request to shared memory costs
// wavefronts. Lanes off count requests alone, as AccessCounts::lanes_off.
[[nodiscard]] LineCosts line_costs(const Replay& replay, const std::vector<AccessCounts>& counts,
                                   LineFigure figure);
// "line 21: 38% of this block's sectors, 512 of 1,344". Empty if the line costs nothing.
[[nodiscard]] std::string share_text(const LineCosts& costs, std::uint32_t line);

}  // namespace tilereel
