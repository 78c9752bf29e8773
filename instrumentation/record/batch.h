#pragma once
// The trace of consecutive blocks, with its own tables of sites and patterns. Each worker writes a
// batch without synchronisation with other workers. merge.h merges the batches to one Trace.
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/record/column.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// One 32-bit word for each lane of a warp, for one event.
using LaneWords = std::array<std::uint32_t, kWarpSize>;

struct PatternHash {
    std::size_t operator()(const Pattern& pattern) const;
};
struct OffsetsHash {
    std::size_t operator()(const IrregularOffsets& offsets) const;
};

class Batch {
  public:
    Batch();
    Batch(Batch&&) = default;
    Batch& operator=(Batch&&) = default;

    // Returns the number of a new site. The caller adds each site once.
    SiteId add_site(const Site& site);

    // Begins the segment of a warp in an epoch. Later records belong to it, until the next
    // begin_segment().
    void begin_segment(std::uint32_t block, std::uint32_t epoch, std::uint16_t warp);
    // Removes the segment if it has no records.
    void end_segment();

    // Called after a block has run. A block without records gets an empty segment, which shows that
    // it ran.
    void end_block(std::uint32_t block);

    // Adds one warp-wide load or store at the `offsets` of the lanes in `mask`, which is not 0.
    // `shift` is added to each offset.
    void add_access(SiteId site, const std::uint32_t* offsets, std::uint32_t mask,
                    std::uint32_t shift = 0);
    // The same, if the lanes and the distances between their offsets are those of the site's latest
    // access, and all offsets are at most `last`. Otherwise it adds nothing and returns false.
    // `begin` is subtracted from the offsets before they are compared with `last`, which must be
    // less than 2^31.
    [[nodiscard]] bool add_access_like_last(SiteId site, const std::uint32_t* offsets,
                                            std::uint32_t mask, std::uint32_t shift,
                                            std::uint32_t begin, std::uint32_t last);
    // Adds a record that accesses no array. `base`: Records::base.
    void add_plain(SiteId site, std::uint32_t base, std::uint32_t mask) {
        site_.push(site);
        pattern_.push(mask == plain_mask_ ? plain_pattern_ : plain_pattern(mask));
        base_.push(base);
    }
    // Adds the values of the latest record: `words` rows of kWarpSize words. The words of the lanes
    // in `mask` are kept.
    void add_values(const std::uint32_t* rows, std::uint32_t mask, std::uint32_t words);

    // A state that roll_back() can restore: it removes the records, values and segments that were
    // added after mark(). Sites and patterns stay. Values from before mark() must not change in
    // between.
    struct Mark {
        std::size_t records = 0, values = 0, segments = 0, clocks = 0;
    };
    [[nodiscard]] Mark mark() const;
    void roll_back(const Mark& mark);

    // Sets the clock of all records that have none yet.
    void keep_clock(std::uint64_t clock) {
        while (clocks.size() < records()) clocks.push(clock);
    }

    [[nodiscard]] std::size_t records() const { return site_.size(); }
    [[nodiscard]] std::size_t values() const { return values_.size(); }
    void clear();          // keeps the columns' memory for the next blocks
    void clear_records();  // sites and patterns stay known

    std::uint32_t accumulators = 0;  // the largest number of live accumulators of a thread
    Column<std::uint64_t> clocks;    // one per record if the recorder has a clock, else empty

  private:
    friend class Merger;

    // The latest pattern of a site. Most accesses have the same pattern with another base.
    struct LastPattern {
        alignas(64) LaneWords relative{};
        alignas(64) LaneWords active{};  // all ones if the lane is active
        std::uint32_t mask = 0;
        std::uint32_t pattern = 0;
        std::int32_t lowest = 0, highest = 0;  // of the active lanes' `relative`
    };
    [[nodiscard]] static bool is_like(const LastPattern& last, const std::uint32_t* offsets,
                                      std::uint32_t base, std::uint32_t mask);
    void learn_pattern(LastPattern& last, const std::uint32_t* offsets, std::uint32_t mask);
    std::uint32_t pattern_number(const Pattern& pattern);
    std::uint32_t plain_pattern(std::uint32_t mask);

    Column<std::uint16_t> site_;
    Column<std::uint32_t> pattern_, base_;
    Column<std::uint32_t> values_;
    Column<std::uint32_t> segment_block_, segment_epoch_;
    Column<std::uint16_t> segment_warp_;
    Column<std::uint64_t> segment_record_, segment_value_;  // index of the first one

    std::vector<Site> sites_;
    std::vector<LastPattern> last_;  // by site
    std::vector<Pattern> patterns_;
    std::unordered_map<Pattern, std::uint32_t, PatternHash> pattern_numbers_;
    std::vector<IrregularOffsets> irregular_;
    std::unordered_map<IrregularOffsets, std::uint32_t, OffsetsHash> irregular_numbers_;
    std::uint32_t plain_mask_ = 0, plain_pattern_ = 0;  // of the last add_plain()
};

}  // namespace tilereel
