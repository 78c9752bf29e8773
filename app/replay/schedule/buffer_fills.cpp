#include "app/replay/schedule/buffer_fills.h"

#include <algorithm>

namespace tilereel {
namespace {

class FillFinder {
  public:
    FillFinder(const Trace& trace, const Schedule& schedule) : trace_(trace), schedule_(schedule) {
        for (const Array& array : trace.arrays) {
            fills_.first.push_back(static_cast<std::uint32_t>(fills_.of_plane.size()));
            if (array.space != Space::kShared) continue;
            fills_.of_plane.resize(fills_.of_plane.size() + array.planes());
            any_ = any_ || array.planes() > 1;
        }
        words_begun_.resize(fills_.of_plane.size());
    }

    BufferFills run() {
        if (!any_) return std::move(fills_);
        for (std::uint32_t step = 0; step < schedule_.steps.size(); ++step) note(step);
        return std::move(fills_);
    }

  private:
    struct Touched {
        std::uint32_t plane = 0;  // its number among the planes of all arrays
        std::uint32_t words = 0;
    };

    // The planes that a record accesses: nearly always one.
    std::vector<Touched> planes_of(std::uint64_t record) const {
        std::vector<Touched> found;
        const Site& site = site_at(trace_, record);
        const Array& array = trace_.arrays[site.array];
        if (array.space != Space::kShared || array.planes() == 1) return found;
        for_each_word(lane_offsets(trace_, record), words_of(site),
                      [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                          const std::uint32_t row = element_at(array, offset).row;
                          if (offset < array.base_bytes || row >= array.rows) return;
                          const std::uint32_t plane =
                              fills_.first[site.array] + plane_of(array, row);
                          if (found.empty() || found.back().plane != plane)
                              found.push_back({plane, 0});
                          ++found.back().words;
                      });
        return found;
    }

    void note(std::uint32_t step) {
        const std::uint64_t record = schedule_.steps[step].record;
        switch (trace_.sites[schedule_.steps[step].site].operation) {
            case Operation::kCopyLoad:
                for (const Touched& to : planes_of(other_side_of(trace_, record)))
                    begin(to, step, true);
                break;
            case Operation::kCopyStore:
                for (const Touched& to : planes_of(record)) {
                    if (brings_zeros(trace_, record) && !is_filling(to.plane))
                        begin(to, step, true);
                    fill(to, step);
                }
                break;
            case Operation::kStore:
            case Operation::kMatrixStore:
                for (const Touched& to : planes_of(record)) {
                    begin(to, step, false);
                    fill(to, step);
                }
                break;
            case Operation::kLoad:
            case Operation::kMatrixLoad:
                for (const Touched& from : planes_of(record)) read(from, step);
                break;
            default:
                break;
        }
    }

    // A store or a copy to a plane begins. If the plane has been read or is full, a new fill
    // begins.
    void begin(const Touched& to, std::uint32_t step, bool copied) {
        std::vector<BufferFill>& fills = fills_.of_plane[to.plane];
        const std::uint32_t all = words_of_plane(to.plane);
        if (fills.empty() || fills.back().first_read != kNoStep ||
            words_begun_[to.plane] + to.words > all) {
            BufferFill fill;
            fill.begun = step;
            fill.copied = copied;
            fill.phase = schedule_.steps[step].phase;
            fill.first_read_of_warp.assign(trace_.launch.warps(), kNoStep);
            fill.last_read_of_warp = fill.first_read_of_warp;
            fills.push_back(std::move(fill));
            words_begun_[to.plane] = 0;
        }
        words_begun_[to.plane] += to.words;
        fills.back().last_begun = step;
    }

    // Whether the plane has a fill that has not been read yet. Zeros for elements outside of the
    // matrix belong to it.
    [[nodiscard]] bool is_filling(std::uint32_t plane) const {
        const std::vector<BufferFill>& fills = fills_.of_plane[plane];
        return !fills.empty() && fills.back().first_read == kNoStep;
    }

    void fill(const Touched& to, std::uint32_t step) {
        if (fills_.of_plane[to.plane].empty()) return;
        BufferFill& fill = fills_.of_plane[to.plane].back();
        if (fill.first_filled == kNoStep) fill.first_filled = step;
        fill.last_filled = step;
    }

    void read(const Touched& from, std::uint32_t step) {
        if (fills_.of_plane[from.plane].empty()) return;
        BufferFill& fill = fills_.of_plane[from.plane].back();
        const Step& here = schedule_.steps[step];
        if (fill.first_read == kNoStep) fill.first_read = step, fill.phase = here.phase;
        fill.last_read = step;
        std::uint32_t& of_warp = fill.first_read_of_warp[here.warp];
        of_warp = std::min(of_warp, step);
        fill.last_read_of_warp[here.warp] = step;
    }

    [[nodiscard]] std::uint32_t words_of_plane(std::uint32_t plane) const {
        const auto after = std::ranges::upper_bound(fills_.first, plane);
        const Array& array =
            trace_.arrays[static_cast<std::size_t>(after - fills_.first.begin()) - 1];
        return array.rows_of_plane() * array.columns;
    }

    const Trace& trace_;
    const Schedule& schedule_;
    BufferFills fills_;
    std::vector<std::uint32_t> words_begun_;  // per plane: of its last fill
    bool any_ = false;
};

}  // namespace

BufferFills find_buffer_fills(const Trace& trace, const Schedule& schedule) {
    return FillFinder(trace, schedule).run();
}

BufferState BufferFill::state_at(std::uint32_t step) const {
    if (first_read != kNoStep && step > last_read) return BufferState::kAllRead;
    if (first_read != kNoStep && step >= first_read) return BufferState::kBeingRead;
    // A copy that never completes is under way to the end.
    if (last_filled == kNoStep || step <= last_filled || step <= last_begun)
        return copied ? BufferState::kUnderWay : BufferState::kBeingFilled;
    return BufferState::kFilled;
}

const BufferFill* fill_at(std::span<const BufferFill> fills, std::uint32_t step) {
    const auto after = std::ranges::upper_bound(fills, step, {}, &BufferFill::begun);
    return after == fills.begin() ? nullptr : &*std::prev(after);
}

}  // namespace tilereel
