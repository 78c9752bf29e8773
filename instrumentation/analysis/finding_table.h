#pragma once
// Collects hazards, one finding for each kind and pair of sites.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/finding.h"

namespace tilereel {

// Occurrences that one finding stands for: of one hazard and severity between the same two sites.
[[nodiscard]] bool of_one_kind(const Finding& a, const Finding& b);

class FindingTable {
  public:
    explicit FindingTable(const Trace& trace) : trace_(trace) {}

    // `word`: the 4-byte cell of the block's shared memory, where it is about one.
    static constexpr std::uint32_t kNoWord = 0xffffffff;
    void add(const Finding& found, std::uint32_t word = kNoWord);
    [[nodiscard]] std::vector<Finding> take();  // sorted

  private:
    const Trace& trace_;
    std::vector<Finding> findings_;
    std::vector<std::vector<bool>> struck_;  // per finding, by word
};

}  // namespace tilereel
