#include "instrumentation/analysis/cost/request_cost.h"

#include <algorithm>
#include <array>
#include <bit>

#include "instrumentation/analysis/cost/copy_cost.h"
#include "instrumentation/analysis/cost/global_transactions.h"
#include "instrumentation/analysis/cost/shared_passes.h"
#include "instrumentation/analysis/generations/memory_units.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kPeriodBytes = 128;  // moving a request by a line changes no cost

void add_shared_cost(const WarpAccess& access, const Generation& generation, RequestCost& cost) {
    for_each_pass(access, generation.shared, [&](const SharedPass& pass) {
        cost.wavefronts += pass.wavefronts;
        ++cost.ideal_wavefronts;
    });
    cost.bank_conflicts = cost.wavefronts - cost.ideal_wavefronts;
}

std::uint32_t distinct_addresses(const LaneOffsets& lanes) {
    std::array<std::uint32_t, kWarpSize> found{};
    std::size_t count = 0;
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const std::uint32_t at = lanes.bytes[static_cast<std::size_t>(std::countr_zero(left))];
        const auto known = found.begin() + static_cast<std::ptrdiff_t>(count);
        if (std::find(found.begin(), known, at) == known) found[count++] = at;
    }
    return static_cast<std::uint32_t>(count);
}

}  // namespace

RequestCost cost_of(const WarpAccess& access, const Generation& generation) {
    RequestCost cost;
    cost.lanes = static_cast<std::uint32_t>(std::popcount(access.lanes.mask));
    // All lanes take part in a matrix load or store; some give no address.
    cost.lanes_off =
        cost.lanes == 0 || is_matrix_access(access.operation) ? 0 : kWarpSize - cost.lanes;
    cost.bytes_requested = cost.lanes * access.width_bytes;
    if (access.operation == Operation::kAtomic)
        cost.collisions = cost.lanes - distinct_addresses(access.lanes);
    if (access.is_of_other_block) return cost;
    // No counter of a GPU tells how another block's shared memory is read: a request is one.
    if (access.space == Space::kSharedCluster) {
        cost.wavefronts = cost.ideal_wavefronts = cost.lanes == 0 ? 0 : 1;
        return cost;
    }
    if (access.space == Space::kConstant) {
        cost.wavefronts = distinct_addresses(access.lanes);
        cost.ideal_wavefronts = cost.wavefronts == 0 ? 0 : 1;
        return cost;
    }
    const bool copies = is_copy(access.operation) && generation.asynchronous_copies;
    if (access.space == Space::kShared) {
        if (copies) {
            const CopyCost copy = cost_of_copy(access.lanes, access.other_side, access.width_bytes);
            cost.wavefronts = copy.wavefronts;
            cost.ideal_wavefronts = copy.ideal_wavefronts;
            cost.bank_conflicts = cost.wavefronts - cost.ideal_wavefronts;
            return cost;
        }
        add_shared_cost(access, generation, cost);
        return cost;
    }
    const GlobalTransactions moved = global_transactions(access, generation.global);
    cost.transactions = moved.transactions;
    cost.lines = moved.lines;
    cost.bytes_used = moved.bytes_used;
    cost.bytes_moved = moved.bytes;
    if (copies) {
        cost.transactions =
            cost_of_copy(access.other_side, access.lanes, access.width_bytes).sectors;
        cost.bytes_moved = cost.transactions * kSectorBytes;
    }
    cost.sectors = cost.bytes_moved / kSectorBytes;
    return cost;
}

WarpAccess access_of(const Trace& trace, std::size_t record) {
    dcheck(record < trace.records.size());
    const Site& site = site_at(trace, record);
    check(site.array < trace.arrays.size());
    WarpAccess access{.space = trace.arrays[site.array].space,
                      .operation = site.operation,
                      .width_bytes = site.width_bytes,
                      .lanes = lane_offsets(trace, record),
                      .is_of_other_block = site.is_of_other_block()};
    if (is_copy(site.operation))
        access.other_side = lane_offsets(trace, other_side_of(trace, record));
    return access;
}

CostCache::CostCache(const Trace& trace, const Generation& generation)
    : trace_(trace), generation_(generation), first_row_(trace.patterns.size(), kNone) {}

const RequestCost& CostCache::operator()(std::size_t record) { return costs_[slot_of(record)]; }

std::uint32_t CostCache::slot_of(std::size_t record) {
    dcheck(record < trace_.records.size());
    const SiteId site = site_of(trace_, record);
    if (is_copy(trace_.sites[site].operation)) return slot_of_copy(record);
    const std::uint32_t base = trace_.records.base[record];
    const std::uint32_t row =
        row_of(trace_.records.pattern[record], site, static_cast<std::uint8_t>(base % kWordBytes));
    std::uint32_t& slot = rows_[row].slot[base % kPeriodBytes / kWordBytes];
    if (slot == kNone) slot = add_slot(record);
    return slot;
}

std::uint32_t CostCache::slot_of_copy(std::size_t record) {
    dcheck(record < trace_.records.size());
    const Records& records = trace_.records;
    const SiteId site = site_of(trace_, record);
    const std::size_t other = other_side_of(trace_, record);
    const std::array<std::uint32_t, 5> key{
        site, records.pattern[record], records.base[record] % kPeriodBytes, records.pattern[other],
        records.base[other] % kPeriodBytes};
    const auto [entry, fresh] = copies_.try_emplace(key, kNone);
    if (fresh) entry->second = add_slot(record);
    return entry->second;
}

std::uint32_t CostCache::add_slot(std::size_t record) {
    dcheck(record < trace_.records.size());
    costs_.push_back(cost_of(access_of(trace_, record), generation_));
    sites_.push_back(site_of(trace_, record));
    return static_cast<std::uint32_t>(costs_.size() - 1);
}

std::uint32_t CostCache::row_of(std::uint32_t pattern, SiteId site, std::uint8_t byte) {
    for (std::uint32_t row = first_row_[pattern]; row != kNone; row = rows_[row].next) {
        if (rows_[row].site == site && rows_[row].byte == byte) return row;
    }
    Row fresh{.site = site, .byte = byte, .next = first_row_[pattern], .slot = {}};
    fresh.slot.fill(kNone);
    rows_.push_back(fresh);
    return first_row_[pattern] = static_cast<std::uint32_t>(rows_.size() - 1);
}

}  // namespace tilereel
