#include "instrumentation/analysis/hazards/lane_conflicts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <vector>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// A byte range that a lane stores.
struct LaneStore {
    std::uint32_t offset = 0, lane = 0;
};

using LaneStores = std::array<LaneStore, kWarpSize>;

// The lanes' stores by ascending offset; returns their number.
std::size_t sorted_stores(const LaneOffsets& lanes, LaneStores& stores) {
    std::size_t count = 0;
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        stores[count++] = {lanes.bytes[lane], lane};
    }
    std::sort(stores.begin(), stores.begin() + static_cast<std::ptrdiff_t>(count),
              [](const LaneStore& a, const LaneStore& b) {
                  return std::tuple(a.offset, a.lane) < std::tuple(b.offset, b.lane);
              });
    return count;
}

// Whether two lanes of a pattern have one address, by pattern.
class SharedAddresses {
  public:
    explicit SharedAddresses(const Trace& trace)
        : trace_(trace), known_(trace.patterns.size(), kUnknown) {}
    bool any(std::uint64_t record) {
        std::uint8_t& known = known_[trace_.records.pattern[record]];
        if (known != kUnknown) return known == kYes;
        LaneStores stores;
        const std::size_t count = sorted_stores(lane_offsets(trace_, record), stores);
        known = kNo;
        for (std::size_t i = 1; i < count; ++i)
            if (stores[i].offset == stores[i - 1].offset) known = kYes;
        return known == kYes;
    }

  private:
    enum : std::uint8_t { kUnknown, kNo, kYes };
    const Trace& trace_;
    std::vector<std::uint8_t> known_;
};

class LaneConflicts {
  public:
    LaneConflicts(const Trace& trace, const ReportLanes& report)
        : trace_(trace), report_(report), shared_addresses_(trace) {}

    void find() {
        const Segments& segments = trace_.segments;
        for (std::size_t segment = 0; segment < segments.size(); ++segment) {
            std::uint64_t value = segments.value_begin[segment];
            for (const std::uint64_t record : records_of(segments, segment)) {
                if (!has_values(trace_, record)) continue;
                const Site& site = site_at(trace_, record);
                if (site.operation == Operation::kStore && shared_addresses_.any(record))
                    check(segment, record, value);
                value += value_count(trace_, record);
            }
        }
    }

  private:
    void check(std::size_t segment, std::uint64_t record, std::uint64_t value) {
        const SiteId id = site_of(trace_, record);
        const std::uint32_t words = trace_.sites[id].words();
        const LaneOffsets lanes = lane_offsets(trace_, record);
        LaneStores stores;
        const std::size_t count = sorted_stores(lanes, stores);
        const auto words_of = [&](std::uint32_t lane) {
            const int rank = std::popcount(lanes.mask & ((1u << lane) - 1));
            return trace_.words.begin() +
                   static_cast<std::ptrdiff_t>(value + static_cast<std::uint64_t>(rank) * words);
        };
        for (std::size_t i = 1; i < count; ++i) {
            const LaneStore &one = stores[i - 1], &other = stores[i];
            if (one.offset != other.offset ||
                std::equal(words_of(one.lane), words_of(one.lane) + words, words_of(other.lane)))
                continue;
            add(segment, record, one, other);
        }
    }

    void add(std::size_t segment, std::uint64_t record, const LaneStore& one,
             const LaneStore& other) {
        const SiteId id = site_of(trace_, record);
        const Array& array = trace_.arrays[trace_.sites[id].array];
        const std::uint32_t element =
            (one.offset - array.base_bytes) / std::max(1u, array.element_bytes);
        const ElementPlace at = array.place_of(element);
        const std::uint32_t first = trace_.segments.warp[segment] * std::uint32_t{kWarpSize};
        report_({.hazard = Hazard::kDifferentValues,
                 .block = trace_.segments.block[segment],
                 .epoch = trace_.segments.epoch[segment],
                 .first = {id, first + one.lane, record},
                 .second = {id, first + other.lane, record},
                 .array = trace_.sites[id].array,
                 .row = at.row,
                 .column = at.column},
                element);
    }

    const Trace& trace_;
    const ReportLanes& report_;
    SharedAddresses shared_addresses_;
};

}  // namespace

void find_lane_conflicts(const Trace& trace, const ReportLanes& report) {
    LaneConflicts(trace, report).find();
}

}  // namespace tilereel
