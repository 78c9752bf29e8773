#include "instrumentation/gpu/convert/gpu_lanes.h"

#include <algorithm>
#include <bit>

#include "instrumentation/gpu/dump.h"
#include "instrumentation/trace/views.h"

namespace tilereel::gpu {
namespace {

constexpr std::array<std::uint32_t, runtime::kLanes> kLaneBits = [] {
    std::array<std::uint32_t, runtime::kLanes> bits{};
    for (unsigned lane = 0; lane < runtime::kLanes; ++lane) bits[lane] = 1u << lane;
    return bits;
}();

// The rows of an event's values.
std::uint32_t value_rows(const PtxSite& site) { return site.is_of_phases() ? 2 : site.value_words; }

// Copies the words of some lanes and adds `shift`.
void copy_lanes(const std::uint32_t* from, std::uint32_t shift, std::uint32_t mask,
                std::uint32_t* to) {
    for (unsigned lane = 0; lane < runtime::kLanes; ++lane) {
        const std::uint32_t active = (mask & kLaneBits[lane]) != 0 ? 0xffffffff : 0;
        to[lane] = (to[lane] & ~active) | ((from[lane] + shift) & active);
    }
}

}  // namespace

GpuLanes::GpuLanes(const GpuFacts& facts)
    : facts_(facts), order_(facts), without_caller_(facts.sites.size(), nullptr) {
    for (const PtxSite& site : facts.sites) most_rows_ = std::max(most_rows_, 1 + value_rows(site));
}

GpuLanes::Instruction& GpuLanes::instruction_of(const GpuEvent& event) {
    Instruction*& known = without_caller_[event.site];
    if (event.caller == 0 && known != nullptr) return *known;
    Instruction& instruction = instructions_[{event.site, event.caller}];
    if (instruction.site == nullptr) instruction.site = &order_.at(event.site, event.caller);
    if (event.caller == 0) known = &instruction;
    return instruction;
}

runtime::MemoryArray* GpuLanes::array_of(const GpuEvent& event) {
    if (event.array == GpuEvent::kNoArray) return nullptr;
    const std::uint32_t number = event.array * (tilereel_gpu::kMostRanks + 1) + event.rank;
    while (arrays_.size() <= number) {
        arrays_.emplace_back();
        arrays_.back().number = static_cast<int>(arrays_.size() - 1);
    }
    return &arrays_[number];
}

void GpuLanes::begin_epoch(std::uint32_t all) {
    all_ = all;
    has_before_ = false;
}

bool GpuLanes::add_to_stretch(const GpuEvent& event) {
    if (!diverged_) {
        ++stretch_;
        events_.clear();
        if (has_before_) events_.push_back(before_);
    }
    diverged_ = true;
    events_.push_back(event);
    const bool in_one_trip = count(event);
    if (event.mask != all_ || !in_one_trip) return false;
    align();
    return lanes_of(aligned_->back().mask) == all_;
}

bool GpuLanes::count(const GpuEvent& event) {
    Instruction& instruction = instruction_of(event);
    if (instruction.stretch != stretch_) instruction.done.fill(0);
    instruction.stretch = stretch_;
    const std::uint32_t first =
        instruction.done[static_cast<unsigned>(std::countr_zero(event.mask))] + 1;
    std::uint32_t differs = 0;
    for (unsigned lane = 0; lane < runtime::kLanes;
         ++lane) {  // without branches: it can be vectorised
        const std::uint32_t active = (event.mask & kLaneBits[lane]) != 0 ? 0xffffffff : 0;
        instruction.done[lane] -= active;
        differs |= (instruction.done[lane] ^ first) & active;
    }
    return differs == 0;
}

// An event splits a group if only some of the group's lanes took part in it.
void GpuLanes::find_groups() {
    std::uint32_t lanes = 0;
    for (const GpuEvent& event : events_) lanes |= event.mask;
    groups_.assign(1, lanes);
    for (const GpuEvent& event : events_)
        for (std::size_t group = groups_.size(); group-- > 0;) {
            const std::uint32_t inside = groups_[group] & event.mask;
            const std::uint32_t outside = groups_[group] & ~event.mask;
            if (inside == 0 || outside == 0) continue;
            groups_[group] = inside;
            groups_.push_back(outside);
        }
    std::ranges::sort(groups_, {}, [](std::uint32_t group) { return std::countr_zero(group); });
}

void GpuLanes::align() {
    find_groups();
    rows_.begin_slice(false, false);
    for (unsigned group = 0; group < groups_.size(); ++group) {
        rows_.begin_lane(group);
        for (std::uint32_t i = 0; i < events_.size(); ++i) {
            const GpuEvent& event = events_[i];
            if ((event.mask & groups_[group]) == 0) continue;
            runtime::Row row;
            row.site = instruction_of(event).site;
            row.array = array_of(event);
            row.base = event.sum;
            row.words = 1;
            rows_.add(row, &i);
        }
        rows_.end_lane();
    }
    aligned_ = &rows_.finish();
}

std::uint32_t GpuLanes::lanes_of(std::uint32_t groups) const {
    std::uint32_t lanes = 0;
    for (; groups != 0; groups &= groups - 1)
        lanes |= groups_[static_cast<unsigned>(std::countr_zero(groups))];
    return lanes;
}

GpuEvent GpuLanes::joined(const runtime::WarpEvent& aligned) {
    const auto first = static_cast<unsigned>(std::countr_zero(aligned.mask));
    GpuEvent made = events_[aligned.words[first]];
    made.mask = made.last_lanes = 0;
    bool several = false;
    for (const std::uint32_t group : lanes_in(aligned.mask)) {
        const GpuEvent& part = events_[aligned.words[group]];
        made.mask |= groups_[group];
        made.last_lanes |= part.last_lanes & groups_[group];
        made.clock = std::min(made.clock, part.clock);
        several = several || aligned.words[group] != aligned.words[first];
    }
    if (several) gather(aligned, made);
    return made;
}

// Copies the offsets and values of the lanes from the events in which they took part.
void GpuLanes::gather(const runtime::WarpEvent& aligned, GpuEvent& made) {
    const PtxSite& site = facts_.sites[made.site];
    const std::uint32_t values = value_rows(site);
    const std::uint32_t offsets = made.offsets != nullptr ? 1 : 0;
    std::uint32_t* const rows = new_rows();
    for (const std::uint32_t group : lanes_in(aligned.mask)) {
        const GpuEvent& part = events_[aligned.words[group]];
        if (offsets != 0) copy_lanes(part.offsets, part.shift, groups_[group], rows);
        for (std::uint32_t i = 0; i < values; ++i)
            copy_lanes(part.values + i * runtime::kLanes, 0, groups_[group],
                       rows + (offsets + i) * runtime::kLanes);
    }
    made.shift = 0;
    made.offsets = offsets != 0 ? rows : nullptr;
    made.values = rows + offsets * runtime::kLanes;
}

std::uint32_t* GpuLanes::new_rows() {
    if (joined_used_ == joined_rows_.size())
        joined_rows_.push_back(
            std::make_unique<std::uint32_t[]>(std::size_t{most_rows_} * runtime::kLanes));
    return joined_rows_[joined_used_++].get();
}

}  // namespace tilereel::gpu
