#include "instrumentation/analysis/hazards/race_order.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// Counts the trips of one thread from the records of its block.
class TripCounter {
  public:
    // `first`, `second`: the two sites, in the order of a trip.
    TripCounter(const Trace& trace, const HazardParty& party, SiteId first, SiteId second)
        : trace_(trace),
          warp_(party.thread / kWarpSize),
          bit_(1u << party.thread % kWarpSize),
          party_(party),
          first_(first),
          second_(second) {}

    void count(std::uint32_t block) {
        const Segments& segments = trace_.segments;
        const SegmentRange range = segments_of_block(trace_, block);
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            if (segments.warp[segment] != warp_) continue;
            for (const std::uint64_t record : records_of(segments, segment)) add(record);
        }
    }
    [[nodiscard]] std::uint32_t trip() const { return executes_both() ? by_order_ : by_waits_; }
    [[nodiscard]] bool several() const {
        return (executes_both() ? order_trips_ : wait_trips_) > 0;
    }

  private:
    [[nodiscard]] bool executes_both() const { return saw_first_ && saw_second_; }

    void add(std::uint64_t record) {
        const SiteId site = site_of(trace_, record);
        const Site& executed = trace_.sites[site];
        // The TMA has no lanes: its pieces take their places.
        const bool of_thread = (trace_.patterns[trace_.records.pattern[record]].mask & bit_) != 0 ||
                               is_of_tma(trace_, executed);
        if (!of_thread) return;
        if (facts_of(executed.operation).synchronises) waited_ = true;
        if (site != first_ && site != second_) return;
        if (site == first_ && (second_since_ || first_ == second_)) {
            if (saw_first_) ++order_trips_;
            second_since_ = false;
        }
        if (site == second_ && site != first_) second_since_ = true;
        saw_first_ |= site == first_;
        saw_second_ |= site == second_;
        if (site == party_.site) {
            if (saw_party_ && waited_) ++wait_trips_;
            saw_party_ = true;
            waited_ = false;
        }
        if (record != party_.record) return;
        by_order_ = order_trips_;
        by_waits_ = wait_trips_;
    }

    const Trace& trace_;
    std::uint32_t warp_, bit_;
    HazardParty party_;
    SiteId first_, second_;
    bool saw_first_ = false, saw_second_ = false, saw_party_ = false;
    bool second_since_ = false;  // the thread executed `second_` after the last `first_`
    bool waited_ = false;        // and synchronised after the last access of the party's site
    std::uint32_t order_trips_ = 0, wait_trips_ = 0;  // so far
    std::uint32_t by_order_ = 0, by_waits_ = 0;       // at the party's record
};

// Whether the party's thread reads the element and writes it again on the line of the access: the
// nearest access of the other kind there, after a read and before a write, is of the same bytes.
bool updates_element(const Trace& trace, std::uint32_t block, const HazardParty& party) {
    if (party.record == HazardParty::kNoRecord) return false;
    const Site& site = trace.sites[party.site];
    if (!reads(site.operation) && !writes(site.operation)) return false;
    const std::uint32_t warp = party.thread / kWarpSize, lane = party.thread % kWarpSize;
    const std::uint32_t offset = lane_offsets(trace, party.record).bytes[lane];
    const bool is_read = reads(site.operation);
    bool before_is_update = false;
    const SegmentRange range = segments_of_block(trace, block);
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        if (trace.segments.warp[segment] != warp) continue;
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            if (!is_read && record >= party.record) return before_is_update;
            if (is_read && record <= party.record) continue;
            const Site& other = trace.sites[site_of(trace, record)];
            const LaneOffsets lanes = lane_offsets(trace, record);
            if ((lanes.mask >> lane & 1u) == 0 || other.line != site.line ||
                other.file != site.file || other.array != site.array)
                continue;
            if (is_read ? !writes(other.operation) : !reads(other.operation)) continue;
            if (is_read) return lanes.bytes[lane] == offset;
            before_is_update = lanes.bytes[lane] == offset;
        }
    }
    return before_is_update;
}

}  // namespace

RaceOrder race_order(const Trace& trace, const Finding& finding) {
    // Sites are numbered in the order of their first execution, which is their order in a trip.
    const auto [first, second] = std::minmax(finding.first.site, finding.second.site);
    TripCounter one(trace, finding.first, first, second);
    TripCounter other(trace, finding.second, first, second);
    one.count(finding.block);
    other.count(finding.block);
    RaceOrder order{.earlier = finding.first,
                    .later = finding.second,
                    .earlier_trip = one.trip(),
                    .later_trip = other.trip(),
                    .in_loop = one.several() || other.several()};
    if (std::tuple(other.trip(), finding.second.site) <
        std::tuple(one.trip(), finding.first.site)) {
        std::swap(order.earlier, order.later);
        std::swap(order.earlier_trip, order.later_trip);
    }
    const bool within_block = finding.second_block == Finding::kSameBlock;
    const Site &one_site = trace.sites[finding.first.site],
               &other_site = trace.sites[finding.second.site];
    order.is_update = within_block && one_site.line == other_site.line &&
                      one_site.file == other_site.file &&
                      updates_element(trace, finding.block, finding.first) &&
                      updates_element(trace, finding.block, finding.second);
    order.next_trip = order.earlier_trip != order.later_trip;
    if (first == second && !order.next_trip) return order;
    order.after_line = trace.sites[order.next_trip ? second : first].line;
    order.before_line = trace.sites[order.next_trip ? first : second].line;
    return order;
}

}  // namespace tilereel
