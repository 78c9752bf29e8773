#pragma once
// The clashes (conflicting pairs of accesses) of one block, independent of the order in which they
// are found.
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "instrumentation/analysis/hazards/finding.h"

namespace tilereel {

class ClashTable {
  public:
    using Report = std::function<void(const Finding& found, std::uint32_t element)>;

    void clear() { clashes_.clear(); }
    // Adds a clash at an element of shared memory, by its byte offset; FindingTable::kNoElement: at
    // none. A clash of a TMA copy with an access is added as kCopyUnderWay, with the copy as its
    // first party. `under_way`: the copy certainly starts before the access. If this is so for no
    // clash of the two sites, report() reports all of them as kRace: the copy overwrites data still
    // in use.
    void add(const Finding& found, std::uint32_t element, bool under_way);
    // Calls `report` once for each kind of clash, pair of sites, epoch and element, with the lowest
    // threads. Clashes of one kind and pair of sites are consecutive, sorted by epoch and thread.
    void report(const Report& report);

  private:
    struct Clashes {
        bool under_way = false;
        std::map<std::pair<std::uint32_t, std::uint32_t>, Finding> at{};  // by epoch and element
    };
    using Kind = std::tuple<Hazard, Severity, SiteId, SiteId>;
    std::map<Kind, Clashes> clashes_;
};

}  // namespace tilereel
