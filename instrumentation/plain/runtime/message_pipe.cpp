#include "instrumentation/plain/runtime/message_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "instrumentation/plain/runtime/program.h"

namespace tilereel::plain {
namespace {

int kept = -1;  // -1: no pipe is kept
dev_t device = 0;
ino_t file = 0;

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

bool is_kept(int descriptor) { return descriptor >= 0 && descriptor == kept; }

int refuse_as_unknown() {
    errno = EBADF;
    return -1;
}

}  // namespace

int keep_message_pipe(int descriptor) {
    struct stat status {};
    if (fstat(descriptor, &status) == 0) {
        device = status.st_dev;
        file = status.st_ino;
    }
    const int high = copy_high(descriptor);
    if (high >= 0) ::close(descriptor);
    kept = high >= 0 ? high : descriptor;
    // For a program that starts itself again with exec().
    setenv("TILEREEL_PLAIN_PIPE", std::to_string(kept).c_str(), 1);
    return kept;
}

bool has_message_pipe() {
    if (kept < 0) return options().pipe >= 0;
    struct stat status {};
    return fstat(kept, &status) == 0 && S_ISFIFO(status.st_mode) && status.st_dev == device &&
           status.st_ino == file;
}

bool write_message(const char* text, std::size_t bytes) {
    if (!has_message_pipe()) return false;
    for (std::size_t sent = 0; sent < bytes;) {
        const ssize_t count = write(options().pipe, text + sent, bytes - sent);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) {
            pollfd room{options().pipe, POLLOUT, 0};
            poll(&room, 1, -1);
            continue;
        }
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

void send_end() {
    if (kept < 0) return;
    char text[64];
    const int length =
        std::snprintf(text, sizeof text, "{\"kind\":\"end\",\"process\":%d}\n", getpid());
    if (!write_message(text, static_cast<std::size_t>(length)))
        fail_recorder("its messages do not reach Tilereel");
}

void end_process(int code) {
    for (;;) syscall(SYS_exit_group, code);
}

}  // namespace tilereel::plain

extern "C" {

// Every program is linked with this file (Toolchain::link_command()).
extern const int tilereel_message_pipe;
const int tilereel_message_pipe = 1;

// The C library's functions, for the program. Weak: a program may define its own.

[[gnu::weak]] int close(int descriptor) {
    if (tilereel::plain::is_kept(descriptor)) return tilereel::plain::refuse_as_unknown();
    return static_cast<int>(syscall(SYS_close, descriptor));
}

[[gnu::weak]] int dup3(int from, int to, int flags) noexcept {
    if (tilereel::plain::is_kept(to)) return tilereel::plain::refuse_as_unknown();
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
    const auto own = static_cast<unsigned>(tilereel::plain::kept);
    if (tilereel::plain::kept < 0 || own < first || own > last) {
        return static_cast<int>(syscall(SYS_close_range, first, last, flags));
    }
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
    tilereel::plain::send_end();
    tilereel::plain::end_process(code);
}

[[gnu::weak, noreturn]] void _Exit(int code) noexcept { _exit(code); }

}  // extern "C"
