#pragma once
// The clashes of one block, whatever the order in which they are found.
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "instrumentation/analysis/finding.h"

namespace tilereel {

class ClashTable {
  public:
    using Report = std::function<void(const Finding& found, std::uint32_t word)>;

    void clear() { clashes_.clear(); }
    // Adds a clash at a 4-byte word of shared memory; FindingTable::kNoWord: at none. A clash of a
    // box of the copy engine and an access is given as kCopyUnderWay, with the box as its first
    // party. `under_way` says that the trace shows this order. Where it does so for no clash of the
    // two sites, report() calls all of them kRace: the box overwrites what is still in use.
    void add(const Finding& found, std::uint32_t word, bool under_way);
    // Calls `report` once for each kind of clash, pair of sites, epoch and word, with the lowest
    // threads. Clashes of one kind and pair of sites come in a row, the earliest epoch first, and
    // in it the lowest threads.
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
