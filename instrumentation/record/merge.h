#pragma once
// Batches, in block order, become one Trace: sites and patterns are numbered anew by their first
// record, so that the result does not depend on how the blocks were dealt into batches.
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrumentation/record/batch.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Fills the columns and tables of a trace, and its accumulators. The trace must outlive it.
class Merger {
  public:
    // `batches`: how many will be added, each about as long as the first.
    Merger(Trace& trace, std::size_t batches)
        : trace_(trace),
          batches_(batches),
          records_(trace.records.size()),
          values_(trace.words.size()) {}
    // The next batch in block order. Its columns are renumbered in place: clear it afterwards.
    void add(Batch& batch) {
        for (std::size_t step = 0; step < kSteps; ++step) add(batch, step);
    }
    // The same in steps, for several threads: each step takes the batches in block order, and no
    // two threads may be in one step. Different steps may run at the same time.
    static constexpr std::size_t kSteps = 4;
    void add(Batch& batch, std::size_t step);
    void finish();

  private:
    void number(Batch& batch);
    void add_records(const Batch& batch);
    void add_clocks(const Batch& batch);
    void add_values(const Batch& batch);
    void renumber(Batch& batch);
    [[nodiscard]] std::uint32_t site_number(const Site& site);
    [[nodiscard]] std::uint32_t pattern_number(const Batch& batch, Pattern pattern);

    Trace& trace_;
    std::size_t batches_;
    std::uint64_t records_, values_;  // before the batch whose values come next
    std::unordered_map<Pattern, std::uint32_t, PatternHash> pattern_numbers_;
    std::unordered_map<IrregularOffsets, std::uint32_t, OffsetsHash> irregular_numbers_;
    std::vector<std::uint32_t> site_of_;     // the batch's number -> the trace's
    std::vector<std::uint32_t> pattern_of_;  // likewise
};

}  // namespace tilereel
