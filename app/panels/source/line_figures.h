#pragma once
// What each line of the source costs in the watched block, by the counter that is chosen.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/replay.h"
#include "app/workbench/view_state.h"
#include "instrumentation/analysis/counters.h"

namespace tilereel {

struct LineCosts {
    std::string_view unit = "ticks";
    std::vector<std::uint64_t> by_line;  // index = line
    std::uint64_t all = 0;               // of the block
    [[nodiscard]] std::uint64_t of(std::uint32_t line) const {
        return line < by_line.size() ? by_line[line] : 0;
    }
    [[nodiscard]] float share(std::uint32_t line) const {  // 0..1
        return all == 0 ? 0 : static_cast<float>(of(line)) / static_cast<float>(all);
    }
};
// `counts`: of the block by line, as counts_by_line(). A request to global memory moves sectors, or
// what the generation moves in their place; one to shared memory takes wavefronts.
[[nodiscard]] LineCosts line_costs(const Replay& replay, const std::vector<AccessCounts>& counts,
                                   LineFigure figure);
// "line 21: 38% of this block's sectors, 512 of 1,344"; empty: it has none.
[[nodiscard]] std::string share_text(const LineCosts& costs, std::uint32_t line);

}  // namespace tilereel
