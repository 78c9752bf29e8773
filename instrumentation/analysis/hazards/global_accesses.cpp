#include "instrumentation/analysis/hazards/global_accesses.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

struct ArrayFacts {
    bool written = false;
    std::uint32_t cell_bytes = 4;
    std::uint64_t accesses = 0;  // of cells
};

std::vector<ArrayFacts> facts_of_arrays(const Trace& trace) {
    std::vector<ArrayFacts> facts(trace.arrays.size());
    for (const Site& site : trace.sites) {
        if (!is_access(site.operation) || trace.arrays[site.array].space != Space::kGlobal)
            continue;
        ArrayFacts& array = facts[site.array];
        array.written |= writes(site.operation);
        array.cell_bytes = std::min(array.cell_bytes, std::uint32_t{site.width_bytes});
    }
    for (std::uint64_t record = 0; record < trace.records.size(); ++record) {
        const Site& site = site_at(trace, record);
        if (!is_access(site.operation) || !facts[site.array].written) continue;
        const std::uint32_t mask = trace.patterns[trace.records.pattern[record]].mask;
        facts[site.array].accesses += static_cast<std::uint64_t>(std::popcount(mask)) *
                                      (site.width_bytes / facts[site.array].cell_bytes);
    }
    return facts;
}

// The bytes of a cell in a lane's stored value. `words`: of that lane.
std::uint32_t value_of_cell(const std::uint32_t* words, std::uint32_t cell,
                            std::uint32_t cell_bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(words) + std::size_t{cell} * cell_bytes,
                cell_bytes);
    return value;
}

class Collector {
  public:
    Collector(const Trace& trace, ArrayId array, const ArrayFacts& facts)
        : trace_(trace), array_(array), cell_bytes_(facts.cell_bytes) {}

    // Collects the accesses of the cells in [begin, end).
    std::vector<GlobalAccess>& collect(std::uint64_t begin, std::uint64_t end) {
        found_.clear();
        const Segments& segments = trace_.segments;
        for (std::size_t segment = 0; segment < segments.size(); ++segment) {
            std::uint64_t value = segments.value_begin[segment];
            for (const std::uint64_t record : records_of(segments, segment)) {
                const SiteId site = site_of(trace_, record);
                const bool valued = has_values(trace_, record);
                if (trace_.sites[site].array == array_ && is_access(trace_.sites[site].operation))
                    add(record, static_cast<std::uint32_t>(segment), valued ? &value : nullptr,
                        begin, end);
                if (valued) value += value_count(trace_, record);
            }
        }
        std::ranges::stable_sort(found_, {}, &GlobalAccess::cell);
        return found_;
    }

  private:
    void add(std::uint64_t record, std::uint32_t segment, const std::uint64_t* value,
             std::uint64_t begin, std::uint64_t end) {
        const SiteId id = site_of(trace_, record);
        const Site& site = trace_.sites[id];
        const LaneOffsets lanes = lane_offsets(trace_, record);
        const std::uint32_t cells = site.width_bytes / cell_bytes_;
        const bool stores = value != nullptr && writes(site.operation);
        const std::uint32_t* words = stores ? trace_.words.data() + *value : nullptr;
        for (const std::uint32_t lane : lanes_in(lanes.mask)) {
            for (std::uint32_t i = 0; i < cells; ++i) {
                const std::uint64_t cell = lanes.bytes[lane] / cell_bytes_ + i;
                if (cell < begin || cell >= end) continue;
                found_.push_back({.cell = cell,
                                  .record = record,
                                  .segment = segment,
                                  .value = stores ? value_of_cell(words, i, cell_bytes_) : 0,
                                  .site = id,
                                  .lane = static_cast<std::uint8_t>(lane),
                                  .has_value = stores});
            }
            if (stores) words += site.words();
        }
    }

    const Trace& trace_;
    ArrayId array_;
    std::uint32_t cell_bytes_;
    std::vector<GlobalAccess> found_;
};

}  // namespace

void for_each_global_access(const Trace& trace, const VisitGlobal& visit,
                            std::uint64_t most_of_part) {
    const std::vector<ArrayFacts> facts = facts_of_arrays(trace);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const ArrayFacts& array = facts[i];
        if (!array.written || array.accesses < 2) continue;
        Collector collector(trace, static_cast<ArrayId>(i), array);
        constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // offsets are 32-bit
        const std::uint64_t cells =
            std::clamp<std::uint64_t>(trace.arrays[i].size_bytes(), 1, kMostBytes) /
                array.cell_bytes +
            1;
        const std::uint64_t parts = (array.accesses + most_of_part - 1) / most_of_part;
        const std::uint64_t cells_of_part = (cells + parts - 1) / parts;
        for (std::uint64_t part = 0; part < parts; ++part) {
            const std::uint64_t end = part + 1 == parts ? std::numeric_limits<std::uint64_t>::max()
                                                        : (part + 1) * cells_of_part;
            visit(collector.collect(part * cells_of_part, end), array.cell_bytes);
        }
    }
}

}  // namespace tilereel
