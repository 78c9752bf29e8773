// The part of A, B and C that is shown if not all cells fit with their values.
#include <bit>
#include <utility>

#include "app/replay/elements.h"
#include "app/replay/state/provenance.h"
#include "app/stage/lane_view.h"
#include "app/stage/layout/stage_layout.h"

namespace tilereel::stage {
namespace {

// The matrix and the element of it that the first active lane of the current request accesses. For
// shared memory, the element that was copied to that cell.
std::pair<ArrayId, Element> touched_by_request(const Replay& replay) {
    const RequestState& request = replay.state().request;
    if (request.step == kNoStep || request.access.lanes.mask == 0) return {kNoArray, {}};
    const ArrayId array = replay.trace().sites[replay.schedule().steps[request.step].site].array;
    if (array >= replay.trace().arrays.size()) return {kNoArray, {}};
    const LaneState& lane = request.lanes[std::countr_zero(request.access.lanes.mask)];
    if (request.access.space == Space::kGlobal) return {array, {lane.row, lane.column}};
    const std::uint32_t flight =
        replay.provenance().flight_into(array, {lane.row, lane.column}, replay.state().tick);
    if (flight == kNoStep) return {kNoArray, {}};
    const Flight& from = replay.flights()[flight];
    return {from.from, from.source()};
}

}  // namespace

Watched watched_part(const Replay& replay, const StagePlan& plan, const WatchedThread& thread,
                     LaneView& lanes) {
    Watched watched;
    const ArrayId a = plan.find("A"), b = plan.find("B"), c = plan.find("C");
    if (a == kNoArray || b == kNoArray || c == kNoArray) return watched;
    const std::uint32_t phase = replay.state().phase;
    const CellRect of_a = replay.regions().tile(a, phase), of_b = replay.regions().tile(b, phase);
    watched.c = replay.regions().c;
    watched.k0 = of_a.empty() ? of_b.row0 : of_a.column0;
    watched.k1 = of_a.empty() ? of_b.row1 : of_a.column1;
    if (watched.empty()) return {};
    watched.row = watched.c.row0;
    watched.column = watched.c.column0;
    watched.k = watched.k0;
    const auto [matrix, touched] = touched_by_request(replay);
    // Loads access a whole tile in any order, whereas multiply-adds follow k.
    const bool loads_tile = !plan.shared().empty() && replay.state().part == Part::kLoad;
    if (matrix == a && !loads_tile) watched.k = touched.column;
    if (matrix == b && !loads_tile) watched.k = touched.row;
    if (thread.chosen_warp() || plan.fragments().rows > 0) {
        const LaneWork& work = lanes.work(replay, thread.chosen_warp().value_or(0), thread.lane());
        if (!work.rows.empty() && !work.columns.empty()) {
            watched.row = work.rows.front();
            watched.column = work.columns.front();
        }
    } else if (replay.state().warps.size() == 1) {
        if (matrix == a || matrix == c) watched.row = touched.row;
        if (matrix == b || matrix == c) watched.column = touched.column;
    }
    // A phase may work on only a part of the block's rows or columns.
    if (!of_a.empty() && (watched.row < of_a.row0 || watched.row >= of_a.row1))
        watched.row = of_a.row0;
    if (!of_b.empty() && (watched.column < of_b.column0 || watched.column >= of_b.column1))
        watched.column = of_b.column0;
    return watched;
}

}  // namespace tilereel::stage
