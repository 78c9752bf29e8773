#pragma once
// Text about the recorder of the shown trace, and about the meaning of its time.
#include <string>
#include <string_view>

#include "app/replay/replay.h"

namespace tilereel {

// "NVIDIA H100 80GB HBM3" -> "H100"; a name of another form is left as it is.
[[nodiscard]] std::string short_gpu_name(std::string_view device);

// "4 x 4" or "8": trailing extents of 1 are left out.
[[nodiscard]] std::string extents_text(const Dim3& extents, std::string_view by = " \xc3\x97 ");

// "measured, H100, SM 17", or "modelled".
[[nodiscard]] std::string time_text(const Replay& replay);
// time_text() with the meaning of a tick.
[[nodiscard]] std::string long_time_text(const Replay& replay);

// For the inspector: "This block ran on SM 17. SM of each block: 0,0 17; 1,0 33; ...", the watched
// block and then the first `most` blocks. Empty if the trace does not contain the SMs.
[[nodiscard]] std::string multiprocessors_text(const Replay& replay, std::size_t most);

}  // namespace tilereel
