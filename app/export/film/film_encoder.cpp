#include "app/export/film/film_encoder.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "app/export/film/pipe.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostMessageBytes = 300;  // of ffmpeg's messages, in an error
constexpr int kSideInput = 3;                   // its descriptor in ffmpeg

std::vector<std::string> command_line(const FilmFormat& format,
                                      const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {
        "ffmpeg",      "-v",
        "error",       "-nostdin",
        "-f",          "rawvideo",
        "-pix_fmt",    "rgba",
        "-video_size", std::to_string(format.width) + "x" + std::to_string(format.height),
        "-framerate",  std::to_string(format.frames_per_second),
        "-i",          "pipe:0"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

Error no_more_files() { return failed("no more files can be opened; close some programs"); }

Error cannot_start(int error_number) {
    if (error_number == EMFILE || error_number == ENFILE) return no_more_files();
    if (error_number == ENOENT)
        return failed(
            "a film needs ffmpeg, which is not here; install it (apt install ffmpeg) or export a "
            "--png");
    return failed(std::string("ffmpeg does not start (") + std::strerror(error_number) +
                  "); reinstall it or export a --png");
}

// Writes all bytes into an empty pipe, which is large enough for them.
bool fill(const Descriptor& pipe, std::span<const std::byte> bytes) {
    check(bytes.size() <= kLargestSideInput);
    return bytes.empty() ||
           ::write(pipe.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

FilmEncoder::FilmEncoder(FilmEncoder&& other) noexcept
    : call_(std::move(other.call_)),
      taken_(std::move(other.taken_)),
      printed_(std::move(other.printed_)),
      cut_(other.cut_),
      frames_(std::exchange(other.frames_, -1)),
      film_(std::exchange(other.film_, -1)),
      messages_(std::exchange(other.messages_, -1)),
      process_(std::move(other.process_)) {}

FilmEncoder::~FilmEncoder() { stop(); }

void FilmEncoder::stop() {
    static_cast<void>(process_.end());  // ffmpeg has no files that it could leave behind
    for (int* descriptor : {&frames_, &film_, &messages_})
        if (*descriptor >= 0) ::close(std::exchange(*descriptor, -1));
}

Result<FilmEncoder> FilmEncoder::start(const FilmFormat& format, FilmCall call) {
    // A socket, because send() with MSG_NOSIGNAL to an ended process raises no SIGPIPE.
    std::array<Descriptor, 2> frames = socket_pair(), film = pipe_pair(), messages = pipe_pair(),
                              side = pipe_pair();
    for (const auto* pair : {&frames, &film, &messages, &side})
        if (!(*pair)[0] || !(*pair)[1]) return no_more_files();
    if (!fill(side[1], call.side_input)) return cannot_start(ENOMEM);
    ChildProcess process = ChildProcess::start({.command = command_line(format, call.arguments),
                                                .folder = {},
                                                .variables = {},
                                                .descriptors = {{frames[1].get(), STDIN_FILENO},
                                                                {film[1].get(), STDOUT_FILENO},
                                                                {messages[1].get(), STDERR_FILENO},
                                                                {side[0].get(), kSideInput}},
                                                .prepare = {}});
    if (process.error_number() != 0) return cannot_start(process.error_number());
    FilmEncoder encoder(std::move(call));
    encoder.process_ = std::move(process);
    encoder.frames_ = frames[0].release();
    encoder.film_ = film[0].release();
    encoder.messages_ = messages[0].release();
    return encoder;
}

void FilmEncoder::send(std::span<const std::uint8_t>& frame) {
    const ssize_t sent = ::send(frames_, frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
        frame = frame.subspan(static_cast<std::size_t>(sent));
    } else if (errno != EINTR && errno != EAGAIN) {
        cut_ = true;
        ::close(std::exchange(frames_, -1));
    }
}

void FilmEncoder::take_film() {
    std::array<std::byte, 65536> part{};
    const ssize_t got = ::read(film_, part.data(), part.size());
    if (got < 0 && errno == EINTR) return;
    if (got > 0) taken_ = call_.take(std::span(part).first(static_cast<std::size_t>(got)));
    if (got <= 0 || !taken_) ::close(std::exchange(film_, -1));
}

void FilmEncoder::take_messages() {
    std::array<char, 512> part{};
    const ssize_t got = ::read(messages_, part.data(), part.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) ::close(std::exchange(messages_, -1));
    for (ssize_t i = 0; i < got && printed_.size() < kMostMessageBytes; ++i)
        printed_ +=
            part[static_cast<std::size_t>(i)] == '\n' ? ' ' : part[static_cast<std::size_t>(i)];
}

// Sends the frame or, once the frame socket is closed, waits until ffmpeg has closed its outputs.
// Reads ffmpeg's output meanwhile, so that neither process blocks the other.
Status FilmEncoder::exchange(std::span<const std::uint8_t> frame) {
    while (frames_ >= 0 ? !frame.empty() : film_ >= 0 || messages_ >= 0) {
        std::array<pollfd, 3> waiting = {pollfd{frames_, POLLOUT, 0}, pollfd{film_, POLLIN, 0},
                                         pollfd{messages_, POLLIN, 0}};
        if (::poll(waiting.data(), waiting.size(), -1) < 0) {
            if (errno == EINTR) continue;
            return failed("ffmpeg cannot be waited for; close some programs");
        }
        if (waiting[0].revents != 0) send(frame);
        if (waiting[1].revents != 0) take_film();
        if (waiting[2].revents != 0) take_messages();
        if (!taken_) return taken_;
    }
    return Done{};
}

Status FilmEncoder::add(const Image& frame) {
    Status exchanged = exchange(frame.rgba);
    if (!exchanged) stop();
    return exchanged && cut_ ? finish() : exchanged;
}

Status FilmEncoder::finish() {
    if (frames_ >= 0) ::close(std::exchange(frames_, -1));
    if (Status exchanged = exchange({}); !exchanged) {
        stop();
        return exchanged;
    }
    process_.wait();
    const int result = process_.end();
    const bool succeeded = WIFEXITED(result) && WEXITSTATUS(result) == 0;
    if (succeeded && printed_.empty() && !cut_) return Done{};
    return failed("ffmpeg could not make the film (" +
                  (printed_.empty() ? std::string("it ended early") : printed_) +
                  "); try again or export a --png");
}

}  // namespace tilereel
