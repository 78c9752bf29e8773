#include "instrumentation/plain/gpu/gpu_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <tuple>

namespace tilereel::plain {
namespace {

constexpr std::uint32_t kClockWords = 2;

// The site in the program. For code of CUDA's headers it is the site of the call.
std::uint32_t place_in_program(const GpuEvent& event) {
    return event.caller != 0 ? event.caller - 1 : event.site;
}

}  // namespace

GpuLanes::GpuLanes(const GpuFacts& facts)
    : facts_(facts), loops_(facts.loops.size()), loop_of_(facts.sites.size(), nullptr) {
    // Outer loops come first, so inner loops overwrite them.
    for (std::size_t i = 0; i < loops_.size(); ++i) {
        const PtxLoop& loop = facts.loops[i];
        if (loop.first >= loop_of_.size()) continue;
        loops_[i] = {loop_of_[loop.first], loop.first};
        for (std::uint32_t site = loop.first;
             site < std::min<std::size_t>(loop.end, loop_of_.size()); ++site)
            loop_of_[site] = &loops_[i];
    }
}

GpuLanes::Instruction& GpuLanes::instruction_of(const GpuEvent& event) {
    const auto [entry, fresh] = instructions_.try_emplace({event.site, event.caller});
    if (fresh) {
        Site& site = entry->second.site;
        site.kind = SiteKind::kLoad;
        site.loop = loop_of_[place_in_program(event)];
        site.ordinal = place_in_program(event);
        site.runtime = reinterpret_cast<std::uint64_t>(&entry->first);
    }
    return entry->second;
}

MemoryArray* GpuLanes::array_of(std::uint32_t number) {
    if (number == GpuEvent::kNoArray) return nullptr;
    while (arrays_.size() <= number) {
        arrays_.emplace_back();
        arrays_.back().number = static_cast<int>(arrays_.size() - 1);
    }
    return &arrays_[number];
}

const std::vector<GpuEvent>& GpuLanes::together(std::span<const GpuEvent> events) {
    together_.clear();
    words_.clear();
    std::uint32_t all = 0;
    for (const GpuEvent& event : events) all |= event.mask;
    // The first event that is not aligned yet. All lanes took part in the event before it, if there
    // is one, and in the same iterations of their loops.
    std::size_t begin = 0;
    bool apart = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!apart && events[i].mask == all) {
            together_.push_back(events[i]);
            begin = i + 1;
            continue;
        }
        if (!apart) ++stretch_;
        apart = true;
        const bool in_one_trip = count(events[i]);
        if (events[i].mask != all || !in_one_trip) continue;
        const bool with_before = begin > 0;
        const std::size_t from = begin - with_before;
        if (align(events.subspan(from, i + 1 - from)).back().mask != all) continue;
        keep_aligned(with_before);
        begin = i + 1;
        apart = false;
    }
    if (apart) {
        const bool with_before = begin > 0;
        align(events.subspan(begin - with_before));
        keep_aligned(with_before);
    }
    return together_;
}

bool GpuLanes::count(const GpuEvent& event) {
    Instruction& instruction = instruction_of(event);
    if (instruction.stretch != stretch_) instruction.done.fill(0);
    instruction.stretch = stretch_;
    for (std::uint32_t left = event.mask; left != 0; left &= left - 1)
        ++instruction.done[static_cast<unsigned>(std::countr_zero(left))];
    const std::uint32_t first =
        instruction.done[static_cast<unsigned>(std::countr_zero(event.mask))];
    for (std::uint32_t left = event.mask; left != 0; left &= left - 1)
        if (instruction.done[static_cast<unsigned>(std::countr_zero(left))] != first) return false;
    return true;
}

const std::vector<WarpEvent>& GpuLanes::align(std::span<const GpuEvent> events) {
    std::uint32_t lanes = 0;
    for (const GpuEvent& event : events) lanes |= event.mask;
    rows_.begin_slice(false, false);
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        rows_.begin_lane(lane);
        for (const GpuEvent& event : events) {
            if ((event.mask >> lane & 1) == 0) continue;
            std::array<std::uint32_t, 8> words{};  // offset, value, clock
            std::uint32_t count = 0;
            if (event.offsets != nullptr) words[count++] = event.offsets[lane];
            const PtxSite& site = facts_.sites[event.site];
            const std::uint32_t rows = is_mbarrier_operation(site.operation) ? 2 : site.value_words;
            for (std::uint32_t i = 0; i < rows; ++i)
                words[count++] = event.values[i * kLanes + lane];
            words[count++] = static_cast<std::uint32_t>(event.clock);
            words[count++] = static_cast<std::uint32_t>(event.clock >> 32);
            Row row;
            row.site = &instruction_of(event).site;
            row.array = array_of(event.array);
            row.base = event.sum;
            row.words = static_cast<std::uint16_t>(count);
            rows_.add(row, words.data());
        }
        rows_.end_lane();
    }
    aligned_ = &rows_.finish();
    return *aligned_;
}

void GpuLanes::keep_aligned(bool without_first) {
    const std::vector<WarpEvent>& aligned = *aligned_;
    std::vector<std::uint32_t>& kept = words_.emplace_back();
    std::size_t kept_words = 0;
    for (const WarpEvent& event : aligned) kept_words += std::size_t{event.row->words} * kLanes;
    kept.reserve(kept_words);
    for (const WarpEvent& event : std::span(aligned).subspan(without_first)) {
        GpuEvent made;
        std::tie(made.site, made.caller) =
            *reinterpret_cast<const std::pair<std::uint32_t, std::uint32_t>*>(
                event.row->site->runtime);
        const bool has_array = event.row->array != nullptr;
        made.array =
            has_array ? static_cast<std::uint32_t>(event.row->array->number) : GpuEvent::kNoArray;
        made.sum = static_cast<std::uint32_t>(event.row->base);
        made.mask = event.mask;
        const std::uint32_t* const words = kept.data() + kept.size();
        kept.insert(kept.end(), event.words, event.words + std::size_t{event.row->words} * kLanes);
        made.offsets = has_array ? words : nullptr;
        made.values = words + (has_array ? kLanes : 0);
        made.clock = std::numeric_limits<std::uint64_t>::max();
        const std::uint32_t* const clock = words + (event.row->words - kClockWords) * kLanes;
        for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            made.clock =
                std::min(made.clock, std::uint64_t{clock[kLanes + lane]} << 32 | clock[lane]);
        }
        together_.push_back(made);
    }
}

}  // namespace tilereel::plain
