#include "app/export/film_encoder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "app/export/pipe.h"

extern "C" char** environ;

namespace tilereel {
namespace {

constexpr std::size_t kMostMessageBytes = 300;  // of ffmpeg's messages, in an error

class SpawnActions {
  public:
    SpawnActions() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        // A separate process group, so that Ctrl+C reaches only this program. SIGPIPE ends ffmpeg.
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes_, &signals);
    }
    ~SpawnActions() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    [[nodiscard]] bool connect(int descriptor, int as) {
        return posix_spawn_file_actions_adddup2(&actions_, descriptor, as) == 0;
    }
    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

  private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

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
      process_(std::exchange(other.process_, -1)) {}

FilmEncoder::~FilmEncoder() {
    stop();
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
}

void FilmEncoder::stop() {
    if (process_ > 0) ::kill(process_, SIGKILL);  // ffmpeg has no files that it could leave behind
    for (int* descriptor : {&frames_, &film_, &messages_})
        if (*descriptor >= 0) ::close(std::exchange(*descriptor, -1));
}

Result<FilmEncoder> FilmEncoder::start(const FilmFormat& format, FilmCall call) {
    std::vector<std::string> line = command_line(format, call.arguments);
    std::vector<char*> argv;
    for (std::string& word : line) argv.push_back(word.data());
    argv.push_back(nullptr);
    // A socket, because send() with MSG_NOSIGNAL to an ended process raises no SIGPIPE.
    std::array<Descriptor, 2> frames = socket_pair(), film = pipe_pair(), messages = pipe_pair(),
                              side = pipe_pair();
    for (const auto* pair : {&frames, &film, &messages, &side})
        if (!(*pair)[0] || !(*pair)[1]) return no_more_files();
    SpawnActions actions;
    if (!fill(side[1], call.side_input) || !actions.connect(frames[1].get(), STDIN_FILENO) ||
        !actions.connect(film[1].get(), STDOUT_FILENO) ||
        !actions.connect(messages[1].get(), STDERR_FILENO) || !actions.connect(side[0].get(), 3))
        return cannot_start(ENOMEM);
    FilmEncoder encoder(std::move(call));
    pid_t process = -1;
    const int error = posix_spawnp(&process, "ffmpeg", actions.actions(), actions.attributes(),
                                   argv.data(), environ);
    if (error != 0) return cannot_start(error);
    encoder.process_ = process;
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
    int result = 0;
    while (process_ > 0 && ::waitpid(process_, &result, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    const bool succeeded = WIFEXITED(result) && WEXITSTATUS(result) == 0;
    if (succeeded && printed_.empty() && !cut_) return Done{};
    return failed("ffmpeg could not make the film (" +
                  (printed_.empty() ? std::string("it ended early") : printed_) +
                  "); try again or export a --png");
}

}  // namespace tilereel
