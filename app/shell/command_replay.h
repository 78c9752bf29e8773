#pragma once
// Repeats a session from the log of its commands.
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/shell/frame.h"
#include "app/workbench/view/saved_view.h"

namespace tilereel {

struct LoggedSession {
    struct Entry {
        double seconds = 0;
        std::optional<Command> command{};  // nullopt: the end
    };
    SavedView view;
    int width = 1280, height = 720;
    std::vector<Entry> entries;
};
// kWrongCall with the line that is wrong.
[[nodiscard]] Result<LoggedSession> parse_log(std::string_view text);

// Repeats the session: draws frames up to the time of each command, then applies it. The workbench
// shows the recording that the view opens. `draw_frame(seconds)` draws one frame.
void play_log(const LoggedSession& session, Workbench& workbench, FrameState& state,
              const std::function<void(double)>& draw_frame);

}  // namespace tilereel
