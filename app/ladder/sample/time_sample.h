#pragma once
// Small recordings from which the time of a large launch of the ladder is estimated.
#include "app/ladder/record_request.h"
#include "instrumentation/analysis/time/time_estimate.h"

namespace tilereel {

struct TimeSample {
    Trace shorter;
    std::optional<Trace> longer;  // nullopt: `shorter` has the K of the launch
    double more_steps = 0;
    std::uint64_t blocks = 0;
    BlockResources resources;
    DramBytes dram;
    std::optional<DramBytes> dram_in_turn{};
    bool known_trips = true;  // TILE is a constant of the code
    [[nodiscard]] TimedLaunch launch(bool cold) const {
        return {.trace = &shorter,
                .longer = longer ? &*longer : nullptr,
                .more_steps = more_steps,
                .blocks = blocks,
                .resources = resources,
                .dram = dram,
                .dram_in_turn = dram_in_turn,
                .cold = cold,
                .band = kBandOfProducts,
                .options = {.known_trips = known_trips}};
    }
};

// Records few blocks of the kernel with a short K and one twice as long, and if its matrices do not
// fit in L2 of `gpu` some blocks as they are. nullptr: as if they fit. kWrongCall if the kernel
// cannot run with the request's parameters, or runs on the CPU. kCancelled: progress->cancel was
// set.
Result<TimeSample> sample_for_time(const RecordRequest& request, int registers_per_thread,
                                   const GpuModel* gpu, RecordProgress* progress = nullptr);

}  // namespace tilereel
