#pragma once
// The cost of each source line: of the watched block by the chosen counter, or of the estimated
// time of the launch.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/replay.h"
#include "app/ui/theme.h"
#include "app/workbench/time/launch_estimate.h"
#include "app/workbench/view/view_state.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

struct RoleShare {
    ColorRole role = ColorRole::kNone;
    float share = 0;
};
struct LineCosts {
    std::string unit = "ticks";
    std::vector<std::uint64_t> by_line;           // index = line
    std::uint64_t all = 0;                        // total of the block
    bool estimated = false;                       // shares of an estimate, in 1/1000
    std::vector<std::vector<RoleShare>> parts{};  // of estimated shares, by line: who takes them
    [[nodiscard]] std::uint64_t of(std::uint32_t line) const {
        return line < by_line.size() ? by_line[line] : 0;
    }
    [[nodiscard]] std::uint32_t largest() const {  // the line; 0: none costs anything
        const auto most = std::ranges::max_element(by_line);
        return most == by_line.end() ? 0 : static_cast<std::uint32_t>(most - by_line.begin());
    }
    [[nodiscard]] const std::vector<RoleShare>& parts_of(std::uint32_t line) const {
        static const std::vector<RoleShare> kNone;
        return line < parts.size() ? parts[line] : kNone;
    }
    [[nodiscard]] std::string text(std::uint32_t line) const;  // "1,024", "92 %"; "": nothing
    [[nodiscard]] float share(std::uint32_t line) const {      // 0..1
        return all == 0 ? 0 : static_cast<float>(of(line)) / static_cast<float>(all);
    }
};
// `counts`: counters of the block by line, from counts_by_line(). A request to global memory costs
// sectors (or the unit that the GPU generation moves instead); a request to shared memory costs
// wavefronts. Lanes off count requests alone, as AccessCounts::lanes_off.
[[nodiscard]] LineCosts line_costs(const Replay& replay, const std::vector<AccessCounts>& counts,
                                   LineFigure figure);
// The lines' shares of what limits the estimated launch, of the file that the window shows; of a
// launch in which warps wait, shares of the waiting. `replay`: knows the arrays' colours.
[[nodiscard]] LineCosts time_costs(const EstimatedLaunch& launch, const Replay& replay);
// What these are shares of: "the memory pipe", "the waiting".
[[nodiscard]] std::string shared_by_lines(const TimeEstimate& estimate);
// "line 21: 38% of this block's sectors, 512 of 1,344". Empty if the line costs nothing.
[[nodiscard]] std::string share_text(const LineCosts& costs, std::uint32_t line);

}  // namespace tilereel
