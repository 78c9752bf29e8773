#pragma once
// The sums of a thread that products of its warpgroup still compute: from wgmma.mma_async to the
// wgmma.wait_group that waits for its group. A thread must not access them in between (PTX ISA,
// "wgmma.mma_async"). Where they lie is the address of the variable that the statement writes.
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/trace/copy_groups.h"

namespace tilereel::runtime {

class PendingSums {
  public:
    struct Sums {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        std::uint32_t line = 0;  // of the product
    };
    // Neighbouring sums of one product are best added in the order of their addresses.
    void add(const Sums& sums) {
        if (!last_.empty() && last_.back().line == sums.line &&
            last_.back().address + last_.back().bytes == sums.address)
            last_.back().bytes += sums.bytes;
        else
            last_.push_back(sums);
    }
    // The product has been issued, with the sums that were added.
    void issue() {
        for (const Sums& sums : last_) groups_.start(sums);
        any_ = any_ || !last_.empty();
        last_.clear();
    }
    void commit() { groups_.commit(); }
    void wait(std::uint32_t newest) {
        groups_.wait(newest, [](const Sums&) {});
        any_ = false;
        groups_.for_each([this](const Sums&) { any_ = true; });
    }
    // The sums that lie where a thread accesses.
    [[nodiscard]] std::optional<Sums> at(std::uint64_t address, std::uint32_t bytes) const {
        std::optional<Sums> found;
        if (any_)
            groups_.for_each([&](const Sums& sums) {
                if (address < sums.address + sums.bytes && sums.address < address + bytes)
                    found = sums;
            });
        return found;
    }

  private:
    CopyGroups<Sums> groups_;
    std::vector<Sums> last_;
    bool any_ = false;  // is pending
};

}  // namespace tilereel::runtime
