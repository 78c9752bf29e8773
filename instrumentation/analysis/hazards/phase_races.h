#pragma once
// Races in the shared memory of a block whose threads synchronise by mbarriers, or that multiplies
// by wgmma. The whole kernel may be one epoch then, so vector clocks determine which accesses are
// ordered: each thread's clock says how far it has seen every other thread and every barrier, and a
// wait updates it (PTX ISA, "Memory Consistency Model", causality order).
//
// A product of a warpgroup reads shared memory from its issue to the wgmma.wait_group that covers
// it. It is one product of four warps, so the wait of any of them tells: the clocks have a
// component for each warpgroup, the number of its groups that are over. The reads belong to the
// async proxy: a fence.proxy.async must lie between a thread's store and them. What a thread has
// seen at such a fence is copied to a second part of its clock, which waits pass on like the first:
//
//     clock    [ threads | barriers | warpgroups | never | threads, fenced ]
#include <map>
#include <optional>
#include <unordered_map>

#include "instrumentation/analysis/hazards/clash_table.h"
#include "instrumentation/analysis/hazards/wait_order.h"
#include "instrumentation/trace/copy_groups.h"

namespace tilereel {

// Whether the block has records of mbarrier operations or of a warpgroup's products.
[[nodiscard]] bool needs_clocks(const Trace& trace, SegmentRange block);

class PhaseRaces {
  public:
    // As ClashTable::report(). The result does not depend on the order of the warps in the trace.
    using Report = ClashTable::Report;
    PhaseRaces(const Trace& trace, bool warn_within_warps, Report report);
    void add_block(SegmentRange range);

  private:
    using Clock = std::vector<std::uint32_t>;  // see above
    struct Access {
        std::uint64_t record = 0;
        SiteId site = 0;
        std::uint32_t thread = 0;
        // A thread whose clock has at least `seen_at` in this component has seen the access. It is
        // the component of the accessing thread; for a bulk copy that of its barrier, for a product
        // that of its warpgroup, for a copy that its thread has not waited for one that stays 0.
        std::uint32_t component = 0, seen_at = 0;
        // Copies and products: the component of the thread that started it, when it did.
        std::uint32_t started_at = 0;
        // A copy that another block of the cluster has started: the trace of this block does not
        // tell which earlier accesses it comes after.
        bool is_of_other_block = false;
    };
    struct Cell {  // the latest access of each site and thread, and every bulk copy
        std::vector<Access> writes, reads;
    };
    // An initialisation or another use of a barrier by a thread. A thread whose clock has at least
    // `seen_at` in the component of that thread has seen it.
    struct BarrierOperation {
        HazardParty by{};
        std::uint32_t seen_at = 0;
        bool initialised = false;  // of a use: the thread has seen the initialisation
    };
    struct BarrierOperations {
        std::vector<BarrierOperation> initialisations;
        std::vector<BarrierOperation> uses;  // the latest of each site and thread
    };
    struct Box {            // a bulk copy that a thread of the warp started
        bool open = false;  // the warp's next copy records belong to it
        std::uint32_t phase = 0, line = 0, thread = 0, started_at = 0;
        bool is_of_other_block = false;
    };

    void begin_block(SegmentRange range);
    void add_epoch(std::size_t first, std::size_t last);
    void add_record(const OrderedRecord& ordered);
    void add_product(const OrderedRecord& ordered);
    void add_fence(std::uint64_t record, std::uint32_t warp);
    void add_copy_groups(std::uint64_t record, std::uint32_t warp);
    void keep(std::uint32_t cell, const Access& access, bool writing);
    void add_clash(std::uint32_t cell, Hazard hazard, const Access& first, const Access& second);
    [[nodiscard]] bool is_copy_access(const Access& access) const;  // not a thread's, no product's
    [[nodiscard]] bool is_product(const Access& access) const {
        return access.component >= first_group_ && access.component < never_;
    }
    void pass_wait(std::uint64_t record, std::uint32_t warp, WaitEnd end);
    void add_start(std::uint64_t record, std::uint32_t warp);
    void add_accesses(std::uint64_t record, std::uint32_t warp);
    template <class Visit>
    void for_each_access(std::uint64_t record, std::uint32_t warp, Visit&& visit) const;
    void add_use(std::uint64_t record, std::uint32_t thread);
    void add_initialisation(std::uint64_t record, std::uint32_t thread);
    void add_not_initialised(const HazardParty& initialiser, const HazardParty& user);
    [[nodiscard]] bool seen(const BarrierOperation& earlier, std::uint32_t by) const {
        return earlier.by.thread == by || clocks_[by][earlier.by.thread] >= earlier.seen_at;
    }
    void compare(std::uint32_t cell, const Access& earlier, const Access& access);
    void join_all();
    void join(Clock& to, const Clock& from) const;
    template <class Visit>
    void for_each_thread(std::uint64_t record, std::uint32_t warp, Visit&& visit) const;

    const Trace& trace_;
    bool warn_within_warps_;
    Report report_;
    // 4 bytes, or less if the launch has narrower accesses, so that accesses of different bytes
    // never race.
    std::uint32_t cell_bytes_ = 4;
    std::uint32_t block_ = 0, epoch_ = 0, threads_ = 0, components_ = 0;
    // Components: of the first warpgroup; the one that stays 0; of what the first thread has
    // fenced, 0: the block has no products.
    std::uint32_t first_group_ = 0, never_ = 0, first_fenced_ = 0;
    bool waits_for_copies_ = false;                    // the launch has groups of copies
    std::vector<std::uint32_t> committed_;             // by warp: groups of products
    std::vector<CopyGroups<std::uint64_t>> copies_;    // by thread: records of stores
    std::vector<Clock> clocks_;                        // by thread
    std::unordered_map<std::uint32_t, Clock> phases_;  // by phase: joined clocks of its arrivals
    std::optional<WaitOrder> order_;                   // of the block
    std::unordered_map<std::uint32_t, Cell> cells_;
    std::unordered_map<std::uint32_t, BarrierOperations> barriers_;
    std::vector<Box> boxes_;  // by warp: the last one
    ClashTable clashes_;      // of the block
    // By thread and component: phases that ended for this thread by kEarly. Clocks
    // of other threads do not learn of them.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> passed_early_;
};

}  // namespace tilereel
