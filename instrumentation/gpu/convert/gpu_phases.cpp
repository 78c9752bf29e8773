#include "instrumentation/gpu/convert/gpu_phases.h"

#include <algorithm>
#include <bit>

#include "instrumentation/gpu/convert/gpu_box.h"
#include "instrumentation/trace/views.h"

namespace tilereel::gpu {

using tilereel_gpu::kParityUnknown;
using tilereel_gpu::kPhaseBytes;
using tilereel_gpu::kPhaseCount;

bool GpuPhases::has_any() const {
    return std::ranges::any_of(
        facts_.sites, [](const PtxSite &site) { return !site.is_call && site.is_of_phases(); });
}

void GpuPhases::add(std::uint32_t record, std::uint32_t warp,
                    const tilereel_gpu::DeviceRecord &what, const std::uint32_t *words,
                    std::uint32_t rank) {
    found_.push_back({.clock = what.clock,
                      .number = static_cast<std::uint32_t>(records_.size()),
                      .record = record,
                      .warp = warp,
                      .site = what.site,
                      .mask = what.mask,
                      .words = words,
                      .rank = rank,
                      .owner = tilereel_gpu::is_in_cluster(what.high)
                                   ? what.high - tilereel_gpu::kInCluster
                                   : rank});
    records_.push_back(record);
}

// All warps of a block run on one multiprocessor, so they have the same clock. An arrival is
// recorded before it takes effect, and a wait after it ends: all arrivals of a phase come before
// each wait for it. The order of records of different blocks does not count.
void GpuPhases::find() {
    number_barriers();
    std::ranges::stable_sort(found_, {}, &Found::clock);
    rows_.resize(found_.size());
    for (const Found &found : found_) {
        Rows &rows = rows_[found.number];
        std::fill_n(rows.begin(), kWarpSize, kNone);
        const bool of_other = found.owner != found.rank;
        std::fill_n(rows.begin() + kWarpSize, kWarpSize,
                    found.record | (of_other ? kOfOtherBlock : 0));
        if (!is_mbarrier_operation(facts_.sites[found.site].operation)) continue;
        for (const std::uint32_t lane : lanes_in(found.mask)) {
            rows[lane] = phase_of(found, lane);
        }
    }
}

void GpuPhases::number_barriers() {
    for (const Found &found : found_) {
        if (!is_mbarrier_operation(facts_.sites[found.site].operation)) continue;
        const auto add = [&](std::uint32_t address) {
            Barrier &barrier = barriers_[{found.owner, address}];
            // A copy to another block is recorded there alone.
            if (found.owner != found.rank &&
                facts_.sites[found.site].operation == Operation::kStartBulkCopy)
                return;
            barrier.of_several_blocks = barrier.of_several_blocks || found.owner != found.rank;
            numbers_.try_emplace(name_of(found, address));
        };
        const std::uint32_t first = found.words[std::countr_zero(found.mask)];
        add(first);
        for (std::uint32_t left = found.mask; left != 0; left &= left - 1)
            if (const std::uint32_t address = found.words[std::countr_zero(left)]; address != first)
                add(address);
    }
    std::uint32_t next = 0;
    for (auto &[name, number] : numbers_) number = next++;
    for (auto &[place, barrier] : barriers_) {
        const std::uint32_t address = place.second;
        if ((address & tilereel_gpu::kNamedBarrier) != 0)
            barrier.expected =
                std::max(address & ((1u << tilereel_gpu::kNamedShift) - 1), std::uint32_t{1});
    }
}

std::uint32_t GpuPhases::base_of(const Name &name, std::int64_t phase) const {
    const auto number = numbers_.find(name);
    if (number == numbers_.end() || number->second >= MBarrierPhase::kMostBarriers || phase < 0 ||
        phase >= MBarrierPhase::kMostPhases)
        return kNone;
    return MBarrierPhase{number->second, static_cast<std::uint32_t>(phase)}.base();
}

std::uint32_t GpuPhases::phase_of(const Found &found, unsigned lane) {
    Barrier &barrier = barriers_.at({found.owner, found.words[lane]});
    const auto word = [&](unsigned row) { return found.words[(1 + row) * kWarpSize + lane]; };
    std::int64_t phase = -1;
    switch (facts_.sites[found.site].operation) {
        case Operation::kInitBarrier:
            barrier.expected = std::max(word(kPhaseCount), 1u);
            barrier.arrivals = 0;
            barrier.bytes.clear();
            phase = 0;
            break;
        case Operation::kArrive:
            phase = arrive(found, lane, barrier);
            break;
        case Operation::kStartBulkCopy:
            phase = start_bulk_copy(found, lane, barrier);
            break;
        default:
            phase = barrier.of_several_blocks ? waited_in_cluster(found, lane)
                                              : waited(found, lane, barrier);
            break;
    }
    return base_of(name_of(found, found.words[lane]), phase);
}

std::int64_t GpuPhases::arrive(const Found &found, unsigned lane, Barrier &barrier) {
    const std::uint32_t count = found.words[(1 + kPhaseCount) * kWarpSize + lane];
    const std::uint32_t bytes = found.words[(1 + kPhaseBytes) * kWarpSize + lane];
    const std::uint64_t phase =
        barrier.of_several_blocks
            ? static_cast<std::uint64_t>(of_threads_[thread_at(found, lane)].arrivals)
            : barrier.arrived_phases();
    if (barrier.bytes.size() <= phase) barrier.bytes.resize(phase + 1, 0);
    barrier.bytes[phase] += bytes;
    if (count == 0) return -1;  // only expects bytes
    barrier.arrivals += count;
    if (barrier.of_several_blocks) ++of_threads_[thread_at(found, lane)].arrivals;
    last_arrival_[thread_at(found, lane)] = static_cast<std::int64_t>(phase);
    return static_cast<std::int64_t>(phase);
}

// The bytes count for the previous phase if it still expects some, even if all threads have arrived
// at it.
std::int64_t GpuPhases::start_bulk_copy(const Found &found, unsigned lane, Barrier &barrier) {
    std::uint64_t phase = barrier.arrived_phases();
    if (phase > 0 && barrier.bytes.size() >= phase && barrier.bytes[phase - 1] > 0) --phase;
    if (barrier.bytes.size() <= phase) barrier.bytes.resize(phase + 1, 0);
    const GpuBox box(facts_.sites[found.site], found.words, lane);
    const std::uint32_t base =
        base_of({Owner::kOwn, 0, found.words[lane]}, static_cast<std::int64_t>(phase));
    for (std::uint32_t rank = 0; rank < tilereel_gpu::kMostRanks; ++rank)
        if (rank != found.rank && box.goes_to(rank, found.rank) && base != kNone)
            landings_.push_back({rank, base, found.record, lane, found.clock});
    if (!box.goes_to(found.rank, found.rank)) return -1;
    barrier.bytes[phase] -= box.bytes(memory_);
    return static_cast<std::int64_t>(phase);
}

// The phase that a wait waited for: the last completed one of its parity, or, if the parity is
// unknown, the one at which the thread arrived last. -1 is the phase before the first, which is
// always completed.
std::int64_t GpuPhases::waited(const Found &found, unsigned lane, const Barrier &barrier) {
    const std::uint32_t parity = found.words[(1 + kPhaseCount) * kWarpSize + lane];
    const std::int64_t last = static_cast<std::int64_t>(barrier.arrived_phases()) - 1;
    if (parity == kParityUnknown) {
        const auto arrival = last_arrival_.find(thread_at(found, lane));
        return arrival == last_arrival_.end() ? last : std::min(last, arrival->second);
    }
    return (static_cast<std::uint64_t>(last) & 1) == (parity & 1) ? last : last - 1;
}

// The same at a barrier of several blocks: the phase after the one before, or that one again.
std::int64_t GpuPhases::waited_in_cluster(const Found &found, unsigned lane) {
    const std::uint32_t parity = found.words[(1 + kPhaseCount) * kWarpSize + lane];
    OfThread &thread = of_threads_[thread_at(found, lane)];
    if (parity == kParityUnknown) return thread.waited = thread.arrivals - 1;
    if (thread.waited == OfThread::kNever) return thread.waited = parity % 2 == 0 ? 0 : -1;
    if (static_cast<std::uint64_t>(thread.waited) % 2 != parity % 2) ++thread.waited;
    return thread.waited;
}

}  // namespace tilereel::gpu
