#pragma once
// Races and reads of never-written cells in the shared memory of one block, epoch by epoch.
#include <array>
#include <functional>
#include <unordered_set>

#include "instrumentation/analysis/finding_table.h"

namespace tilereel {

class SharedRaces {
  public:
    // Called for each pair of accesses that clash, with the 4-byte cell of shared memory.
    using Report = std::function<void(const Finding& found, std::uint32_t word)>;
    SharedRaces(const Trace& trace, bool warn_within_warps, Report report)
        : trace_(trace), warn_within_warps_(warn_within_warps), report_(std::move(report)) {}

    // All segments of one block.
    void add_block(SegmentRange range);

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    struct Access {
        std::uint64_t record = 0;
        std::uint32_t thread = kNone;
        std::uint32_t warp_barriers = 0;  // of its warp, before it, in this epoch
    };
    // What one site did to one word in this epoch. Warps are taken in order, so `first` is of the
    // lowest; `recent` are the latest accesses of two different lanes of the warp being taken.
    struct Use {
        SiteId site = 0;
        bool writes = false;
        std::uint32_t next = kNone;
        Access first{};
        std::array<Access, 2> recent{};
    };

    void begin_block();
    // The segments [first, last) of one block and epoch, one a warp.
    void add_epoch(std::size_t first, std::size_t last);
    void mark_stores(std::size_t first, std::size_t last);
    void check_reads(std::size_t first, std::size_t last);
    void add_record(std::uint64_t record, std::uint32_t warp);
    void add_access(std::uint32_t word, const Access& access, SiteId site);
    void compare(const Use& use, std::uint32_t word, const Access& access, SiteId site);
    void report(Hazard hazard, Severity severity, std::uint32_t word, HazardParty a, HazardParty b);
    [[nodiscard]] bool ordered(const Access& earlier, const Access& later) const;
    [[nodiscard]] bool is_shared_access(std::uint64_t record) const;
    void make_room(std::uint32_t word);

    const Trace& trace_;
    bool warn_within_warps_;
    Report report_;
    std::uint32_t block_ = 0, epoch_ = 0;
    std::vector<bool> written_;                   // by word, in this block so far
    std::unordered_set<std::uint64_t> readable_;  // (pattern, base) of reads known to be written
    std::vector<std::uint32_t> head_;             // by word: its first Use in this epoch
    std::vector<std::uint32_t> touched_;          // words with a Use
    std::vector<Use> uses_;
    std::vector<std::uint32_t> barrier_masks_;  // of the warp being taken, in this epoch
};

}  // namespace tilereel
