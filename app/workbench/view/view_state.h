#pragma once
// The state of the window apart from recordings and playback. Only commands change it.
#include <cstdint>
#include <optional>

namespace tilereel {

enum class WindowMode : std::uint8_t { kReplay, kRace, kPatterns, kLessons, kTime };
// The tabs of the panel beside the stage. kRequest: the request in flight and, if there is room,
// the counters; kCounts: the counters if they have a tab of their own.
enum class SideTab : std::uint8_t { kSource, kRequest, kCounts, kVariables };

// The tool at the pointer while presenting.
enum class PresenterTool : std::uint8_t { kNone, kMagnifier, kSpotlight, kPen };
// A blank screen, requested by a presenter's remote.
enum class Curtain : std::uint8_t { kNone, kBlack, kWhite };
// Which sides of a comparison are drawn.
enum class SidesShown : std::uint8_t { kBoth, kLeft, kRight };

// Heat maps: cells of global arrays show how often each was read, from global memory or, as a copy,
// from shared memory.
enum class Heat : std::uint8_t { kOff, kGlobal, kShared };
// The figure that the source panel shows for each line.
// kTime: the share of the estimated time, as on the page "Where the time goes".
enum class LineFigure : std::uint8_t { kTicks, kAccesses, kSectors, kWavefronts, kLanesOff, kTime };
inline constexpr int kLineFigures = 6;

struct ViewState {
    WindowMode mode = WindowMode::kReplay;
    SideTab tab = SideTab::kRequest;
    SidesShown sides = SidesShown::kBoth;
    bool light = false;
    int text_px = 14;    // 14 to 32
    bool motion = true;  // false: no animation; a forward step is a jump
    Heat heat = Heat::kOff;
    LineFigure line_figure = LineFigure::kTicks;
    // M, N and K of the launch of the ladder whose time is estimated; 0: those that are recorded.
    int time_size = 2048;
    // Whether shared cells show which element they hold instead of its value. nullopt: only in
    // arrays with elements that are not in their original column.
    std::optional<bool> names_elements{};
    // The picture of fragments in place of the stage, while a request works for the tensor cores.
    bool tensor_picture = true;
    std::uint32_t tensor_product = 0;  // which product of a request that loads for several
    // The fragment (A, B, C) that is large where not all have room; nullopt: that of the request.
    std::optional<std::uint32_t> large_fragment{};
    bool product_as_arrays = false;  // a program's matrix product is drawn as separate arrays
    bool full_screen = false;
    bool help = false;
    bool introduction = false;  // the kernel's introduction, over everything
    bool phase_table = false;   // instead of the stage
    // For a lecture: full screen, large text, no hints, keys for the tools below.
    bool presenting = false;
    PresenterTool tool = PresenterTool::kNone;
    Curtain curtain = Curtain::kNone;
};

}  // namespace tilereel
