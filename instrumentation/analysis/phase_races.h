#pragma once
// Races in the shared memory of a block whose threads wait for each other, and for boxes of the
// copy engine, at barriers in shared memory. One epoch may hold the whole kernel there, so what is
// ordered is told by vector clocks: each thread knows how far it has seen every other thread, and
// every barrier; it learns so where it waits (PTX ISA, "Memory Consistency Model", causality
// order).
#include <map>
#include <unordered_map>

#include "instrumentation/analysis/clash_table.h"

namespace tilereel {

// Whether threads of the block say anything of phases of barriers in shared memory.
[[nodiscard]] bool has_phases(const Trace& trace, SegmentRange block);

class PhaseRaces {
  public:
    // As ClashTable::report(). The same clashes are found whichever warp the trace lists first.
    using Report = ClashTable::Report;
    PhaseRaces(const Trace& trace, bool warn_within_warps, Report report)
        : trace_(trace), warn_within_warps_(warn_within_warps), report_(std::move(report)) {}
    void add_block(SegmentRange range);

  private:
    static constexpr std::uint32_t kNobody = 0xffffffff;
    using Clock = std::vector<std::uint32_t>;  // by thread, then by barrier: phases that are over
    struct Access {
        std::uint64_t record = 0;
        SiteId site = 0;
        std::uint32_t thread = 0;
        // Whoever has seen this component of the clock so far has seen the access: its thread's, or
        // of a box its barrier's.
        std::uint32_t component = 0, seen_at = 0;
        std::uint32_t asked_at = 0;  // of a box: its asking thread's own component
    };
    struct Word {  // the latest access of each site and thread, and every box
        std::vector<Access> writes, reads;
    };
    // A thread makes or uses a barrier. A thread that has seen `seen_at` of its clock has seen it.
    struct OfBarrier {
        HazardParty by{};
        std::uint32_t seen_at = 0;
        bool made = false;  // of a use: it has seen that the barrier was made
    };
    struct BarrierUses {
        std::vector<OfBarrier> makers, users;  // of users the latest of each site and thread
    };
    struct Cursor {  // of a warp in an epoch
        std::uint64_t next = 0, end = 0;
        std::uint32_t warp = 0;
    };
    struct Box {
        bool open = false;
        std::uint32_t phase = 0, line = 0, thread = 0, asked_at = 0;
    };

    void begin_block(SegmentRange range);
    void add_epoch(std::size_t first, std::size_t last);
    [[nodiscard]] bool add_record(std::uint64_t record, std::uint32_t warp);
    void pass_by(std::vector<Cursor>& held);
    // Why a wait ends. kOver: the phase is over. kEarly: only arrivals by other lanes of the same
    // warp are missing. kInVain: arrivals are missing and no warp can go on.
    enum class Passed { kOver, kEarly, kInVain };
    void pass_wait(std::uint64_t record, std::uint32_t warp, Passed passed);
    [[nodiscard]] bool misses_arrivals(std::uint32_t base, std::uint32_t but_of) const;
    void add_accesses(std::uint64_t record, std::uint32_t warp);
    template <class Visit>
    void for_each_access(std::uint64_t record, std::uint32_t warp, Visit&& visit) const;
    void add_use(std::uint64_t record, std::uint32_t thread);
    void add_making(std::uint64_t record, std::uint32_t thread);
    void add_not_made(const HazardParty& maker, const HazardParty& user);
    [[nodiscard]] bool seen(const OfBarrier& earlier, std::uint32_t by) const {
        return earlier.by.thread == by || clocks_[by][earlier.by.thread] >= earlier.seen_at;
    }
    void compare(std::uint32_t word, const Access& earlier, const Access& access);
    void join_all();
    void join(Clock& to, const Clock& from) const;
    template <class Visit>
    void for_each_thread(std::uint64_t record, std::uint32_t warp, Visit&& visit) const;

    const Trace& trace_;
    bool warn_within_warps_;
    Report report_;
    std::uint32_t block_ = 0, epoch_ = 0, threads_ = 0, components_ = 0;
    std::vector<Clock> clocks_;                        // by thread
    std::unordered_map<std::uint32_t, Clock> phases_;  // what arrivals have seen, by phase
    // Arrivals to come, by phase and warp; no entry: none.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> missing_;
    std::unordered_map<std::uint32_t, Word> words_;
    std::unordered_map<std::uint32_t, BarrierUses> barriers_;
    std::vector<Box> boxes_;  // by warp: what it is asking for
    ClashTable clashes_;      // of the block
    // By thread and component: phases that ended for this thread by kEarly. Other threads do not
    // learn of them.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> passed_early_;
};

}  // namespace tilereel
