#pragma once
// ffmpeg as a child process that takes raw frames.
#include <filesystem>
#include <string>
#include <vector>

#include "app/ui/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct FilmFormat {
    int width = 0, height = 0;
    int frames_per_second = 15;
};

// ffmpeg's own arguments after its raw input; started without a shell.
class FilmEncoder {
  public:
    static Result<FilmEncoder> start(const FilmFormat& format,
                                     const std::vector<std::string>& arguments);
    ~FilmEncoder();  // ends a film that was not finished
    FilmEncoder(FilmEncoder&& other) noexcept;
    FilmEncoder& operator=(FilmEncoder&&) = delete;

    Status add(const Image& frame);
    Status finish();  // waits for ffmpeg; an error holds its words

  private:
    FilmEncoder(int frames, int words, int process)
        : frames_(frames), words_(words), process_(process) {}
    void close_frames();
    int frames_ = -1;   // socket that ffmpeg reads
    int words_ = -1;    // pipe that ffmpeg writes errors to
    int process_ = -1;  // -1: waited for
};

}  // namespace tilereel
