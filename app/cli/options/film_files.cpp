#include "app/cli/options/film_files.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/options/checked_option.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

constexpr int kVideoFrames = 30;       // per second
constexpr double kLongestVideo = 120;  // seconds; longer replays and races are played faster

// A progress counter on a terminal. It is erased at the end.
class FrameCount {
  public:
    void show(int done, int all) const {
        if (shown_) std::fprintf(stderr, "\rframe %d of %d", done + 1, all);
    }
    ~FrameCount() {
        if (shown_) std::fputs("\r\x1b[K", stderr);
    }

  private:
    bool shown_ = ::isatty(STDERR_FILENO) == 1;
};

FilmOptions film_of(FilmKind kind) {
    FilmOptions film;
    if (kind == FilmKind::kGif) return film;
    film.frames_per_second = kVideoFrames;
    film.longest_seconds = kLongestVideo;
    return film;
}

}  // namespace

void FilmFiles::add_to(CLI::App& app, const std::string& what) {
    add_file_option(app, "--gif", gif, what);
    add_file_option(app, "--mp4", mp4, "The same as MP4 (H.264), 30 frames a second");
    add_file_option(app, "--webm", webm, "The same as WebM (VP9), 30 frames a second");
}

Status FilmFiles::can_be_written() const {
    for (const std::string& path : {gif, mp4, webm})
        if (!path.empty()) TRY(ReplacingFile::open(path));
    return Done{};
}

Status FilmFiles::write_all(const Write& write) const {
    const std::pair<FilmKind, const std::string&> kinds[] = {
        {FilmKind::kGif, gif}, {FilmKind::kMp4, mp4}, {FilmKind::kWebm, webm}};
    for (const auto& [kind, path] : kinds) {
        if (path.empty()) continue;
        Interruption interruption;
        const FrameCount count;
        FilmOptions film = film_of(kind);
        film.interrupted = interruption.callback();
        film.progress = [&count](int done, int all) { count.show(done, all); };
        TRY(write(kind, path, film));
    }
    return Done{};
}

}  // namespace tilereel
