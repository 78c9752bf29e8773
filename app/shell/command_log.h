#pragma once
// The commands of a session as text: a bug report, and a test that can be repeated.
//
//   tilereel commands 1
//   size 1280 720
//   view kernel=09_tiled,m=16,n=16,k=16,tile=8,pad=0,theme=dark,text=14     what was opened
//   0 play_pause
//   1.25 choose_warp warp=2         1.25 seconds after the first recording was there
//   8.5 end
//
// Where the pointer is, and what is typed into a field, is not in it; only what they lead to. While
// a replay plays and is recorded anew, the time that the recording takes is lost: repeated, the
// replay may be at another tick.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/workbench/command.h"
#include "app/workbench/view/saved_view.h"

namespace tilereel {

inline constexpr std::string_view kLogTitle = "tilereel commands 1";
inline constexpr std::string_view kLogEnd = "end";

class CommandLog {
  public:
    using WriteLine = std::function<void(const std::string&)>;
    // `view`: what the session opens. `playing`: it plays from the start.
    CommandLog(WriteLine write, const SavedView& view, int width, int height, bool playing);
    // The first recording is there; the log's time begins. Until then commands have the time 0.
    void begin(double now_seconds);
    [[nodiscard]] bool begun() const { return origin_.has_value(); }
    void note(double now_seconds, const Command& command);
    void end(double now_seconds);

  private:
    void write(double now_seconds, const std::string& words);
    WriteLine write_;
    std::optional<double> origin_;
};

}  // namespace tilereel
