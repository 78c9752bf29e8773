#pragma once
// What the window shows, apart from what is recorded and played. Only commands change it.
#include <cstdint>

namespace tilereel {

enum class WindowMode : std::uint8_t { kReplay, kRace, kPatterns, kLessons };
// The tabs of the panel beside the stage. kRequest: the request in flight and, where there is room,
// the counters; kCounts: the counters where they have a tab of their own.
enum class SideTab : std::uint8_t { kSource, kRequest, kCounts, kVariables };

// What the pointer is while presenting.
enum class PresenterTool : std::uint8_t { kNone, kMagnifier, kSpotlight, kPen };
// What hides the picture, as a presenter's remote asks for.
enum class Curtain : std::uint8_t { kNone, kBlack, kWhite };
// Which sides of a comparison are drawn.
enum class SidesShown : std::uint8_t { kBoth, kLeft, kRight };

// Cells of global arrays show how often each was read in place of its value: from global memory, or
// from shared memory as a copy.
enum class Heat : std::uint8_t { kOff, kGlobal, kShared };
// What the source panel counts for each line.
enum class LineFigure : std::uint8_t { kTicks, kAccesses, kSectors, kWavefronts };

struct ViewState {
    WindowMode mode = WindowMode::kReplay;
    SideTab tab = SideTab::kRequest;
    SidesShown sides = SidesShown::kBoth;
    bool light = false;
    int text_px = 14;    // 14 to 32
    bool motion = true;  // false: cells do not fly, nothing glides, a step on is a jump
    Heat heat = Heat::kOff;
    LineFigure line_figure = LineFigure::kTicks;
    bool full_screen = false;
    bool help = false;
    bool introduction = false;  // of the kernel, over everything
    bool phase_table = false;   // in place of the stage
    // For a lecture: full screen, large text, no hints, keys for the tools below.
    bool presenting = false;
    PresenterTool tool = PresenterTool::kNone;
    Curtain curtain = Curtain::kNone;
};

}  // namespace tilereel
