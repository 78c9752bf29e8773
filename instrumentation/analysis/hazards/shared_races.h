#pragma once
// Races and reads of never-written cells in the shared memory of one block, epoch by epoch.
#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "instrumentation/analysis/hazards/finding_table.h"
#include "instrumentation/trace/copy_groups.h"

namespace tilereel {

class SharedRaces {
  public:
    // Called for each pair of accesses that race, and for each read of a never-written cell, with
    // the byte offset of the element in shared memory.
    using Report = std::function<void(const Finding& found, std::uint32_t element)>;
    SharedRaces(const Trace& trace, bool warn_within_warps, Report report);

    // Examines all segments of one block. `races` false: finds only reads of never-written cells.
    void add_block(SegmentRange range, bool races = true);

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    struct Access {
        std::uint64_t record = 0;
        std::uint32_t thread = kNone;
        std::uint32_t warp_barriers = 0;  // earlier warp barriers of its warp in this epoch
    };
    // The accesses of one site to one word in this epoch. Copies that were pending when the epoch
    // began have a Use of their own (`begun_before`). Warps are visited in ascending order: `first`
    // belongs to the lowest one, `recent` to two different lanes of the current one.
    struct Use {
        SiteId site = 0;
        bool writes = false;
        bool atomic = false;
        bool begun_before = false;
        std::uint32_t next = kNone;
        Access first{};
        std::array<Access, 2> recent{};
    };

    // An asynchronous copy of one thread.
    struct Copy {
        std::uint64_t record = 0;  // the record of its store
        std::uint32_t thread = kNone;
    };

    [[nodiscard]] static HazardParty party_of(SiteId site, const Access& access) {
        return {site, access.thread, access.record};
    }
    [[nodiscard]] bool others_write(const Array& array) const;
    void begin_block();
    // The segments [first, last) of one block and epoch, one for each warp.
    void add_epoch(std::size_t first, std::size_t last);
    void mark_written(std::size_t first, std::size_t last, bool by_atomics);
    void check_reads(std::size_t first, std::size_t last);
    // The reads of a warpgroup's product. `value`: index of the record's values.
    void check_product(std::uint64_t record, std::uint64_t value, std::uint32_t warp);
    void add_record(std::uint64_t record, std::uint32_t warp);
    void add_copies_under_way(std::uint32_t warp);
    void add_group_operation(std::uint64_t record, std::uint32_t warp);
    void complete(const Copy& copy);
    void check_under_way(std::uint32_t word, const Access& access, SiteId site);
    [[nodiscard]] bool is_under_way(std::uint32_t word, const Access& access) const;
    [[nodiscard]] static std::uint64_t place_of(std::uint32_t word, std::uint32_t thread) {
        return std::uint64_t{word} << 16 | thread / kWarpSize;
    }
    Use& use_of(std::uint32_t word, SiteId site, bool begun_before, const Access& access);
    template <class Visit>
    void for_each_word_of(const Copy& copy, Visit&& visit) const;
    void add_access(std::uint32_t word, const Access& access, SiteId site);
    void compare(const Use& use, std::uint32_t word, const Access& access, SiteId site);
    void report(Hazard hazard, Severity severity, std::uint32_t word, HazardParty a, HazardParty b);
    [[nodiscard]] bool ordered(const Access& earlier, const Access& later) const;
    [[nodiscard]] bool is_shared_access(std::uint64_t record) const;
    void make_room(std::uint32_t word);

    const Trace& trace_;
    bool warn_within_warps_;
    bool races_ = true;
    Report report_;
    std::uint32_t block_ = 0, epoch_ = 0;
    // The granularity of the analysis ("word" below): 4 bytes, or less if the launch has narrower
    // accesses, so that accesses of different bytes never race.
    std::uint32_t cell_bytes_ = 4;
    // The first byte and the bytes of each array that other blocks of the cluster store to.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> written_by_others_;
    std::vector<bool> written_;                   // by word, in this block so far
    std::unordered_set<std::uint64_t> readable_;  // reads of written words: pattern, base, width
    std::vector<std::uint32_t> head_;             // by word: its first Use in this epoch
    std::vector<std::uint32_t> touched_;          // words with a Use
    std::vector<Use> uses_;
    std::vector<std::uint32_t> barrier_masks_;           // of the current warp in this epoch
    std::vector<CopyGroups<Copy>> copies_;               // by thread; empty until the first copy
    std::unordered_map<std::uint64_t, Copy> under_way_;  // by place_of(): the warp's latest copy
};

}  // namespace tilereel
