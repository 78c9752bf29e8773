#pragma once
// What the blocks of a launch of the ladder access, at its own size, from recordings of a few.
#include "app/ladder/record_request.h"
#include "instrumentation/analysis/generations/occupancy.h"
#include "instrumentation/analysis/l2/block_footprint.h"

namespace tilereel {

struct FootprintSample {
    LaunchFootprint launch;
    BlockResources resources;        // of a block
    std::vector<std::string> names;  // of the arrays
};

// Records the first block, its neighbours, and two others by which they are checked. kWrongCall:
// the kernel cannot run with these parameters, or runs on the CPU. kFailed: its blocks are not
// alike. kCancelled: progress->cancel was set.
Result<FootprintSample> footprint_sample(const RecordRequest& request, int registers_per_thread,
                                         RecordProgress* progress = nullptr);

}  // namespace tilereel
