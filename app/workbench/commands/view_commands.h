#pragma once
// Commands that change the window: its page, what is open on it, its look.
#include <variant>

#include "app/workbench/view/view_state.h"

namespace tilereel {

struct SetTheme {
    bool light = false;
};
struct ToggleTheme {};
struct SetTextSize {
    int px = 14;
};
struct ChangeTextSize {
    int steps = 0;
};
struct SetMotion {
    bool moves = true;
};
struct ShowHeat {
    Heat heat = Heat::kOff;
};
struct SetLineFigure {
    LineFigure figure = LineFigure::kTicks;
};
struct ToggleFullScreen {};
struct ToggleHelp {};
struct ToggleIntroduction {};
struct TogglePhaseTable {};
struct SelectTab {
    SideTab tab = SideTab::kSource;
};
struct SetTimeSize {
    int size = 0;  // ViewState::time_size
};
struct SetMode {
    WindowMode mode = WindowMode::kReplay;
};
struct ShowNextSide {};  // the next of: both sides, the left one large, the right one large
struct DismissMessage {};
struct TogglePresenting {};
struct UseTool {  // if this tool is in use, puts it away
    PresenterTool tool = PresenterTool::kNone;
};
struct DrawCurtain {  // if this curtain is drawn, opens it
    Curtain curtain = Curtain::kNone;
};

using ViewCommand =
    std::variant<SetTheme, ToggleTheme, SetTextSize, ChangeTextSize, SetMotion, ShowHeat,
                 SetLineFigure, ToggleFullScreen, ToggleHelp, ToggleIntroduction, TogglePhaseTable,
                 SelectTab, SetMode, ShowNextSide, DismissMessage, TogglePresenting, UseTool,
                 DrawCurtain, SetTimeSize>;

}  // namespace tilereel
