#pragma once
// Races in the shared memory of a block whose threads synchronise by mbarriers. The whole kernel
// may be one epoch then, so vector clocks determine which accesses are ordered: each thread's clock
// says how far it has seen every other thread and every barrier, and a wait updates it (PTX ISA,
// "Memory Consistency Model", causality order).
#include <map>
#include <unordered_map>

#include "instrumentation/analysis/hazards/clash_table.h"

namespace tilereel {

// Whether the block has records of mbarrier operations.
[[nodiscard]] bool has_phases(const Trace& trace, SegmentRange block);

class PhaseRaces {
  public:
    // As ClashTable::report(). The result does not depend on the order of the warps in the trace.
    using Report = ClashTable::Report;
    PhaseRaces(const Trace& trace, bool warn_within_warps, Report report);
    void add_block(SegmentRange range);

  private:
    static constexpr std::uint32_t kNobody = 0xffffffff;
    using Clock = std::vector<std::uint32_t>;  // by thread, then by barrier: completed phases
    struct Access {
        std::uint64_t record = 0;
        SiteId site = 0;
        std::uint32_t thread = 0;
        // A thread whose clock has at least `seen_at` in this component has seen the access. It is
        // the component of the accessing thread; for a bulk copy that of its barrier.
        std::uint32_t component = 0, seen_at = 0;
        // Bulk copy: the component of the thread that started it, when it was started.
        std::uint32_t started_at = 0;
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
    struct Cursor {  // the position in a warp's segment
        std::uint64_t next = 0, end = 0;
        std::uint32_t warp = 0;
    };
    struct Box {            // a bulk copy that a thread of the warp started
        bool open = false;  // the warp's next copy records belong to it
        std::uint32_t phase = 0, line = 0, thread = 0, started_at = 0;
    };

    void begin_block(SegmentRange range);
    void add_epoch(std::size_t first, std::size_t last);
    [[nodiscard]] bool add_record(std::uint64_t record, std::uint32_t warp);
    void release_held(std::vector<Cursor>& held);
    // Why a wait ends. kComplete: the phase is complete. kEarly: only arrivals by other lanes of
    // the same warp are missing. kIncomplete: arrivals are missing, and no warp can go on.
    enum class Passed { kComplete, kEarly, kIncomplete };
    void pass_wait(std::uint64_t record, std::uint32_t warp, Passed passed);
    [[nodiscard]] bool misses_arrivals(std::uint32_t base, std::uint32_t except_warp) const;
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
    std::vector<Clock> clocks_;                        // by thread
    std::unordered_map<std::uint32_t, Clock> phases_;  // by phase: joined clocks of its arrivals
    // Number of outstanding arrivals, by phase and warp; no entry: none.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> missing_;
    std::unordered_map<std::uint32_t, Cell> cells_;
    std::unordered_map<std::uint32_t, BarrierOperations> barriers_;
    std::vector<Box> boxes_;  // by warp: the last one
    ClashTable clashes_;      // of the block
    // By thread and component: phases that ended for this thread by kEarly. Clocks
    // of other threads do not learn of them.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> passed_early_;
};

}  // namespace tilereel
