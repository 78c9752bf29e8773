#pragma once
// What a traced launch calls a site, as the emulator's event and the batch's site.
#include <array>

#include "instrumentation/record/batch.h"
#include "kernels/dialect/device_trace.h"

namespace tilereel {

class SiteKeys {
  public:
    struct Known {
        std::uint32_t site = 0xffffffff;   // as packed: no such site has operation 15
        EventKey key = dialect::kNoEvent;  // kNoEvent: no kernel of ours writes such a site
        SiteId id = 0;
    };
    // Sites are the batch's from now on; a kernel's arrays are A, B, C and its shared ones.
    void begin_batch(Batch& batch) {
        batch_ = &batch;
        known_.fill({});
    }
    // Of anything but a barrier or a stored word.
    const Known& operator()(std::uint32_t site) {
        Known& known = known_[(site >> 16 ^ site >> 5 ^ site) % known_.size()];
        if (known.site != site) [[unlikely]]
            known = learn(site);
        return known;
    }

  private:
    [[nodiscard]] Known learn(std::uint32_t site) const {
        using device::DeviceOperation;
        using dialect::EventKind;
        const std::uint32_t line = device::site_line(site), array = device::site_array(site),
                            width = device::site_width_bytes(site);
        const DeviceOperation operation = device::site_operation(site);
        const bool adds = operation == DeviceOperation::kMultiplyAdd;
        const bool copies =
            operation == DeviceOperation::kCopyLoad || operation == DeviceOperation::kCopyStore;
        const bool loads =
            operation == DeviceOperation::kLoad || operation == DeviceOperation::kCopyLoad;
        const bool accesses = loads || device::has_stored_words(operation);
        const bool commits = operation == DeviceOperation::kCommitCopies;
        const bool of_groups = commits || operation == DeviceOperation::kWaitCopies;
        const bool sound =
            line != 0 && line <= dialect::kLargestLine &&
            (of_groups || (adds && width == 4) ||
             (accesses && width >= 4 && array < kGlobalArrayCount + batch_->shared_arrays.size()));
        if (!sound) return {site, dialect::kNoEvent, 0};
        EventKey key = dialect::kNoEvent;
        if (of_groups)
            key = dialect::event_key(
                line, EventKind::kBarrier,
                commits ? std::uint32_t{dialect::kCommitCopies} : dialect::kWaitCopies + array, 4);
        else
            key = dialect::event_key(line,
                                     adds    ? EventKind::kMultiplyAdd
                                     : loads ? EventKind::kLoad
                                             : EventKind::kStore,
                                     array | (copies ? dialect::kOfCopy : 0), width);
        return {site, key, batch_->site_of_event(key)};
    }

    Batch* batch_ = nullptr;
    std::array<Known, 256> known_{};
};

}  // namespace tilereel
