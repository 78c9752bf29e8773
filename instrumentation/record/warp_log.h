#pragma once
// What one warp did in an epoch, kept until the epoch is over: where warps interleave, their
// records must wait for those of the warps before them.
#include <cstdint>
#include <vector>

#include "instrumentation/record/batch.h"
#include "instrumentation/record/column.h"
#include "instrumentation/record/warp_writer.h"

namespace tilereel {

class WarpLog {
  public:
    // A warp-wide event or a warp's barrier. Room for its words: word by word, those of the lanes
    // of `mask`, ascending.
    std::uint32_t* add(EventKey key, std::uint32_t mask);
    void clear() { rows_.truncate(0); }
    [[nodiscard]] std::uint64_t bytes() const { return rows_.size() * sizeof(std::uint32_t); }

  private:
    friend class WarpLogWriter;
    Column<std::uint32_t> rows_;  // key, mask, words; key, mask, words ...
};

// Puts a log into the batch's present segment, a few rows at a time.
class WarpLogWriter {
  public:
    void write(const WarpLog& log, std::uint32_t warp, WarpWriter& writer, Batch& batch);

  private:
    static constexpr std::size_t kRows = 1024;  // 128 KiB of words
    void add(EventKey key, std::uint32_t mask, const std::uint32_t* words, SiteId site);
    void flush(std::uint32_t warp, bool last, WarpWriter& writer, Batch& batch);

    std::vector<EventKey> keys_;
    std::vector<SiteId> sites_;
    std::vector<std::uint32_t> masks_;
    std::vector<std::uint32_t> words_;  // kWarpSize a row
};

}  // namespace tilereel
