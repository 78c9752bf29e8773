#pragma once
// Merges batches, in block order, to one Trace. Sites and patterns are renumbered by their first
// record, so that the result does not depend on how the blocks were split into batches.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrumentation/base/reserve_column.h"
#include "instrumentation/record/batch.h"
#include "instrumentation/trace/record_columns.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Fills the columns and tables of a trace, and its accumulators. The trace must outlive it.
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
    // The same for a trace that is handed over: its columns stay empty. The batch's own columns,
    // renumbered in place, are the next ones of the trace.
    [[nodiscard]] RecordColumns number(Batch& batch);
    // add() in steps, for several threads. Each step must process the batches in block order.
    // Two threads must not be in the same step, but different steps may run concurrently.
    static constexpr std::size_t kSteps = 4;
    void add(Batch& batch, std::size_t step);
    // Populates the pages that the batch with this number will fill, so that add() has no page
    // faults. Any thread may call it, while others add batches. Does nothing before the first
    // add().
    void populate(std::size_t batch) const;
    void finish();

  private:
    struct Reserved {  // memory of a column, for all batches
        std::atomic<const std::byte*> begin{nullptr};
        std::size_t batch_bytes = 0;
    };
    template <class T>
    void reserve(std::vector<T>& column, std::size_t of_batch, Reserved& reserved) const {
        reserve_column(column, of_batch * batches_);
        reserved.batch_bytes = of_batch * sizeof(T);
        reserved.begin.store(reinterpret_cast<const std::byte*>(column.data()),
                             std::memory_order_release);
    }
    template <class T>
    void append(std::vector<T>& column, const Column<T>& from, Reserved& reserved) const {
        if (from.size() > column.capacity() - column.size()) reserved.begin = nullptr;
        if (populates_) populate_column(column, from.size());
        column.insert(column.end(), from.data(), from.data() + from.size());
    }
    [[nodiscard]] bool has_numbers_of_trace(const Batch& batch) const;
    void add_tables(Batch& batch);
    void add_records(const Batch& batch);
    void add_clocks(const Batch& batch);
    void add_values(const Batch& batch);
    void renumber(Batch& batch);
    [[nodiscard]] std::uint32_t site_number(const Site& site);
    [[nodiscard]] std::uint32_t pattern_number(const Batch& batch, Pattern pattern);

    Trace& trace_;
    std::size_t batches_;
    std::uint64_t records_, values_;  // of all batches whose values have been added
    bool populates_;                  // whether append() populates pages in advance
    std::unordered_map<Pattern, std::uint32_t, PatternHash> pattern_numbers_;
    std::unordered_map<IrregularOffsets, std::uint32_t, OffsetsHash> irregular_numbers_;
    std::vector<std::uint32_t> site_of_;     // the batch's number -> the trace's
    std::vector<std::uint32_t> pattern_of_;  // likewise
    Reserved reserved_[5];                   // site, pattern, base, clock, words
};

}  // namespace tilereel
