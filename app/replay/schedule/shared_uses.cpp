#include "app/replay/schedule/shared_uses.h"

namespace tilereel {
namespace {

class UseFinder {
  public:
    UseFinder(const Trace& trace, const Schedule& schedule) : trace_(trace), schedule_(schedule) {
        uses_.first.push_back(0);
        for (const Array& array : trace.arrays) {
            const bool shared = array.space == Space::kShared;
            uses_.first.push_back(uses_.first.back() + (shared ? array.planes() : 0));
            seen_.emplace_back(shared ? std::size_t{array.rows} * array.leading_dimension : 0, 0);
        }
        uses_.expected.resize(std::size_t{schedule.phases} * uses_.planes());
    }

    SharedUses run() {
        if (uses_.planes() == 0) return std::move(uses_);
        std::vector<std::uint32_t> stores;
        for (std::uint32_t index = 0; index < schedule_.steps.size(); ++index) {
            const Site& site = trace_.sites[schedule_.steps[index].site];
            const bool shared = trace_.arrays[site.array].space == Space::kShared;
            if (shared && writes(site.operation)) stores.push_back(index);
        }
        // Phase by phase, so that `seen_` need only remember the last one.
        std::ranges::stable_sort(stores, {},
                                 [&](std::uint32_t index) { return schedule_.steps[index].phase; });
        for (const std::uint32_t index : stores) add_store(schedule_.steps[index]);
        return std::move(uses_);
    }

  private:
    void add_store(const Step& step) {
        const std::uint32_t width = trace_.sites[step.site].width_bytes;
        const LaneOffsets lanes = lane_offsets(trace_, step.record);
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1) {
            const std::uint32_t begin =
                lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))];
            for (ArrayId array = 0; array < trace_.arrays.size(); ++array)
                add_bytes(array, step.phase, begin, begin + width);
        }
    }

    // Arrays may share bytes of dynamic shared memory, so every array is checked.
    void add_bytes(ArrayId id, std::uint32_t phase, std::uint32_t begin, std::uint32_t end) {
        const Array& array = trace_.arrays[id];
        if (array.space != Space::kShared || begin < array.base_bytes) return;
        const std::uint32_t size = std::max(array.element_bytes, 1u);
        const std::size_t last = (end - array.base_bytes + size - 1) / size;
        for (std::size_t cell = (begin - array.base_bytes) / size; cell < last; ++cell)
            add_cell(id, phase, cell);
    }

    void add_cell(ArrayId id, std::uint32_t phase, std::size_t cell) {
        const Array& array = trace_.arrays[id];
        if (cell >= seen_[id].size() || seen_[id][cell] == phase + 1) return;
        seen_[id][cell] = phase + 1;
        const std::uint32_t plane =
            uses_.first[id] +
            plane_of(array, static_cast<std::uint32_t>(cell / array.leading_dimension));
        ++uses_.expected[std::size_t{phase} * uses_.planes() + plane];
    }

    const Trace& trace_;
    const Schedule& schedule_;
    SharedUses uses_;
    std::vector<std::vector<std::uint32_t>> seen_;  // per array, per cell: last phase + 1
};

}  // namespace

SharedUses find_shared_uses(const Trace& trace, const Schedule& schedule) {
    return UseFinder(trace, schedule).run();
}

}  // namespace tilereel
