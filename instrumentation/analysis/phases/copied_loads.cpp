#include "instrumentation/analysis/phases/copied_loads.h"

#include <algorithm>

namespace tilereel {

bool CopyingSites::may_copy(SiteId load, SiteId store) const {
    const auto stores = counts_.find(load);
    if (stores == counts_.end()) return true;
    std::uint64_t most = 0, own = 0;
    for (const auto& [site, count] : stores->second) {
        most = std::max(most, count.others);
        if (site == store) own = count.others;
    }
    return 2 * own >= most;
}

bool CopyingSites::contradicted() const {
    for (const auto& [load, stores] : counts_)
        for (const auto& [store, count] : stores)
            if (!may_copy(load, store)) return true;
    return false;
}

std::uint32_t CopiedLoads::agreeing(const WarpWord& a, const WarpWord& b) {
    std::uint32_t agree = 0;
    for (std::uint32_t left = a.mask & b.mask; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (a.bits[lane] == b.bits[lane]) agree |= 1u << lane;
    }
    return agree;
}

std::array<CopiedLoads::Range, 3> CopiedLoads::ranges_to_search(std::uint32_t epoch) {
    while (!loads_.empty() && loads_.front().epoch + 1 < epoch) loads_.pop_front();
    const auto of_epoch =
        std::ranges::partition_point(loads_, [&](const Load& load) { return load.epoch < epoch; });
    const auto of_batch = std::partition_point(
        of_epoch, loads_.end(), [&](const Load& load) { return load.batch < batch_; });
    return {{{of_batch, loads_.end()}, {of_epoch, of_batch}, {loads_.begin(), of_epoch}}};
}

}  // namespace tilereel
