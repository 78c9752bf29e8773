#include "instrumentation/analysis/global_transactions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace tilereel {
namespace {

// The active lanes of one group: their numbers within it, and where each access begins.
struct Group {
    std::array<std::uint32_t, kWarpSize> lanes{};
    std::array<std::uint64_t, kWarpSize> begins{};
    std::uint32_t count = 0;
    std::uint32_t size = kWarpSize, width_bytes = 4;
    [[nodiscard]] std::span<const std::uint64_t> used() const {
        return std::span(begins).first(count);
    }
};

Group group_of(const WarpAccess& access, int first, int size) {
    Group group;
    group.size = static_cast<std::uint32_t>(size);
    group.width_bytes = access.width_bytes;
    for (int lane = 0; lane < size; ++lane) {
        if ((access.lanes.mask >> (first + lane) & 1u) == 0) continue;
        group.lanes[group.count] = static_cast<std::uint32_t>(lane);
        group.begins[group.count++] = access.lanes.bytes[first + lane];
    }
    return group;
}

// How many distinct aligned units of `unit_bytes` the group touches.
std::uint32_t distinct_units(const Group& group, std::uint64_t unit_bytes) {
    std::array<std::uint64_t, std::size_t{kWarpSize} * 2> units{};
    std::size_t count = 0;
    for (const std::uint64_t begin : group.used()) {
        units[count++] = begin / unit_bytes;
        units[count++] = (begin + group.width_bytes - 1) / unit_bytes;
    }
    const auto used = std::span(units).first(count);
    std::ranges::sort(used);
    return static_cast<std::uint32_t>(count - std::ranges::unique(used).size());
}

// How many distinct bytes the group touches; lanes may overlap.
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

GlobalTransactions by_sector(const Group& group, const GlobalRules& rules) {
    const auto sector_bytes = static_cast<std::uint32_t>(rules.sector_bytes);
    const std::uint32_t sectors = distinct_units(group, sector_bytes);
    return {.transactions = sectors,
            .lines = distinct_units(group, static_cast<std::uint64_t>(rules.line_bytes)),
            .bytes = sectors * sector_bytes,
            .bytes_used = distinct_bytes(group)};
}

// The least aligned half, quarter, ... of a segment, down to `least` bytes, that holds all bytes in
// [begin, end) of it.
std::uint64_t shrunk(std::uint64_t begin, std::uint64_t end, std::uint64_t size,
                     std::uint64_t least) {
    while (size / 2 >= least && begin / (size / 2) == (end - 1) / (size / 2)) size /= 2;
    return size;
}

GlobalTransactions by_segment(const Group& group, const GlobalRules& rules) {
    const auto size = static_cast<std::uint64_t>(rules.line_bytes);
    struct Segment {
        std::uint64_t number = 0, begin = 0, end = 0;  // bytes used: [begin, end)
    };
    std::array<Segment, kWarpSize> segments{};
    std::size_t count = 0;
    for (const std::uint64_t begin : group.used()) {
        const auto known = std::span(segments).first(count);
        const auto found = std::ranges::find(known, begin / size, &Segment::number);
        const std::uint64_t end = begin + group.width_bytes;
        if (found == known.end()) {
            segments[count++] = {.number = begin / size, .begin = begin, .end = end};
            continue;
        }
        found->begin = std::min(found->begin, begin);
        found->end = std::max(found->end, end);
    }
    GlobalTransactions moved{.transactions = static_cast<std::uint32_t>(count),
                             .lines = static_cast<std::uint32_t>(count),
                             .bytes_used = distinct_bytes(group)};
    for (const Segment& segment : std::span(segments).first(count))
        moved.bytes += static_cast<std::uint32_t>(shrunk(
            segment.begin, segment.end, size, static_cast<std::uint64_t>(rules.sector_bytes)));
    return moved;
}

// Every active lane k accesses word k of one aligned segment; words beyond a line's worth lie in
// the line that follows.
bool in_order(const Group& group, std::uint64_t alignment) {
    const std::uint64_t before = std::uint64_t{group.lanes[0]} * group.width_bytes;
    if (group.begins[0] < before || (group.begins[0] - before) % alignment != 0) return false;
    for (std::uint32_t i = 0; i < group.count; ++i) {
        const std::uint64_t distance =
            std::uint64_t{group.lanes[i] - group.lanes[0]} * group.width_bytes;
        if (group.begins[i] != group.begins[0] + distance) return false;
    }
    return true;
}

GlobalTransactions by_order(const Group& group, const GlobalRules& rules) {
    const std::uint32_t segment = group.size * group.width_bytes;
    const std::uint32_t transaction =
        std::min(segment, static_cast<std::uint32_t>(rules.line_bytes));
    const std::uint32_t used = group.count * group.width_bytes;
    if (in_order(group, transaction)) {
        const std::uint32_t count = segment / transaction;
        return {.transactions = count, .lines = count, .bytes = segment, .bytes_used = used};
    }
    return {.transactions = group.count,
            .lines = group.count,
            .bytes = group.count * static_cast<std::uint32_t>(rules.sector_bytes),
            .bytes_used = used};
}

GlobalTransactions transactions_of(const Group& group, const GlobalRules& rules) {
    switch (rules.coalescing) {
        case Coalescing::kSectors:
            return by_sector(group, rules);
        case Coalescing::kSegments:
            return by_segment(group, rules);
        case Coalescing::kInOrder:
            return by_order(group, rules);
    }
    return {};
}

}  // namespace

GlobalTransactions global_transactions(const WarpAccess& access, const GlobalRules& rules) {
    GlobalTransactions sum;
    const int size = rules.lanes.of(access.width_bytes);
    for (int first = 0; first < kWarpSize; first += size) {
        const Group group = group_of(access, first, size);
        if (group.count == 0) continue;
        const GlobalTransactions moved = transactions_of(group, rules);
        sum.transactions += moved.transactions;
        sum.lines += moved.lines;
        sum.bytes += moved.bytes;
        sum.bytes_used += moved.bytes_used;
    }
    return sum;
}

}  // namespace tilereel
