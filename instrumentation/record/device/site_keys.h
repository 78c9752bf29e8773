#pragma once
// What a traced launch calls a site, as the emulator's event and the batch's site.
#include <array>

#include "instrumentation/record/batch.h"
#include "kernels/dialect/device_trace.h"

namespace tilereel {

class SiteKeys {
  public:
    struct Known {
        std::uint32_t site = 0xffffffff;   // as packed: no such site has operation 63
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
        const EventKey key = key_of(site);
        return {site, key, key == dialect::kNoEvent ? SiteId{0} : batch_->site_of_event(key)};
    }

    [[nodiscard]] EventKey key_of(std::uint32_t site) const {
        using device::DeviceOperation;
        using dialect::EventKind;
        const std::uint32_t line = device::site_line(site), array = device::site_array(site),
                            width = device::site_width_bytes(site);
        if (line == 0 || line > dialect::kLargestLine) return dialect::kNoEvent;
        const auto says = [&](std::uint32_t what) {
            return dialect::event_key(line, EventKind::kBarrier, what, 4);
        };
        const auto accesses = [&](EventKind kind, std::uint32_t of_copy) {
            const bool known = array < kGlobalArrayCount + batch_->shared_arrays.size();
            return width >= 4 && known ? dialect::event_key(line, kind, array | of_copy, width)
                                       : dialect::kNoEvent;
        };
        switch (device::site_operation(site)) {
            case DeviceOperation::kLoad:
                return accesses(EventKind::kLoad, 0);
            case DeviceOperation::kStore:
                return accesses(EventKind::kStore, 0);
            case DeviceOperation::kCopyLoad:
            case DeviceOperation::kBoxLoad:
                return accesses(EventKind::kLoad, dialect::kOfCopy);
            case DeviceOperation::kCopyStore:
            case DeviceOperation::kBoxStore:
                return accesses(EventKind::kStore, dialect::kOfCopy);
            case DeviceOperation::kMultiplyAdd:
                return width == 4 ? dialect::event_key(line, EventKind::kMultiplyAdd, array, 4)
                                  : dialect::kNoEvent;
            case DeviceOperation::kCommitCopies:
                return says(dialect::kCommitCopies);
            case DeviceOperation::kWaitCopies:
                return says(dialect::kWaitCopies + array);
            case DeviceOperation::kMakeBarrier:
                return says(dialect::kMakeArrival);
            case DeviceOperation::kArrive:
                return says(dialect::kArriveAtPhase);
            case DeviceOperation::kWaitPhase:
                return says(dialect::kWaitForPhase);
            case DeviceOperation::kStartBox:
                return says(dialect::kStartBoxOfPhase);
            case DeviceOperation::kBarrier:
            case DeviceOperation::kWarpBarrier:
            case DeviceOperation::kStoredWord:
            case DeviceOperation::kBoxWord:
                break;
        }
        return dialect::kNoEvent;
    }

    Batch* batch_ = nullptr;
    std::array<Known, 256> known_{};
};

}  // namespace tilereel
