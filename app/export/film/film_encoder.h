#pragma once
// Runs ffmpeg as a child process that reads raw frames. Its output comes back through a pipe; no
// file is needed.
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/gl/image.h"
#include "instrumentation/base/child_process.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct FilmFormat {
    int width = 0, height = 0;
    int frames_per_second = 15;
};

// ffmpeg's arguments. Its input 0 are the raw frames.
struct FilmCall {
    std::vector<std::string> arguments;     // must end with an output to pipe:1
    std::span<const std::byte> side_input;  // ffmpeg's pipe:3; at most kLargestSideInput
    // Takes ffmpeg's output piece by piece. An error ends ffmpeg; finish() returns it.
    std::function<Status(std::span<const std::byte>)> take;
};
inline constexpr std::size_t kLargestSideInput = 32768;  // bytes that a pipe holds without a reader

// ffmpeg is started without a shell.
class FilmEncoder {
  public:
    static Result<FilmEncoder> start(const FilmFormat& format, FilmCall call);
    ~FilmEncoder();  // ends ffmpeg if finish() was not called
    FilmEncoder(FilmEncoder&& other) noexcept;
    FilmEncoder& operator=(FilmEncoder&&) = delete;

    Status add(const Image& frame);
    // Waits for ffmpeg. Succeeds only if ffmpeg took every frame, reported success and printed
    // nothing; otherwise the error has ffmpeg's message. The caller must check that the output is
    // complete.
    Status finish();

  private:
    explicit FilmEncoder(FilmCall call) : call_(std::move(call)) {}
    Status exchange(std::span<const std::uint8_t> frame);
    void send(std::span<const std::uint8_t>& frame);
    void take_film();
    void take_messages();
    void stop();

    FilmCall call_;
    Status taken_ = Done{};  // result of call_.take
    std::string printed_;
    bool cut_ = false;   // ffmpeg did not take every frame
    int frames_ = -1;    // socket from which ffmpeg reads frames
    int film_ = -1;      // pipe to which ffmpeg writes the film
    int messages_ = -1;  // pipe to which ffmpeg writes messages
    ChildProcess process_;
};

}  // namespace tilereel
