#pragma once
// What the window shows, apart from what is recorded and played. Only commands change it.
#include <cstdint>

namespace tilereel {

enum class WindowMode : std::uint8_t { kReplay, kRace, kPatterns };
// The tabs of the panel beside the stage. kRequest: the request in flight and, where there is room,
// the counters; kCounts: the counters where they have a tab of their own.
enum class SideTab : std::uint8_t { kSource, kRequest, kCounts, kVariables };

struct ViewState {
    WindowMode mode = WindowMode::kReplay;
    SideTab tab = SideTab::kRequest;
    bool light = false;
    int text_px = 14;  // 14 to 32
    bool full_screen = false;
    bool help = false;
    bool introduction = false;  // of the kernel, over everything
    bool phase_table = false;   // in place of the stage
};

}  // namespace tilereel
