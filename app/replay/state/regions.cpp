#include "app/replay/state/regions.h"

#include <utility>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

void include(CellRect& rect, const CellRect& part) {
    if (part.empty()) return;
    include(rect, Element{part.row0, part.column0});
    include(rect, Element{part.row1 - 1, part.column1 - 1});
}

class RegionFinder {
  public:
    RegionFinder(const Trace& trace, const Schedule& schedule, const Lifetimes& lifetimes,
                 std::span<const Flight> flights)
        : trace_(trace), schedule_(schedule), lifetimes_(lifetimes), flights_(flights) {
        const std::size_t arrays = trace.arrays.size();
        regions_.bands.resize(arrays);
        regions_.touched_in_phase.resize(arrays * schedule.phases);
        regions_.tiles.resize(arrays * schedule.phases);
        regions_.prefetches.resize(arrays * schedule.phases);
    }

    Regions run() {
        if (!trace_.product) return std::move(regions_);
        add_readings();
        std::size_t flight = 0;  // sorted by depart, and so by load step
        for (std::uint32_t index = 0; index < schedule_.steps.size(); ++index) {
            const std::size_t first = flight;
            while (flight < flights_.size() && flights_[flight].load_step == index) ++flight;
            add_step(schedule_.steps[index], flights_.subspan(first, flight - first));
        }
        return std::move(regions_);
    }

  private:
    [[nodiscard]] CellRect& at(std::vector<CellRect>& rects, std::uint32_t phase, ArrayId array) {
        return rects[std::size_t{phase} * trace_.arrays.size() + array];
    }

    // Adds, for each phase, the source regions of what it reads from shared memory.
    void add_readings() {
        // The flights of a word: two where each brings half of it.
        std::vector<std::uint32_t> latest(lifetimes_.words.size(), kNever);
        std::vector<std::uint32_t> before(flights_.size(), kNever);
        for (std::uint32_t i = 0; i < flights_.size(); ++i)
            if (flights_[i].stored_word < latest.size())
                before[i] = std::exchange(latest[flights_[i].stored_word], i);
        read_in_load_phase_.resize(flights_.size());
        for (const Lifetimes::Reading& reading : lifetimes_.readings)
            for (std::uint32_t i = latest[reading.word]; i != kNever; i = before[i]) {
                const Flight& flight = flights_[i];
                include(at(regions_.tiles, reading.phase, flight.from), flight.source());
                if (schedule_.steps[flight.load_step].phase == reading.phase)
                    read_in_load_phase_[i] = true;
            }
    }

    // Whether the value is loaded in this phase and read in other phases only.
    [[nodiscard]] bool is_prefetched(const Flight& flight) const {
        return !read_in_load_phase_[static_cast<std::size_t>(&flight - flights_.data())] &&
               flight.stored_word < lifetimes_.words.size() &&
               lifetimes_.words[flight.stored_word].first_read != kNever;
    }

    void add_step(const Step& step, std::span<const Flight> departing) {
        const ArrayId array = trace_.sites[step.site].array;
        if (trace_.arrays[array].space == Space::kShared) return;
        const CellRect rect = touched(trace_, step.site, step.record);
        if (rect.empty()) return;
        include(regions_.bands[array], rect);
        include(at(regions_.touched_in_phase, step.phase, array), rect);
        if (std::ranges::none_of(departing, [&](const Flight& f) { return is_prefetched(f); }))
            return include(at(regions_.tiles, step.phase, array), rect);
        for (const Flight& flight : departing)
            if (is_prefetched(flight))
                include(at(regions_.prefetches, step.phase, array), flight.source());
        // The elements of the request that are not prefetched.
        for_each_element(lane_offsets(trace_, step.record), trace_.arrays[array],
                         trace_.sites[step.site].width_bytes,
                         [&](std::uint32_t, std::uint32_t, Element element) {
                             const bool later =
                                 std::ranges::any_of(departing, [&](const Flight& f) {
                                     return f.from_row == element.row &&
                                            f.from_column == element.column && is_prefetched(f);
                                 });
                             if (!later) include(at(regions_.tiles, step.phase, array), element);
                         });
    }

    const Trace& trace_;
    const Schedule& schedule_;
    const Lifetimes& lifetimes_;
    std::span<const Flight> flights_;
    std::vector<bool> read_in_load_phase_;  // per flight
    Regions regions_;
};

}  // namespace

CellRect touched(const Trace& trace, SiteId site, std::uint64_t record) {
    dcheck(record < trace.records.size());
    dcheck(site < trace.sites.size());
    CellRect rect;
    if (!accesses(trace, trace.sites[site])) return rect;
    const Array& array = trace.arrays[trace.sites[site].array];
    for_each_element(lane_offsets(trace, record), array, trace.sites[site].width_bytes,
                     [&](std::uint32_t, std::uint32_t, Element at) { include(rect, at); });
    return rect;
}

Regions find_regions(const Trace& trace, const Schedule& schedule, const Lifetimes& lifetimes,
                     std::span<const Flight> flights, const CellRect& c) {
    Regions regions = RegionFinder(trace, schedule, lifetimes, flights).run();
    regions.c = c;
    return regions;
}

CellRect Regions::in_phase(const std::vector<CellRect>& all, ArrayId array,
                           std::uint32_t phase) const {
    const std::size_t index = std::size_t{phase} * bands.size() + array;
    return array < bands.size() && index < all.size() ? all[index] : CellRect{};
}
CellRect Regions::band(ArrayId array) const {
    return array < bands.size() ? bands[array] : CellRect{};
}
CellRect Regions::touched(ArrayId array, std::uint32_t phase) const {
    return in_phase(touched_in_phase, array, phase);
}
CellRect Regions::tile(ArrayId array, std::uint32_t phase) const {
    return in_phase(tiles, array, phase);
}
CellRect Regions::prefetched(ArrayId array, std::uint32_t phase) const {
    return in_phase(prefetches, array, phase);
}

}  // namespace tilereel
