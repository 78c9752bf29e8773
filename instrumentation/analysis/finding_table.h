#pragma once
// Collects hazards, one finding for each kind and pair of sites.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/finding.h"

namespace tilereel {

// Whether two occurrences belong to one finding: the same hazard and severity between the same two
// sites.
[[nodiscard]] bool of_one_kind(const Finding& a, const Finding& b);

class FindingTable {
  public:
    explicit FindingTable(const Trace& trace) : trace_(trace) {}

    // `word`: the affected 4-byte cell of the block's shared memory, or kNoWord.
    static constexpr std::uint32_t kNoWord = 0xffffffff;
    void add(const Finding& found, std::uint32_t word = kNoWord);
    [[nodiscard]] std::vector<Finding> take();  // sorted

  private:
    const Trace& trace_;
    std::vector<Finding> findings_;
    std::vector<std::vector<bool>> affected_;  // per finding, by word
};

}  // namespace tilereel
