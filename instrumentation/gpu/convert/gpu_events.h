#pragma once
// Converts records of a GPU to events: the addresses of the lanes become offsets in arrays.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/gpu/convert/gpu_lanes.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/gpu/convert/gpu_phases.h"
#include "instrumentation/gpu/convert/gpu_records.h"
#include "instrumentation/gpu/dump.h"
#include "instrumentation/trace/views.h"

namespace tilereel::gpu {

class GpuEvents {
  public:
    using DeviceRecord = tilereel_gpu::DeviceRecord;

    // The arguments must outlive this object. `out_of_bounds` may be null.
    GpuEvents(const GpuFacts& facts, const GpuMemory& memory, const GpuPhases& phases,
              GpuOutOfBounds* out_of_bounds)
        : facts_(facts),
          phases_(phases),
          out_of_bounds_(out_of_bounds),
          places_(memory),
          place_of_site_(facts.sites.size(), nullptr) {}
    // Selects the records to read. Their indices start at 0. `part` must stay valid.
    void begin(const GpuRecords::Part& part) { part_ = part; }

    [[nodiscard]] const DeviceRecord& at(std::size_t i) const { return part_.records[i]; }
    [[nodiscard]] std::size_t index_of(const DeviceRecord& record) const {
        return static_cast<std::size_t>(&record - part_.records);
    }
    [[nodiscard]] const std::uint32_t* words(std::size_t i) const {
        return part_.words + i * kWarpSize;
    }
    [[nodiscard]] const PtxSite& site(std::size_t i) const { return facts_.sites[at(i).site]; }
    // The index of the record that follows record i and its rows of values.
    [[nodiscard]] std::size_t after(std::size_t i) const {
        return i + 1 + site(i).following_rows();
    }

    // Asks for the record's words before they are read.
    void prefetch(std::size_t i) const {
        __builtin_prefetch(words(i));
        __builtin_prefetch(words(i) + kWarpSize / 2);
    }

    // Calls work(event) for each event of the records [begin, end), except block barriers. An event
    // and what it points to is valid as long as the records. `last_sums`: GpuEvent::last_lanes of
    // each multiply-add; or empty. For an access whose first lane is in an array,
    // written(record, words, place) is called first; if it returns true, it has written the access,
    // which is then not an event.
    template <class Work, class Written>
    void for_each_event(std::size_t begin, std::size_t end,
                        std::span<const std::uint32_t> last_sums, Work&& work, Written&& written) {
        std::size_t next = 0, sums = 0;
        for (std::size_t i = begin; i < end; i += next) {
            const DeviceRecord& record = at(i);
            const PtxSite& site = facts_.sites[record.site];
            next = 1 + site.following_rows();
            if (site.operation == Operation::kBarrier) continue;
            GpuEvent event;
            event.site = record.site;
            event.caller = record.caller;
            event.array = GpuEvent::kNoArray;
            event.mask = record.mask;
            event.clock = record.clock;
            event.values = words(i + 1 - site.own_words());
            if (site.is_of_phases()) {
                event.values = phases_.rows_of(static_cast<std::uint32_t>(i));
            } else if (site.operation == Operation::kMultiplyAdd) {
                event.sum = record.high;
                event.last_lanes = sums < last_sums.size() ? last_sums[sums] : 0;
                ++sums;
            }
            if (is_access(site.operation) && !site.is_box)
                for_each_array(record, site, words(i), event, work, written);
            else
                work(event);
        }
    }

  private:
    // Calls work(event) for each array that lanes of the record access.
    template <class Work, class Written>
    void for_each_array(const DeviceRecord& record, const PtxSite& site, const std::uint32_t* words,
                        GpuEvent& event, Work&& work, Written&& written) {
        if (tilereel_gpu::is_in_cluster(record.high)) {
            for_each_of_cluster(record, site, words, event, work);
            return;
        }
        const bool shared = record.high == tilereel_gpu::kInSharedMemory;
        const std::uint64_t upper = shared ? 0 : std::uint64_t{record.high} << 32;
        const GpuMemory::Place*& place = place_of_site_[record.site];
        const std::uint64_t first = upper | words[std::countr_zero(record.mask)];
        if (place == nullptr || first < place->begin || first >= place->end)
            place = places_.find(shared, first);
        if (place != nullptr && !place->is_left_out && written(record, words, *place)) return;
        if (place == nullptr || !is_within(record.mask, words, site.width_bytes, *place)) {
            for_each_of_several_arrays(record, site, words, event, work);
            return;
        }
        if (place->is_left_out) return;
        set_array(event, *place, words);
        work(event);
    }
    // Of accesses to the shared memory of another block of the cluster.
    template <class Work>
    void for_each_of_cluster(const DeviceRecord& record, const PtxSite& site,
                             const std::uint32_t* words, GpuEvent& event, Work&& work) {
        const std::uint32_t rank = record.high - tilereel_gpu::kInCluster;
        event.rank = rank + 1;
        for (std::uint32_t left = record.mask; left != 0;) {
            const GpuMemory::Place* const place =
                places_.memory().find_in_cluster(rank, words[std::countr_zero(left)]);
            std::uint32_t mask = 0;
            for (const std::uint32_t lane : lanes_in(place == nullptr ? 0 : left))
                if (words[lane] >= place->begin && words[lane] + site.width_bytes <= place->end)
                    mask |= 1u << lane;
            if (mask == 0) {
                if (out_of_bounds_ != nullptr) out_of_bounds_->add(record.site, record.caller);
                left &= left - 1;
                continue;
            }
            left &= ~mask;
            event.mask = mask;
            set_array(event, *place, words);
            work(event);
        }
    }
    static void set_array(GpuEvent& event, const GpuMemory::Place& place,
                          const std::uint32_t* words) {
        event.array = place.number;
        event.offsets = words;
        event.shift = 0u - static_cast<std::uint32_t>(place.origin);
    }
    // False if a lane accesses memory outside of `place`, which is rare, or if `place` is too large
    // for 32-bit offsets. The loop has no branches, so that it can be vectorised.
    bool is_within(std::uint32_t mask, const std::uint32_t* words, std::uint32_t width_bytes,
                   const GpuMemory::Place& place) {
        const std::uint64_t bytes = place.end - place.begin;
        if (bytes >= std::uint64_t{1} << 31 || bytes < width_bytes) return false;
        if (mask != active_mask_) {
            active_mask_ = mask;
            for (unsigned lane = 0; lane < kWarpSize; ++lane)
                active_[lane] = 0u - (mask >> lane & 1);
        }
        const auto begin = static_cast<std::uint32_t>(place.begin);
        const auto last = static_cast<std::uint32_t>(bytes) - width_bytes;
        std::uint32_t beyond = 0;  // the highest bit is set if a lane is outside
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const std::uint32_t in_place = words[lane] - begin;
            beyond |= (in_place | (last - in_place)) & active_[lane];
        }
        return beyond >> 31 == 0;
    }
    template <class Work>
    void for_each_of_several_arrays(const DeviceRecord& record, const PtxSite& site,
                                    const std::uint32_t* words, GpuEvent& event, Work&& work) {
        const bool shared = record.high == tilereel_gpu::kInSharedMemory;
        const std::uint64_t upper = shared ? 0 : std::uint64_t{record.high} << 32;
        for (std::uint32_t left = record.mask; left != 0;) {
            const auto first = static_cast<unsigned>(std::countr_zero(left));
            const GpuMemory::Place* const place = places_.find(shared, upper | words[first]);
            std::uint32_t mask = 0;
            for (const std::uint32_t lane : lanes_in(place == nullptr ? 0 : left)) {
                const std::uint64_t address = upper | words[lane];
                if (address < place->begin || address + site.width_bytes > place->end) continue;
                mask |= 1u << lane;
            }
            if (mask == 0) {  // in no array, or partly beyond the end of one
                if (out_of_bounds_ != nullptr) out_of_bounds_->add(record.site, record.caller);
                left &= left - 1;
                continue;
            }
            left &= ~mask;
            if (place->is_left_out) continue;
            event.mask = mask;
            set_array(event, *place, words);
            work(event);
        }
    }

    const GpuFacts& facts_;
    const GpuPhases& phases_;
    GpuOutOfBounds* out_of_bounds_;
    GpuRecords::Part part_;
    GpuPlaceFinder places_;
    std::vector<const GpuMemory::Place*> place_of_site_;  // that the site accessed last
    std::uint32_t active_mask_ = 0;
    alignas(64) std::uint32_t active_[kWarpSize] = {};  // all ones for the lanes of active_mask_
};

}  // namespace tilereel::gpu
