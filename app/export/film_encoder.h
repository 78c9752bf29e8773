#pragma once
// ffmpeg as a child process: takes raw frames, gives what it makes of them. No file of its own.
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct FilmFormat {
    int width = 0, height = 0;
    int frames_per_second = 15;
};

// What ffmpeg is told besides the raw frames that it reads as input 0.
struct FilmCall {
    std::vector<std::string> arguments;     // must end in an output to pipe:1
    std::span<const std::byte> side_input;  // can be read from pipe:3; at most kLargestSideInput
    // Takes ffmpeg's output piece by piece. An error ends ffmpeg and is what finish() returns.
    std::function<Status(std::span<const std::byte>)> take;
};
inline constexpr std::size_t kLargestSideInput = 32768;  // fits into a pipe at once

// Started without a shell.
class FilmEncoder {
  public:
    static Result<FilmEncoder> start(const FilmFormat& format, FilmCall call);
    ~FilmEncoder();  // ends ffmpeg if it was not finished
    FilmEncoder(FilmEncoder&& other) noexcept;
    FilmEncoder& operator=(FilmEncoder&&) = delete;

    Status add(const Image& frame);
    // Waits for ffmpeg. Done only if it took every frame, reported success and printed nothing;
    // else its words. Whether the output is whole is for the caller to check.
    Status finish();

  private:
    explicit FilmEncoder(FilmCall call) : call_(std::move(call)) {}
    Status exchange(std::span<const std::uint8_t> frame);
    void send(std::span<const std::uint8_t>& frame);
    void take_film();
    void take_words();
    void stop();

    FilmCall call_;
    Status taken_ = Done{};  // of call_.take
    std::string printed_;
    bool cut_ = false;  // ffmpeg did not take every frame
    int frames_ = -1;   // socket that ffmpeg reads
    int film_ = -1;     // pipe that ffmpeg writes the film to
    int words_ = -1;    // pipe that ffmpeg writes errors to
    int process_ = -1;  // -1: waited for
};

}  // namespace tilereel
