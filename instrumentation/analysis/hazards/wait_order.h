#pragma once
// The order in which the records of a block's epoch may have been executed. Warps that wait for
// phases of mbarriers pass data on within one epoch, so the trace's order, warp by warp, is none in
// which each access comes after those that it waited for.
//
// Each warp goes as far as possible. A wait holds a warp while its phase lacks arrivals or starts
// of copies. If all warps are held, those continue that lack only arrivals of lanes of their own
// warp, because lanes advance independently. If there are none, as in a trace that was cut off, all
// of them continue. The start of a copy by another block stands in the trace before the wait of its
// phase, and holds its warp like the wait: when the copy really started, only the other block's
// trace tells.
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "instrumentation/trace/trace.h"
#include "instrumentation/trace/views.h"

namespace tilereel {

// Why a wait ends. kComplete: the phase is complete. kEarly: only arrivals by other lanes of the
// same warp are missing. kIncomplete: arrivals are missing, and no warp can go on.
enum class WaitEnd : std::uint8_t { kComplete, kEarly, kIncomplete };

struct OrderedRecord {
    std::uint64_t record = 0;
    std::uint32_t warp = 0;
    std::uint64_t value = 0;                // index of the record's values
    WaitEnd wait_end = WaitEnd::kComplete;  // of a wait
};

class WaitOrder {
  public:
    // `block`: its segments.
    WaitOrder(const Trace& trace, SegmentRange block);
    // Visits the records of the segments `first` to `last`, which are one epoch of the block.
    // Epochs must be visited in their order.
    using Visit = std::function<void(const OrderedRecord&)>;
    void visit_epoch(std::size_t first, std::size_t last, const Visit& visit);

  private:
    static constexpr std::uint32_t kNobody = 0xffffffff;
    // Number of arrivals and starts of copies to come, by phase and warp; no entry: none.
    using Outstanding = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;
    struct Cursor {  // the position in a warp's segment
        std::uint64_t next = 0, end = 0;
        std::uint32_t warp = 0;
        std::uint64_t value = 0;
    };
    // The start of a copy by another block of the cluster.
    [[nodiscard]] bool is_landing(std::uint64_t record) const;
    [[nodiscard]] bool is_held(std::uint64_t record, std::uint32_t except_warp) const;
    [[nodiscard]] static bool lacks(const Outstanding& arrivals, std::uint32_t base,
                                    std::uint32_t except_warp);
    template <class Work>
    void for_each_arrival(std::uint64_t record, Work&& work);
    void pass(Cursor& cursor, WaitEnd end, const Visit& visit);
    void release_held(std::vector<Cursor>& held, const Visit& visit);

    const Trace& trace_;
    Outstanding missing_, missing_landings_;  // the latter: by other blocks
};

}  // namespace tilereel
