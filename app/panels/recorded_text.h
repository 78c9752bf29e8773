#pragma once
// Who recorded what is shown, and what its time means, in words.
#include <string>
#include <string_view>

#include "app/replay/replay.h"

namespace tilereel {

// "NVIDIA H100 80GB HBM3" -> "H100"; a name of another form is left as it is.
[[nodiscard]] std::string short_gpu_name(std::string_view device);

// "SM 17" of the block, or "" where the trace does not know.
[[nodiscard]] std::string multiprocessor_of(const Trace& trace, std::uint32_t block);

// "measured, H100, SM 17", or "modelled".
[[nodiscard]] std::string time_text(const Replay& replay);
// The same, and what a tick is.
[[nodiscard]] std::string long_time_text(const Replay& replay);

// "Ran on SM 17. Blocks by SM: 0,0 on 17; 1,0 on 33; ..." for the inspector: the watched block, and
// the first `most` of all; "" where the trace does not know.
[[nodiscard]] std::string multiprocessors_text(const Replay& replay, std::size_t most);

}  // namespace tilereel
