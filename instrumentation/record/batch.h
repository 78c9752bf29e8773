#pragma once
// The trace of consecutive blocks, with tables of its own: what one worker writes without looking
// at the others. merge.h makes one Trace of the batches.
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/record/column.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// One word a lane: what the 32 lanes of a warp did in one event.
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

    // A site of its own number; the caller asks once for each.
    SiteId add_site(const Site& site);

    // A warp's epoch begins. What follows belongs to it until the next begin_segment().
    void begin_segment(std::uint32_t block, std::uint32_t epoch, std::uint16_t warp);
    // Drops the segment again if nothing was recorded in it.
    void end_segment();

    // A block has run. One without a record has an empty segment, so that it is known to have run.
    void end_block(std::uint32_t block);

    // One warp-wide load or store: `offsets` of the lanes in `mask`, which is not 0.
    void add_access(SiteId site, const std::uint32_t* offsets, std::uint32_t mask);
    // Anything that accesses no array. `base` as Records::base.
    void add_plain(SiteId site, std::uint32_t base, std::uint32_t mask);
    // Values of the record just added, one word a lane of `mask`, `words` rows of kWarpSize.
    void add_values(const std::uint32_t* rows, std::uint32_t mask, std::uint32_t words);

    // A point to go back to: roll_back() drops the records, values and segments added since. Sites
    // and patterns stay known. What has values by then must not be changed in between.
    struct Mark {
        std::size_t records = 0, values = 0, segments = 0, clocks = 0;
    };
    [[nodiscard]] Mark mark() const;
    void roll_back(const Mark& mark);

    // When the records were made that have no clock yet.
    void keep_clock(std::uint64_t clock) {
        while (clocks.size() < records()) clocks.push(clock);
    }

    [[nodiscard]] std::size_t records() const { return site_.size(); }
    [[nodiscard]] std::size_t values() const { return values_.size(); }
    void clear();          // keeps the columns' memory for the next blocks
    void clear_records();  // sites and patterns stay known

    std::uint32_t accumulators = 0;  // most alive in a thread
    Column<std::uint64_t> clocks;    // one a record if the recorder has a clock, else empty

  private:
    friend class Merger;

    // The last pattern of a site: most accesses repeat it with another base.
    struct LastPattern {
        alignas(64) LaneWords relative{};
        alignas(64) LaneWords active{};  // all ones where the lane takes part
        std::uint32_t mask = 0;
        std::uint32_t pattern = 0;
    };
    void learn_pattern(LastPattern& last, const std::uint32_t* offsets, std::uint32_t mask);
    std::uint32_t pattern_number(const Pattern& pattern);
    std::uint32_t plain_pattern(std::uint32_t mask);

    Column<std::uint16_t> site_;
    Column<std::uint32_t> pattern_, base_;
    Column<std::uint32_t> values_;
    Column<std::uint32_t> segment_block_, segment_epoch_;
    Column<std::uint16_t> segment_warp_;
    Column<std::uint64_t> segment_record_, segment_value_;  // begins

    std::vector<Site> sites_;
    std::vector<LastPattern> last_;  // by site
    std::vector<Pattern> patterns_;
    std::unordered_map<Pattern, std::uint32_t, PatternHash> pattern_numbers_;
    std::vector<IrregularOffsets> irregular_;
    std::unordered_map<IrregularOffsets, std::uint32_t, OffsetsHash> irregular_numbers_;
    std::uint32_t plain_mask_ = 0, plain_pattern_ = 0;  // the last mask without addresses
};

}  // namespace tilereel
