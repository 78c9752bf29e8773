#include "instrumentation/analysis/hazards/product_groups.h"

#include <map>
#include <vector>

#include "instrumentation/analysis/hazards/product_reads.h"
#include "instrumentation/trace/copy_groups.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The products of one warp that it has not waited for.
struct WarpProducts {
    bool is_fenced = false, is_reported = false;
    std::vector<HazardParty> all;
    std::vector<HazardParty> open;  // in no group
    CopyGroups<HazardParty> groups;
    std::vector<HazardParty> set_registers;
};

class ProductGroups {
  public:
    ProductGroups(const Trace& trace, const std::function<void(const Finding&)>& report)
        : trace_(trace), report_(report) {}

    void add(std::uint64_t record, std::uint32_t warp, std::uint32_t block, std::uint32_t epoch) {
        found_.block = block;
        found_.epoch = epoch;
        const Site& site = site_at(trace_, record);
        const HazardParty party{site_of(trace_, record), warp * kWarpSize, record};
        switch (site.operation) {
            case Operation::kFence:
                if (site.variety == static_cast<std::uint8_t>(FenceKind::kProducts))
                    warps_[warp].is_fenced = true;
                break;
            case Operation::kMatrixProduct:
                if (is_warpgroup_product(trace_, record)) add_product(party, warps_[warp]);
                break;
            case Operation::kCommitProducts:
                for (const HazardParty& product : warps_[warp].open)
                    warps_[warp].groups.start(product);
                warps_[warp].groups.commit();
                warps_[warp].open.clear();
                break;
            case Operation::kSetRegisters:
                warps_[warp].set_registers.push_back(party);
                break;
            case Operation::kWaitProducts:
                add_wait(party, trace_.records.base[record], warps_[warp]);
                break;
            default:
                break;
        }
    }
    void end() {
        if (!trace_.complete) return;
        compare_warps(&WarpProducts::set_registers);
        compare_warps(&WarpProducts::all);
        for (auto& [warp, products] : warps_) {
            for (const HazardParty& product : products.open)
                report(Hazard::kProductNotWaited, product, product);
            products.groups.for_each([this](const HazardParty& product) {
                report(Hazard::kProductNotWaited, product, product);
            });
        }
    }

  private:
    // What one warp of a warpgroup does more often than another one.
    void compare_warps(std::vector<HazardParty> WarpProducts::*done) {
        for (const auto& [warp, some] : warps_)
            for (std::uint32_t i = 0; i < kWarpsOfGroup; ++i) {
                const std::uint32_t other = warp / kWarpsOfGroup * kWarpsOfGroup + i;
                const auto found = warps_.find(other);
                const std::size_t count = found == warps_.end() ? 0 : (found->second.*done).size();
                if (other >= trace_.launch.warps() || count >= (some.*done).size()) continue;
                const HazardParty& party = (some.*done)[count];
                report(Hazard::kSomeWarpsOnly, party, {party.site, other * kWarpSize});
                return;
            }
    }
    void add_product(const HazardParty& product, WarpProducts& products) {
        if (!products.is_fenced && !products.is_reported)
            report(Hazard::kRegistersNotFenced, product, product);
        products.is_reported = true;
        products.all.push_back(product);
        products.open.push_back(product);
    }
    void add_wait(const HazardParty& wait, std::uint32_t newest, WarpProducts& products) {
        products.groups.wait(newest, [](const HazardParty&) {});
        if (newest != 0) return;
        for (const HazardParty& product : products.open)
            report(Hazard::kProductNotCommitted, product, wait);
        products.open.clear();
    }
    void report(Hazard hazard, const HazardParty& first, const HazardParty& second) {
        found_.hazard = hazard;
        found_.first = first;
        found_.second = second;
        report_(found_);
    }

    const Trace& trace_;
    const std::function<void(const Finding&)>& report_;
    Finding found_;
    std::map<std::uint32_t, WarpProducts> warps_;
};

}  // namespace

void find_product_groups(const Trace& trace, SegmentRange block,
                         const std::function<void(const Finding&)>& report) {
    ProductGroups groups(trace, report);
    const Segments& segments = trace.segments;
    for (std::size_t segment = block.first; segment < block.last; ++segment)
        for (const std::uint64_t record : records_of(segments, segment))
            groups.add(record, segments.warp[segment], segments.block[segment],
                       segments.epoch[segment]);
    groups.end();
}

}  // namespace tilereel
