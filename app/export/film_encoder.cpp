#include "app/export/film_encoder.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

extern "C" char** environ;

namespace tilereel {
namespace {

class SpawnActions {
  public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    void connect(int descriptor, int as) {
        posix_spawn_file_actions_adddup2(&actions_, descriptor, as);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

std::vector<std::string> command_line(const FilmFormat& format,
                                      const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {
        "ffmpeg",
        "-v",
        "error",
        "-nostdin",
        "-y",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgba",
        "-video_size",
        std::to_string(format.width) + "x" + std::to_string(format.height),
        "-framerate",
        std::to_string(format.frames_per_second),
        "-i",
        "pipe:0"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 512> part{};
    for (ssize_t got = 0; (got = ::read(descriptor, part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(got));
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text.substr(0, 300);
}

}  // namespace

FilmEncoder::FilmEncoder(FilmEncoder&& other) noexcept
    : frames_(std::exchange(other.frames_, -1)),
      words_(std::exchange(other.words_, -1)),
      process_(std::exchange(other.process_, -1)) {}

FilmEncoder::~FilmEncoder() {
    close_frames();
    if (process_ > 0) {
        ::kill(process_, SIGTERM);
        ::waitpid(process_, nullptr, 0);
    }
    if (words_ >= 0) ::close(words_);
}

void FilmEncoder::close_frames() {
    if (frames_ >= 0) ::close(std::exchange(frames_, -1));
}

Result<FilmEncoder> FilmEncoder::start(const FilmFormat& format,
                                       const std::vector<std::string>& arguments) {
    // A socket, because a send() to a child that died can be told not to raise SIGPIPE.
    std::array<int, 2> frames{}, words{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, frames.data()) != 0)
        return failed("no more files can be opened; close some programs");
    if (::pipe2(words.data(), O_CLOEXEC) != 0) {
        ::close(frames[0]);
        ::close(frames[1]);
        return failed("no more files can be opened; close some programs");
    }
    SpawnActions actions;
    actions.connect(frames[1], STDIN_FILENO);
    actions.connect(words[1], STDOUT_FILENO);
    actions.connect(words[1], STDERR_FILENO);
    std::vector<std::string> line = command_line(format, arguments);
    std::vector<char*> argv;
    for (std::string& word : line) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, "ffmpeg", actions.get(), nullptr, argv.data(), environ);
    ::close(frames[1]);
    ::close(words[1]);
    FilmEncoder encoder(frames[0], words[0], error == 0 ? process : -1);
    if (error != 0)
        return failed(error == ENOENT
                          ? std::string("a film needs ffmpeg, which is not here; install it (apt "
                                        "install ffmpeg) or export a --png")
                          : std::string("ffmpeg does not start (") + std::strerror(error) +
                                "); reinstall it or export a --png");
    return encoder;
}

Status FilmEncoder::add(const Image& frame) {
    const std::uint8_t* data = frame.rgba.data();
    std::size_t left = frame.rgba.size();
    while (left > 0) {
        const ssize_t sent = ::send(frames_, data, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) {
            Status ended = finish();
            return ended ? failed("ffmpeg stopped before the film was whole; try again") : ended;
        }
        data += sent;
        left -= static_cast<std::size_t>(sent);
    }
    return Done{};
}

Status FilmEncoder::finish() {
    close_frames();
    const std::string words = read_all(words_);
    int result = 0;
    ::waitpid(std::exchange(process_, -1), &result, 0);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0) return Done{};
    return failed("ffmpeg could not make the film (" +
                  (words.empty() ? std::string("no reason given") : words) +
                  "); make room or choose another file");
}

}  // namespace tilereel
