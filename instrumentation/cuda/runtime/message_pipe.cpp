#include "instrumentation/cuda/runtime/message_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "instrumentation/contract/message_line.h"

namespace tilereel::runtime {
namespace {

int pipe_number = -1;       // -1: there is none
bool is_pipe_kept = false;  // at a descriptor that the program cannot close
dev_t pipe_device = 0;
ino_t pipe_file = 0;

// The highest free descriptor, but not above kMost: the system's table of descriptors grows with
// the highest one. -1: none is free.
int copy_high(int descriptor) {
    constexpr rlim_t kMost = 4096;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    for (int at = static_cast<int>(std::min(limit.rlim_cur, kMost)) - 1; at > descriptor; --at)
        if (fcntl(at, F_GETFD) < 0) return fcntl(descriptor, F_DUPFD, at);
    return -1;
}

bool is_kept(int descriptor) { return is_pipe_kept && descriptor == pipe_number; }

int refuse_as_unknown() {
    errno = EBADF;
    return -1;
}

}  // namespace

void use_message_pipe(int descriptor) { pipe_number = descriptor; }

int keep_message_pipe(int descriptor) {
    struct stat status {};
    if (fstat(descriptor, &status) == 0) {
        pipe_device = status.st_dev;
        pipe_file = status.st_ino;
    }
    const int high = copy_high(descriptor);
    if (high >= 0) ::close(descriptor);
    pipe_number = high >= 0 ? high : descriptor;
    is_pipe_kept = true;
    return pipe_number;
}

bool has_message_pipe() {
    if (!is_pipe_kept) return pipe_number >= 0;
    struct stat status {};
    return fstat(pipe_number, &status) == 0 && S_ISFIFO(status.st_mode) &&
           status.st_dev == pipe_device && status.st_ino == pipe_file;
}

bool write_message(const char* text, std::size_t bytes) {
    if (!has_message_pipe()) return false;
    for (std::size_t sent = 0; sent < bytes;) {
        const ssize_t count = write(pipe_number, text + sent, bytes - sent);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) {
            pollfd room{pipe_number, POLLOUT, 0};
            poll(&room, 1, -1);
            continue;
        }
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

void send_end() {
    if (!is_pipe_kept) return;
    contract::FixedText<64> text;
    contract::LineWriter(text).write(contract::End{static_cast<std::uint32_t>(getpid())});
    if (!write_message(text.data(), text.size())) end_process(contract::kRecorderFailed);
}

void end_process(int code) {
    for (;;) syscall(SYS_exit_group, code);
}

}  // namespace tilereel::runtime

extern "C" {

// The C library's functions, for the program. Weak: a program may define its own.

[[gnu::weak]] int close(int descriptor) {
    if (tilereel::runtime::is_kept(descriptor)) return tilereel::runtime::refuse_as_unknown();
    return static_cast<int>(syscall(SYS_close, descriptor));
}

[[gnu::weak]] int dup3(int from, int to, int flags) noexcept {
    if (tilereel::runtime::is_kept(to)) return tilereel::runtime::refuse_as_unknown();
    return static_cast<int>(syscall(SYS_dup3, from, to, flags));
}

[[gnu::weak]] int dup2(int from, int to) noexcept {
    if (from == to) return fcntl(from, F_GETFD) < 0 ? -1 : to;
    return dup3(from, to, 0);
}

#ifdef SYS_close_range
[[gnu::weak]] int close_range(unsigned first, unsigned last, int flags) noexcept {
    const auto call = [flags](unsigned from, unsigned to) {
        return from > to ? 0 : static_cast<int>(syscall(SYS_close_range, from, to, flags));
    };
    const auto own = static_cast<unsigned>(tilereel::runtime::pipe_number);
    if (!tilereel::runtime::is_pipe_kept || own < first || own > last)
        return static_cast<int>(syscall(SYS_close_range, first, last, flags));
    const int below = own == first ? 0 : call(first, own - 1);
    return below != 0 ? below : call(own + 1, last);
}
#endif

[[gnu::weak]] void closefrom(int first) noexcept {
#ifdef SYS_close_range
    if (close_range(static_cast<unsigned>(std::max(first, 0)), ~0u, 0) == 0) return;
#endif
    for (int at = getdtablesize(); at-- > std::max(first, 0);) ::close(at);
}

[[gnu::weak, noreturn]] void _exit(int code) {
    tilereel::runtime::send_end();
    tilereel::runtime::end_process(code);
}

[[gnu::weak, noreturn]] void _Exit(int code) noexcept { _exit(code); }

}  // extern "C"
