#pragma once
// Collects hazards, one finding for each kind and pair of lines.
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "instrumentation/analysis/hazards/finding.h"

namespace tilereel {

// Whether two occurrences belong to one finding: the same hazard and severity between the same two
// lines, with the same arrays and operations. Two loads of one line are two sites, but they would
// give the same sentence twice.
[[nodiscard]] bool of_one_kind(const Trace& trace, const Finding& a, const Finding& b);

// The element of a shared array at a byte offset in the block's shared memory: sets the finding's
// row and column. Returns the offset of the element's first byte.
std::uint32_t set_element(const Trace& trace, std::uint32_t offset_bytes, Finding& found);

class FindingTable {
  public:
    explicit FindingTable(const Trace& trace) : trace_(trace) {}

    // `element`: the byte offset of the affected element in shared memory, or kNoElement.
    static constexpr std::uint32_t kNoElement = 0xffffffff;
    void add(const Finding& found, std::uint32_t element = kNoElement);
    // The same for an element of global memory. A finding's elements are given in ascending order.
    void add_global(const Finding& found, std::uint64_t element);
    [[nodiscard]] std::vector<Finding> take();  // sorted

  private:
    using Kind = std::tuple<Hazard, Severity, bool, SiteId, SiteId>;
    [[nodiscard]] std::size_t index_of(const Finding& found);

    const Trace& trace_;
    std::vector<Finding> findings_;
    std::map<Kind, std::size_t> index_;        // into findings_
    std::vector<std::vector<bool>> affected_;  // per finding, by element offset
    std::vector<std::uint64_t> last_;          // per finding: the last element of global memory
};

}  // namespace tilereel
