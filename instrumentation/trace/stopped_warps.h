#pragma once
// What a trace knows of warps whose recording ended before their block did.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// Where the recording of the warp ends. kReturned in a block that was recorded to its end.
[[nodiscard]] WarpStop stop_of_warp(const Trace& trace, std::uint32_t block, std::uint16_t warp);
// False if requests of the block may be missing.
[[nodiscard]] bool is_block_complete(const Trace& trace, std::uint32_t block);
// "warp 0: in the loop, line 13; warps 1 to 7: not begun". Empty if the block is complete, or if
// the trace does not know.
[[nodiscard]] std::string stops_text(const Trace& trace, std::uint32_t block);
// The blocks that have stops, ascending.
[[nodiscard]] std::vector<std::uint32_t> stopped_blocks(const Trace& trace);

}  // namespace tilereel
