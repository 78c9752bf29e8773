#include "instrumentation/analysis/cost/global_transactions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace tilereel {
namespace {

// The active lanes of a group: their numbers within it, and the addresses of their accesses.
struct Group {
    std::array<std::uint32_t, kWarpSize> lanes{};
    std::array<std::uint64_t, kWarpSize> begins{};
    std::uint32_t count = 0;
    std::uint32_t first_lane = 0;  // of the warp
    std::uint32_t size = kWarpSize, width_bytes = 4;
};

Group group_of(const WarpAccess& access, int first, int size) {
    Group group;
    group.first_lane = static_cast<std::uint32_t>(first);
    group.size = static_cast<std::uint32_t>(size);
    group.width_bytes = access.width_bytes;
    for (int lane = 0; lane < size; ++lane) {
        if ((access.lanes.mask >> (first + lane) & 1u) == 0) continue;
        group.lanes[group.count] = static_cast<std::uint32_t>(lane);
        group.begins[group.count++] = access.lanes.bytes[first + lane];
    }
    return group;
}

// The number of distinct bytes that the group accesses. Accesses of lanes may overlap.
std::uint32_t distinct_bytes(Group group) {
    const auto sorted = std::span(group.begins).first(group.count);
    std::ranges::sort(sorted);
    std::uint64_t bytes = 0, end = 0;  // all before `end` is counted
    for (const std::uint64_t begin : sorted) {
        const std::uint64_t last = begin + group.width_bytes;
        bytes += last - std::clamp(end, begin, last);
        end = last;
    }
    return static_cast<std::uint32_t>(bytes);
}

// The transactions of one group, after those of the groups before it.
class GroupTransactions {
  public:
    GroupTransactions(const Group& group, const GlobalRules& rules,
                      std::vector<GlobalTransaction>& all)
        : group_(group), rules_(rules), all_(all), first_(all.size()) {}

    void add() {
        switch (rules_.coalescing) {
            case Coalescing::kSectors:
                return add_sectors();
            case Coalescing::kSegments:
                return add_segments();
            case Coalescing::kInOrder:
                return in_order() ? add_segment_in_order() : add_one_a_lane();
        }
    }

  private:
    // The transaction that begins at `begin`, new if there is none.
    GlobalTransaction& at(std::uint64_t begin, std::uint32_t bytes) {
        const auto own = std::span(all_).subspan(first_);
        const auto found = std::ranges::find(own, begin, &GlobalTransaction::begin);
        if (found != own.end()) return *found;
        return all_.emplace_back(
            GlobalTransaction{.begin = begin, .bytes = bytes, .first_lane = group_.first_lane});
    }
    [[nodiscard]] std::uint32_t lane_bit(std::uint32_t i) const {
        return 1u << (group_.first_lane + group_.lanes[i]);
    }

    void add_sectors() {
        const auto size = static_cast<std::uint32_t>(rules_.sector_bytes);
        for (std::uint32_t i = 0; i < group_.count; ++i) {
            const std::uint64_t end = group_.begins[i] + group_.width_bytes;
            for (std::uint64_t begin = group_.begins[i] / size * size; begin < end; begin += size)
                at(begin, size).lanes |= lane_bit(i);
        }
        sort_by_place();
    }

    // Adds a transaction for each segment. Its size is halved while one half is unused.
    void add_segments() {
        const auto size = static_cast<std::uint32_t>(rules_.line_bytes);
        for (std::uint32_t i = 0; i < group_.count; ++i)
            at(group_.begins[i] / size * size, size).lanes |= lane_bit(i);
        for (GlobalTransaction& segment : std::span(all_).subspan(first_)) {
            std::uint64_t begin = ~std::uint64_t{0}, last = 0;
            for (std::uint32_t i = 0; i < group_.count; ++i) {
                if ((segment.lanes & lane_bit(i)) == 0) continue;
                begin = std::min(begin, group_.begins[i]);
                last = std::max(last, group_.begins[i] + group_.width_bytes - 1);
            }
            const auto least = static_cast<std::uint32_t>(rules_.sector_bytes);
            for (std::uint32_t half = size / 2; half >= least && begin / half == last / half;
                 half /= 2)
                segment.bytes = half;
            segment.begin = begin / segment.bytes * segment.bytes;
        }
        sort_by_place();
    }

    // The bytes of the segment that the group accesses in order, and of each of its transactions,
    // which is at most a line.
    [[nodiscard]] std::uint32_t segment_bytes() const { return group_.size * group_.width_bytes; }
    [[nodiscard]] std::uint32_t transaction_bytes() const {
        return std::min(segment_bytes(), static_cast<std::uint32_t>(rules_.line_bytes));
    }

    // Whether every active lane k accesses word k of one aligned segment.
    [[nodiscard]] bool in_order() const {
        const std::uint64_t before = std::uint64_t{group_.lanes[0]} * group_.width_bytes;
        if (group_.begins[0] < before || (group_.begins[0] - before) % transaction_bytes() != 0)
            return false;
        for (std::uint32_t i = 0; i < group_.count; ++i) {
            const std::uint64_t distance =
                std::uint64_t{group_.lanes[i] - group_.lanes[0]} * group_.width_bytes;
            if (group_.begins[i] != group_.begins[0] + distance) return false;
        }
        return true;
    }

    void add_segment_in_order() {
        const std::uint64_t begin =
            group_.begins[0] - std::uint64_t{group_.lanes[0]} * group_.width_bytes;
        const std::uint32_t size = transaction_bytes();
        for (std::uint32_t from = 0; from < segment_bytes(); from += size) at(begin + from, size);
        for (std::uint32_t i = 0; i < group_.count; ++i)
            at(begin + (group_.begins[i] - begin) / size * size, size).lanes |= lane_bit(i);
    }

    void add_one_a_lane() {
        const auto size = static_cast<std::uint32_t>(rules_.sector_bytes);
        for (std::uint32_t i = 0; i < group_.count; ++i)
            all_.push_back({.begin = group_.begins[i] / size * size,
                            .bytes = size,
                            .lanes = lane_bit(i),
                            .first_lane = group_.first_lane});
    }

    void sort_by_place() {
        std::ranges::sort(std::span(all_).subspan(first_), {}, &GlobalTransaction::begin);
    }

    const Group& group_;
    const GlobalRules& rules_;
    std::vector<GlobalTransaction>& all_;
    std::size_t first_;  // of this group
};

template <class Visit>
void for_each_group(const WarpAccess& access, const GlobalRules& rules, Visit&& visit) {
    const int size = rules.lanes.of(access.width_bytes);
    for (int first = 0; first < kWarpSize; first += size) {
        const Group group = group_of(access, first, size);
        if (group.count > 0) visit(group);
    }
}

// The number of passes of the memory pipe: one for each line if sectors are moved, else one for
// each transaction.
std::uint32_t lines_of(std::span<const GlobalTransaction> moved, const GlobalRules& rules) {
    if (rules.coalescing != Coalescing::kSectors) return static_cast<std::uint32_t>(moved.size());
    const auto line = static_cast<std::uint64_t>(rules.line_bytes);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < moved.size(); ++i)  // sorted by place
        count += i == 0 || moved[i].begin / line != moved[i - 1].begin / line;
    return count;
}

}  // namespace

GlobalTransactions global_transactions(const WarpAccess& access, const GlobalRules& rules) {
    GlobalTransactions sum;
    std::vector<GlobalTransaction> moved;
    for_each_group(access, rules, [&](const Group& group) {
        moved.clear();
        GroupTransactions(group, rules, moved).add();
        sum.transactions += static_cast<std::uint32_t>(moved.size());
        sum.lines += lines_of(moved, rules);
        for (const GlobalTransaction& transaction : moved) sum.bytes += transaction.bytes;
        sum.bytes_used += rules.coalescing == Coalescing::kInOrder
                              ? group.count * group.width_bytes  // counted per lane
                              : distinct_bytes(group);
    });
    return sum;
}

std::vector<GlobalTransaction> list_transactions(const WarpAccess& access,
                                                 const GlobalRules& rules) {
    std::vector<GlobalTransaction> all;
    for_each_group(access, rules,
                   [&](const Group& group) { GroupTransactions(group, rules, all).add(); });
    return all;
}

}  // namespace tilereel
