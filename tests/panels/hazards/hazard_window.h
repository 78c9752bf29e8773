#pragma once
// Windows in which a barrier is left out.
#include <string>

#include "tests/panels/frame_window.h"

namespace tilereel {

inline std::uint32_t left_out(const FrameWindow& window) {
    return window.bench.recording()->trace->launch.removed_barrier;
}
inline int barrier_line(const char* kernel, std::size_t index) {
    return find_kernel(kernel)->barriers[index].line;
}
inline std::string barrier_control(int line) { return "source.barrier." + std::to_string(line); }

// 05 with 8 x 8 tiles: two warps, and Bs read by both.
inline FrameWindow window_of_05(float width = 1920, float height = 1080) {
    RecordRequest request = small_request("05_guide_ab_shared");
    request.parameters.k = 8;
    return FrameWindow(request, width, height);
}
inline void leave_out(FrameWindow& window, int line) {
    window.bench.apply(Command{RemoveBarrier{line}});
    window.driver.frames(3);
}

// With the last warp first, warp 1 reads rows of Bs that warp 0 has not written.
inline void make_c_wrong(FrameWindow& window) {
    window.bench.apply(Commands{RemoveBarrier{barrier_line("05_guide_ab_shared", 0)},
                                SetThreadOrder{ThreadOrder::kWarpsBackward}});
    window.driver.frames(3);
}

}  // namespace tilereel
