#include "app/replay/arrays/row_length.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "app/replay/arrays/contents.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kRepetitions = 4;  // of a site in a warp; more would show the same

struct Access {
    SiteId site = 0;
    std::uint32_t repetition = 0;  // of the site in its warp
    Dim3 thread;
    std::int64_t cell = 0;
};

std::vector<Access> accesses_of(const Replay& replay, ArrayId array) {
    const Trace& trace = replay.trace();
    std::vector<Access> found;
    std::map<std::pair<SiteId, std::uint16_t>, std::uint32_t> repetitions;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        if (!is_access(site.operation) || site.array != array) continue;
        const std::uint32_t repetition = repetitions[{step.site, step.warp}]++;
        if (repetition >= kRepetitions) continue;
        const LaneOffsets lanes = lane_offsets(trace, step.record);
        for (const std::uint32_t lane : lanes_in(lanes.mask)) {
            found.push_back({step.site, repetition,
                             index_of(trace.launch.block, step.warp * kWarpSize + lane),
                             lanes.bytes[lane] / cell_bytes(trace.arrays[array])});
        }
    }
    return found;
}

// The distance between the accesses of each added pair; none if the distances differ.
class CommonDistance {
  public:
    void add(std::int64_t distance) {
        differs_ = differs_ || (distance_ && *distance_ != distance);
        distance_ = distance;
    }
    [[nodiscard]] std::optional<std::uint32_t> length() const {
        if (!distance_ || differs_ || std::abs(*distance_) <= 1) return std::nullopt;
        return static_cast<std::uint32_t>(std::abs(*distance_));
    }

  private:
    std::optional<std::int64_t> distance_;
    bool differs_ = false;
};

// The row length from the distances between accesses of neighbouring threads in y, or in x.
std::optional<std::uint32_t> length_by_neighbours(std::vector<Access> all, bool in_y) {
    const auto along = [in_y](const Dim3& thread) { return in_y ? thread.y : thread.x; };
    const auto across = [in_y](const Dim3& thread) { return in_y ? thread.x : thread.y; };
    std::ranges::sort(all, {}, [&](const Access& a) {
        return std::tuple(a.site, a.repetition, a.thread.z, across(a.thread), along(a.thread));
    });
    CommonDistance common;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Access &a = all[i - 1], &b = all[i];
        if (a.site == b.site && a.repetition == b.repetition && a.thread.z == b.thread.z &&
            across(a.thread) == across(b.thread) && along(a.thread) + 1 == along(b.thread))
            common.add(b.cell - a.cell);
    }
    return common.length();
}

// The row length from the distances between successive accesses of one thread.
std::optional<std::uint32_t> length_by_repetitions(std::vector<Access> all) {
    const auto key = [](const Access& a) {
        return std::tuple(a.site, a.thread.z, a.thread.y, a.thread.x, a.repetition);
    };
    std::ranges::sort(all, {}, key);
    CommonDistance common;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Access &a = all[i - 1], &b = all[i];
        if (a.site == b.site && a.thread == b.thread && a.repetition + 1 == b.repetition)
            common.add(b.cell - a.cell);
    }
    return common.length();
}

}  // namespace

std::optional<std::uint32_t> found_row_length(const Replay& replay, ArrayId id) {
    const Array& array = replay.trace().arrays[id];
    const std::uint32_t cells = std::max(array.element_bytes / cell_bytes(array), 1u);
    if (!array.one_extent && array.rows > 1) return array.leading_dimension * cells;
    const std::vector<Access> all = accesses_of(replay, id);
    std::optional<std::uint32_t> length = length_by_neighbours(all, true);
    if (!length) length = length_by_neighbours(all, false);
    if (!length) length = length_by_repetitions(all);
    const std::uint64_t most = std::max<std::uint64_t>(cell_count(array), 1);
    return length && *length < most ? length : std::nullopt;
}

std::uint32_t row_length_of(const Replay& replay, ArrayId id) {
    const std::uint64_t cells = std::max<std::uint64_t>(cell_count(replay.trace().arrays[id]), 1);
    return found_row_length(replay, id)
        .value_or(static_cast<std::uint32_t>(std::min<std::uint64_t>(kUsualRowLength, cells)));
}

}  // namespace tilereel
