#pragma once
// Races in the shared memory of a block whose threads wait for each other, and for boxes of the
// copy engine, at barriers in shared memory. One epoch may hold the whole kernel there, so what is
// ordered is told by vector clocks: each thread knows how far it has seen every other thread, and
// every barrier; it learns so where it waits (PTX ISA, "Memory Consistency Model", causality
// order).
#include <functional>
#include <unordered_map>

#include "instrumentation/analysis/hazards.h"

namespace tilereel {

// Whether threads of the block say anything of phases of barriers in shared memory.
[[nodiscard]] bool has_phases(const Trace& trace, SegmentRange block);

class PhaseRaces {
  public:
    using Report = std::function<void(const Finding& found, std::uint32_t word)>;
    PhaseRaces(const Trace& trace, bool warn_within_warps, Report report)
        : trace_(trace), warn_within_warps_(warn_within_warps), report_(std::move(report)) {}
    void add_block(SegmentRange range);

  private:
    using Clock = std::vector<std::uint32_t>;  // by thread, then by barrier: phases that are over
    struct Access {
        std::uint64_t record = 0;
        SiteId site = 0;
        std::uint32_t thread = 0;
        // Whoever has seen this component of the clock so far has seen the access: its thread's, or
        // of a box its barrier's.
        std::uint32_t component = 0, seen_at = 0;
    };
    struct Word {
        std::vector<Access> writes, reads;
    };
    struct Made {  // a barrier
        HazardParty by{};
        std::uint32_t seen_at = 0;  // 0: the maker has not come to it yet
    };
    struct Cursor {  // of a warp in an epoch
        std::uint64_t next = 0, end = 0;
        std::uint32_t warp = 0;
    };
    struct Box {
        bool open = false;
        std::uint32_t phase = 0, line = 0, thread = 0;
    };

    void begin_block(SegmentRange range);
    void note_makers(SegmentRange range);
    void add_epoch(std::size_t first, std::size_t last);
    [[nodiscard]] bool add_record(std::uint64_t record, std::uint32_t warp, bool holds);
    void add_accesses(std::uint64_t record, std::uint32_t warp);
    void add_access(std::uint32_t word, const Access& access, bool writes);
    void check_made(std::uint64_t record, std::uint32_t thread);
    void compare(std::uint32_t word, const Access& earlier, const Access& access);
    void join_all();
    void join(Clock& to, const Clock& from) const;
    template <class Visit>
    void for_each_thread(std::uint64_t record, std::uint32_t warp, Visit&& visit) const;

    const Trace& trace_;
    bool warn_within_warps_;
    Report report_;
    std::uint32_t block_ = 0, epoch_ = 0, threads_ = 0, components_ = 0;
    std::vector<Clock> clocks_;                                 // by thread
    std::unordered_map<std::uint32_t, Clock> phases_;           // what arrivals have seen, by phase
    std::unordered_map<std::uint32_t, std::uint64_t> missing_;  // arrivals to come, by phase
    std::unordered_map<std::uint32_t, Word> words_;
    std::unordered_map<std::uint32_t, Made> made_;  // by barrier: those that some thread makes
    std::vector<Box> boxes_;                        // by warp: what it is asking for
};

}  // namespace tilereel
