#pragma once
// Merges batches, in block order, to one Trace. Sites and patterns are renumbered by their first
// record, so that the result does not depend on how the blocks were split into batches.
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrumentation/record/batch.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Fills the columns and tables of a trace, and its accumulators. The trace must outlive it. Between
// two batches the records, segments and words may be taken out of the trace.
class Merger {
  public:
    // `batches`: the number of batches that will be added, each about as long as the first.
    Merger(Trace& trace, std::size_t batches)
        : trace_(trace),
          batches_(batches),
          records_(trace.records.size()),
          values_(trace.words.size()),
          populates_(batches > 1) {}
    // Adds the next batch in block order. Renumbers its columns in place: clear it afterwards.
    void add(Batch& batch) {
        for (std::size_t step = 0; step < kSteps; ++step) add(batch, step);
    }
    // The same in steps, for several threads. Each step must process the batches in block order.
    // Two threads must not be in the same step, but different steps may run concurrently.
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
    bool populates_;                  // the columns become long
    std::unordered_map<Pattern, std::uint32_t, PatternHash> pattern_numbers_;
    std::unordered_map<IrregularOffsets, std::uint32_t, OffsetsHash> irregular_numbers_;
    std::vector<std::uint32_t> site_of_;     // the batch's number -> the trace's
    std::vector<std::uint32_t> pattern_of_;  // likewise
};

}  // namespace tilereel
