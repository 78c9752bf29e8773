#include "app/stage/lane_view.h"

#include "app/replay/elements.h"
#include "app/replay/state/provenance.h"

namespace tilereel::stage {
namespace {

// The value of a key in a cache; made if it is not there.
template <class Cache, class Make>
const typename Cache::mapped_type& kept(Cache& cache, const typename Cache::key_type& key,
                                        Make&& make) {
    constexpr std::size_t kMost = 64;
    if (const auto found = cache.find(key); found != cache.end()) return found->second;
    if (cache.size() >= kMost) cache.clear();
    return cache[key] = make();
}

std::uint32_t moved(std::uint32_t from, int by, std::uint32_t count) {
    const auto all = static_cast<std::int64_t>(count);
    return static_cast<std::uint32_t>(((from + by) % all + all) % all);
}

}  // namespace

void LaneView::refresh(const Replay& replay) {
    if (replay.id() == replay_) return;
    replay_ = replay.id();
    work_.clear();
    parts_.clear();
    reads_.clear();
    const std::uint32_t warps = replay.trace().launch.warps();
    if (warp_ && *warp_ >= warps) warp_.reset();
    if (lane_ >= replay.trace().launch.threads()) lane_ = 0, lane_chosen_ = false;
}

void LaneView::next_warp(const Replay& replay, int by) {
    const std::uint32_t warps = std::max(1u, replay.trace().launch.warps());
    warp_ = warp_ ? moved(*warp_, by, warps) : by > 0 ? 0 : warps - 1;
}

void LaneView::next_lane(int by) { choose_lane(moved(lane_, by, kWarpSize)); }

std::uint32_t LaneView::warp(const ReplayState& state, const Replay& replay) const {
    if (warp_) return *warp_;
    const std::uint32_t step = state.request.step;
    return step < replay.schedule().steps.size() ? replay.schedule().steps[step].warp : 0;
}

const LaneWork& LaneView::work(const Replay& replay, std::uint32_t warp, std::uint32_t lane) {
    return kept(work_, {warp, lane}, [&] { return replay.provenance().lane_work(warp, lane); });
}

const LaneView::Parts& LaneView::parts(const Replay& replay, std::uint32_t warp,
                                       std::uint32_t phase) {
    return kept(parts_, {warp, phase}, [&] {
        const MatrixProduct matrices = matrices_of(replay.trace());
        return Parts{replay.provenance().cells_of_warp(matrices.a, warp, phase),
                     replay.provenance().cells_of_warp(matrices.b, warp, phase),
                     replay.provenance().cells_of_warp(matrices.c, warp, phase)};
    });
}

const std::vector<bool>& LaneView::reads(const Replay& replay, std::uint32_t warp, ArrayId shared) {
    return kept(reads_, {warp, shared}, [&] {
        const Trace& trace = replay.trace();
        const Array& array = trace.arrays[shared];
        const std::uint32_t rows = array.rows_of_plane();
        std::vector<bool> cells(std::size_t{rows} * array.leading_dimension, false);
        for (const Step& step : replay.schedule().steps) {
            const Site& site = trace.sites[step.site];
            if (step.warp != warp || site.array != shared || site.operation != Operation::kLoad)
                continue;
            for_each_element(lane_offsets(trace, step.record), array, site.width_bytes,
                             [&](std::uint32_t, std::uint32_t, Element at) {
                                 const std::size_t row = at.row % std::max(1u, rows);
                                 if (at.row < array.rows)
                                     cells[row * array.leading_dimension + at.column] = true;
                             });
        }
        return cells;
    });
}

}  // namespace tilereel::stage
