#pragma once
// Which elements of an array the recorded blocks of a launch write, and which threads write them.
#include <bit>
#include <cstdint>
#include <vector>

#include "instrumentation/trace/thread_of_launch.h"
#include "instrumentation/trace/trace.h"
#include "instrumentation/trace/views.h"

namespace tilereel::runtime {

// Calls visit(site, segment, record) for each access to the array, in the order of the records: a
// thread's accesses are in program order.
template <class Visit>
void for_each_record(const Trace& trace, ArrayId array, Visit&& visit) {
    const Segments& segments = trace.segments;
    for (std::size_t segment = 0; segment < segments.size(); ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const tilereel::Site& site = site_at(trace, record);
            if (site.array == array && is_access(site.operation)) visit(site, segment, record);
        }
}

// Calls visit(lane, offset_bytes) for each lane of the record.
template <class Visit>
void for_each_lane(const Trace& trace, std::uint64_t record, Visit&& visit) {
    const LaneOffsets lanes = lane_offsets(trace, record);
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        visit(lane, std::uint64_t{lanes.bytes[lane]});
    }
}

// Whether the site is a read-modify-write. atomicExch() is a store: its result may not be used.
[[nodiscard]] inline bool is_update(const tilereel::Site& site) {
    return site.operation == Operation::kAtomic && site.atomic() != AtomicKind::kExchange;
}

class ArrayWrites {
  public:
    enum class Keep : std::uint8_t { kElements, kWriters };
    // Writers: thread_of_launch() + 1.
    static constexpr std::uint32_t kNobody = 0, kSeveral = 0xffffffff, kUpdates = 0xfffffffe;

    ArrayWrites(const Trace& trace, ArrayId array, Keep keep);
    // False if there are too many elements; then nothing is known.
    [[nodiscard]] bool is_known() const { return is_known_; }
    // Of Keep::kWriters: the only thread that stores to the element; kSeveral: several threads;
    // kUpdates: only read-modify-writes.
    [[nodiscard]] std::uint32_t writer_of(std::uint64_t element) const {
        return element - begin_ < writers_.size() ? writers_[element - begin_] : kNobody;
    }
    // Calls visit(begin, end) for each range of elements that are written.
    template <class Visit>
    void for_each_range(Visit&& visit) const {
        for (std::uint64_t i = 0; i < is_written_.size(); ++i) {
            if (!is_written_[i]) continue;
            const std::uint64_t first = i;
            while (i < is_written_.size() && is_written_[i]) ++i;
            visit(begin_ + first, begin_ + i);
        }
    }

  private:
    void add(const Trace& trace, const tilereel::Site& site, std::size_t segment,
             std::uint64_t record);

    std::uint64_t element_bytes_;
    bool is_known_ = true;
    std::uint64_t begin_ = 0;             // the first element that is written
    std::vector<bool> is_written_;        // from there on
    std::vector<std::uint32_t> writers_;  // the same elements
};

// A thread as ArrayWrites counts it.
[[nodiscard]] inline std::uint32_t writer_number(const Trace& trace, std::size_t segment,
                                                 std::uint32_t lane) {
    return static_cast<std::uint32_t>(thread_of_launch(trace, segment, lane)) + 1;
}

}  // namespace tilereel::runtime
