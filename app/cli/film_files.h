#pragma once
// The films that a command can write: --gif, --mp4 and --webm, with progress and Ctrl+C.
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/interrupt.h"
#include "app/export/export.h"

namespace tilereel {

// Ctrl+C as a question that work in progress asks. A signal ends the recording at once, but the
// work behind it only here and there: then nothing is left behind.
class Interruption {
  public:
    [[nodiscard]] std::function<bool()> question() {
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

    // `what` such as "Film of the lesson to write".
    void add_to(CLI::App& app, const std::string& what);
    [[nodiscard]] bool any() const { return !(gif.empty() && mp4.empty() && webm.empty()); }
    // kFailed where a file cannot be written: asked before work that takes long.
    [[nodiscard]] Status can_be_written() const;
    // Writes each of them. `write` is given the kind, the path and how to film: a GIF has 15 frames
    // a second and lasts 18 seconds at most; a video has 30, and 120.
    using Write = std::function<Status(FilmKind, const std::string& path, const FilmOptions&)>;
    [[nodiscard]] Status write_all(const Write& write) const;
};

}  // namespace tilereel
