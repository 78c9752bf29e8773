#pragma once
// The clashes of one block, whatever the order in which they are found.
#include <functional>
#include <map>
#include <tuple>

#include "instrumentation/analysis/hazards.h"

namespace tilereel {

class ClashTable {
  public:
    using Report = std::function<void(const Finding& found, std::uint32_t word)>;

    void clear() { clashes_.clear(); }
    // `word`: the 4-byte word of shared memory, or FindingTable::kNoWord. Where a box of the copy
    // engine and an access clash, `found` says that the copy is under way, the box being first;
    // `under_way`: that is sure. Where it is sure of no clash between the two sites, the box
    // overwrites what is still in use: a race.
    void add(const Finding& found, std::uint32_t word, bool under_way);
    // Once for each kind of clash, pair of sites, epoch and word, by the lowest threads. Those of
    // one kind and pair of sites in a row, the earliest epoch and the lowest threads first.
    void report(const Report& report);

  private:
    struct Clashes {
        bool under_way = false;
        std::map<std::pair<std::uint32_t, std::uint32_t>, Finding> at{};  // by epoch and word
    };
    using Kind = std::tuple<Hazard, Severity, SiteId, SiteId>;
    std::map<Kind, Clashes> clashes_;
};

}  // namespace tilereel
