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

}  // namespace

void LaneView::refresh(const Replay& replay) {
    if (replay.id() == replay_) return;
    replay_ = replay.id();
    work_.clear();
    parts_.clear();
    reads_.clear();
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
