#include "app/replay/arrays/element_reads.h"

#include <algorithm>
#include <bit>

#include "app/replay/arrays/contents.h"
#include "app/replay/schedule/loaded_words.h"
#include "app/replay/schedule/schedule_block.h"
#include "app/replay/state/flights.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {
namespace {

class ReadCounter {
  public:
    explicit ReadCounter(const Trace& trace) : trace_(trace), cells_(trace.arrays.size()) {
        result_.arrays.resize(trace.arrays.size());
        first_.assign(trace.arrays.size() + 1, 0);
        for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
            const Array& array = trace.arrays[id];
            const bool global = array.space == Space::kGlobal;
            cells_[id] = cell_bytes(array);
            const std::uint64_t count = global ? cell_count(array) : 0;
            result_.arrays[id].global.resize(count);
            result_.arrays[id].shared.resize(count);
            first_[id + 1] = first_[id] + count;
        }
        origin_.resize(4 * shared_words_of(trace));
    }

    // Returns false if `stop` was set. It is checked between requests and may be null.
    [[nodiscard]] bool add_block(std::uint32_t block, const std::atomic<bool>* stop) {
        const auto stopped = [stop] { return stop != nullptr && stop->load(); };
        const BlockRecords records = records_of_block(trace_, block);
        const Schedule schedule =
            schedule_block(trace_, records, phases_of_block(trace_, block), default_generation());
        if (stopped()) return false;
        const LoadedWords loaded(trace_, records, schedule);
        if (stopped()) return false;
        std::vector<Flight> flights = find_flights(trace_, records, schedule, loaded);
        std::ranges::stable_sort(flights, {}, &Flight::store_step);
        std::ranges::fill(origin_, kUnknown);
        auto landing = flights.begin();
        for (std::uint32_t step = 0; step < schedule.steps.size(); ++step) {
            if (stopped()) return false;
            const Site& site = trace_.sites[schedule.steps[step].site];
            if (!accesses(trace_, site)) continue;
            const LaneOffsets lanes = lane_offsets(trace_, schedule.steps[step].record);
            const Space space = trace_.arrays[site.array].space;
            if (space == Space::kGlobal && reads(site.operation)) add_global(site, lanes);
            if (space != Space::kShared) continue;
            if (reads(site.operation)) add_shared(site, lanes);
            if (!writes(site.operation)) continue;
            forget(site, lanes);
            for (; landing != flights.end() && landing->store_step <= step; ++landing)
                if (landing->store_step == step) note(*landing);
        }
        ++result_.blocks;
        return true;
    }

    ElementReads take() { return std::move(result_); }

  private:
    // Cell c of array a has the number first_[a] + c + 1; 0 is no cell.
    static constexpr std::uint64_t kUnknown = 0;

    template <class Visit>
    static void for_each_lane(const LaneOffsets& lanes, Visit&& visit) {
        for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1)
            visit(lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))]);
    }

    void add_global(const Site& site, const LaneOffsets& lanes) {
        std::vector<std::uint32_t>& counts = result_.arrays[site.array].global;
        const std::uint32_t size = cells_[site.array];
        for_each_lane(lanes, [&](std::uint64_t begin) {
            const std::uint64_t last = (begin + site.width_bytes - 1) / size;
            for (std::uint64_t cell = begin / size; cell <= last && cell < counts.size(); ++cell)
                ++counts[cell];
        });
    }

    // Several bytes of a cell are one read of it by a lane.
    void add_shared(const Site& site, const LaneOffsets& lanes) {
        const std::uint32_t size =
            std::min<std::uint32_t>({value_bytes(trace_.arrays[site.array]), site.width_bytes, 4});
        for_each_lane(lanes, [&](std::uint64_t begin) {
            std::uint64_t before = kUnknown, from = 0;
            for (std::uint64_t byte = begin; byte < begin + site.width_bytes; byte += size) {
                const std::uint64_t origin = byte < origin_.size() ? origin_[byte] : kUnknown;
                if (origin == kUnknown) {
                    before = kUnknown;
                    continue;
                }
                const std::size_t array = array_of(origin);
                if (origin == before && byte - from < cells_[array]) continue;
                before = origin, from = byte;
                ++result_.arrays[array].shared[origin - 1 - first_[array]];
            }
        });
    }

    [[nodiscard]] std::size_t array_of(std::uint64_t origin) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(first_, origin - 1) -
                                        first_.begin()) -
               1;
    }

    void forget(const Site& site, const LaneOffsets& lanes) {
        for_each_lane(lanes, [&](std::uint64_t begin) { put(begin, site.width_bytes, kUnknown); });
    }

    void note(const Flight& flight) {
        const std::uint64_t cell = flight.from_bytes / cells_[flight.from];
        if (cell >= result_.arrays[flight.from].shared.size()) return;
        const std::uint32_t moved = std::min<std::uint32_t>(
            {value_bytes(trace_.arrays[flight.from]), value_bytes(trace_.arrays[flight.to]), 4});
        put(flight.to_bytes, moved, first_[flight.from] + cell + 1);
    }

    void put(std::uint64_t begin, std::uint32_t bytes, std::uint64_t origin) {
        for (std::uint64_t byte = begin; byte < begin + bytes && byte < origin_.size(); ++byte)
            origin_[byte] = origin;
    }

    const Trace& trace_;
    ElementReads result_;
    std::vector<std::uint32_t> cells_;   // by array: bytes of a cell
    std::vector<std::uint64_t> first_;   // by array: cells of all arrays before it
    std::vector<std::uint64_t> origin_;  // by byte of shared memory: the cell that it is a copy of
};

}  // namespace

ElementReads count_element_reads(const Trace& trace, std::atomic<std::uint32_t>* done,
                                 const std::atomic<bool>* stop) {
    ReadCounter counter(trace);
    const std::vector<std::uint32_t>& blocks = trace.segments.block;  // sorted
    for (std::size_t segment = 0; segment < blocks.size(); ++segment) {
        if (segment > 0 && blocks[segment] == blocks[segment - 1]) continue;
        if (!counter.add_block(blocks[segment], stop)) break;
        if (done != nullptr) ++*done;
    }
    return counter.take();
}

}  // namespace tilereel
