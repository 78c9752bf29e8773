#include "app/replay/regions.h"

namespace tilereel {
namespace {

// Counts, per phase and shared array, the distinct cells that shared stores write.
class ExpectedCells {
  public:
    ExpectedCells(const Trace& trace, const Schedule& schedule, Regions& regions)
        : trace_(trace), schedule_(schedule), regions_(regions) {
        for (const Array& array : trace.arrays)
            seen_.emplace_back(array.space == Space::kShared
                                   ? std::size_t{array.rows} * array.leading_dimension
                                   : 0,
                               0);
    }

    void count() {
        std::vector<std::uint32_t> stores;
        for (std::uint32_t index = 0; index < schedule_.steps.size(); ++index) {
            const Site& site = trace_.sites[schedule_.steps[index].site];
            if (site.operation == Operation::kStore &&
                trace_.arrays[site.array].space == Space::kShared)
                stores.push_back(index);
        }
        std::ranges::stable_sort(stores, {},
                                 [&](std::uint32_t index) { return schedule_.steps[index].phase; });
        for (const std::uint32_t index : stores) add(schedule_.steps[index]);
    }

  private:
    void add(const Step& step) {
        const LaneOffsets lanes = lane_offsets(trace_, step.record);
        for_each_word(lanes, words_of(trace_.sites[step.site]),
                      [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                          for (ArrayId array = 0; array < trace_.arrays.size(); ++array)
                              add_word(array, step.phase, offset);
                      });
    }

    // Arrays may share bytes (a block's dynamic shared memory), so every array is asked.
    void add_word(ArrayId id, std::uint32_t phase, std::uint32_t offset) {
        const Array& array = trace_.arrays[id];
        if (array.space != Space::kShared || offset < array.base_bytes) return;
        const std::size_t cell = (offset - array.base_bytes) / std::max(array.element_bytes, 1u);
        if (cell >= seen_[id].size() || seen_[id][cell] == phase + 1) return;
        seen_[id][cell] = phase + 1;
        ++regions_.expected[std::size_t{phase} * trace_.arrays.size() + id];
    }

    const Trace& trace_;
    const Schedule& schedule_;
    Regions& regions_;
    std::vector<std::vector<std::uint32_t>> seen_;  // per array, per cell: last phase + 1
};

}  // namespace

CellRect touched(const Trace& trace, SiteId site, std::uint64_t record) {
    CellRect rect;
    if (!accesses(trace, trace.sites[site])) return rect;
    const Array& array = trace.arrays[trace.sites[site].array];
    const std::uint32_t words = words_of(trace.sites[site]);
    for_each_word(lane_offsets(trace, record), words,
                  [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                      include(rect, element_at(array, offset));
                  });
    return rect;
}

Regions find_regions(const Trace& trace, const Schedule& schedule) {
    const std::size_t arrays = trace.arrays.size();
    Regions regions;
    regions.band.resize(arrays);
    regions.tile.resize(arrays * schedule.phases);
    regions.expected.resize(arrays * schedule.phases);
    for (const Step& step : schedule.steps) {
        const ArrayId array = trace.sites[step.site].array;
        if (trace.arrays[array].space == Space::kShared) continue;
        const CellRect rect = touched(trace, step.site, step.record);
        if (rect.empty()) continue;
        for (CellRect* whole : {&regions.band[array], &regions.tile[step.phase * arrays + array]}) {
            include(*whole, {rect.row0, rect.column0});
            include(*whole, {rect.row1 - 1, rect.column1 - 1});
        }
    }
    ExpectedCells(trace, schedule, regions).count();
    return regions;
}

}  // namespace tilereel
