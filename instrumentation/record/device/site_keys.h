#pragma once
// What a traced launch calls a site, as the emulator's event and the batch's site.
#include <array>

#include "instrumentation/record/batch.h"
#include "kernels/dialect/device_trace.h"

namespace tilereel {

class SiteKeys {
  public:
    struct Known {
        std::uint32_t site = 0xffffffff;   // as packed: no such site has operation 7
        EventKey key = dialect::kNoEvent;  // kNoEvent: no kernel of ours writes such a site
        SiteId id = 0;
    };
    // Sites are the batch's from now on; a kernel's arrays are A, B, C and its shared ones.
    void begin_batch(Batch& batch) {
        batch_ = &batch;
        known_.fill({});
    }
    // Of a load, store or multiply-add.
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
        const bool accesses =
            operation == DeviceOperation::kLoad || operation == DeviceOperation::kStore;
        const bool sound =
            line != 0 && line <= dialect::kLargestLine &&
            (width == 4 || (accesses && (width == 8 || width == 16))) &&
            (adds || (accesses && array < kGlobalArrayCount + batch_->shared_arrays.size()));
        if (!sound) return {site, dialect::kNoEvent, 0};
        const EventKind kind = adds                                  ? EventKind::kMultiplyAdd
                               : operation == DeviceOperation::kLoad ? EventKind::kLoad
                                                                     : EventKind::kStore;
        const EventKey key = dialect::event_key(line, kind, array, width);
        return {site, key, batch_->site_of_event(key)};
    }

    Batch* batch_ = nullptr;
    std::array<Known, 256> known_{};
};

}  // namespace tilereel
