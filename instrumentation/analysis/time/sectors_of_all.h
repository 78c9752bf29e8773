#pragma once
// Sectors that all blocks read: what one block has brought into L1, the next one finds there.
#include <vector>

#include "instrumentation/analysis/time/block_stream.h"

namespace tilereel {

// Marks the sectors that most of the streams, of blocks far apart, access.
void mark_sectors_of_all(std::vector<BlockStream>& streams);

}  // namespace tilereel
