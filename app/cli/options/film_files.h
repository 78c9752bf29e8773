#pragma once
// The options for films (--gif, --mp4, --webm), with progress and Ctrl+C.
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/interrupt.h"
#include "app/export/export.h"

namespace tilereel {

// Reports whether the user pressed Ctrl+C. Until the callback is called for the first time, a
// signal ends the process. From then on the first signal only sets a flag, so that unfinished files
// can be removed.
class Interruption {
  public:
    [[nodiscard]] std::function<bool()> callback() {
        return [this] {
            if (!flag_) flag_.emplace();
            return flag_->flag().load();
        };
    }

  private:
    std::optional<InterruptFlag> flag_;
};

struct FilmFiles {
    std::string gif, mp4, webm;

    // `what`: description of the option, such as "Film of the lesson to write".
    void add_to(CLI::App& app, const std::string& what);
    [[nodiscard]] bool any() const { return !(gif.empty() && mp4.empty() && webm.empty()); }
    // kFailed if a file cannot be written. Call it before work that takes long.
    [[nodiscard]] Status can_be_written() const;
    // Calls `write` for each file with its kind, path and options. A GIF has 15 frames per second,
    // a video 30. A replay or a race is played faster if it would last more than 18 s in a GIF, or
    // 120 s in a video.
    using Write = std::function<Status(FilmKind, const std::string& path, const FilmOptions&)>;
    [[nodiscard]] Status write_all(const Write& write) const;
};

}  // namespace tilereel
