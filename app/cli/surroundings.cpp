#include "app/cli/surroundings.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace tilereel {
namespace {

// A file that is opened later would get the number of standard output, and our text. What is
// written to this stand-in fails, as it would without.
void open_standard_descriptors() {
    int descriptor = 0;
    do descriptor = ::open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) ::close(descriptor);
}

// False if the limit of this user is lower.
bool raise_stack_limit(rlimit limit, rlim_t bytes) {
    limit.rlim_cur = bytes;
    limit.rlim_max = std::max(limit.rlim_max, bytes);  // a privileged user may
    return ::setrlimit(RLIMIT_STACK, &limit) == 0;
}

}  // namespace

int prepare_surroundings(char** argv) {
    open_standard_descriptors();
    // A process that was started with other settings could not see its children end, or not run the
    // files that it makes.
    ::signal(SIGCHLD, SIG_DFL);
    ::umask(::umask(0) & ~S_IRWXU);
    constexpr rlim_t kLeastBytes = rlim_t{1} << 20, kUsualBytes = rlim_t{8} << 20;
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastBytes) return 0;
    const rlim_t most =
        limit.rlim_max < kLeastBytes ? kUsualBytes : std::min(limit.rlim_max, kUsualBytes);
    // The stacks of threads, too, get their size when the process begins.
    if (raise_stack_limit(limit, most)) ::execv("/proc/self/exe", argv);
    constexpr std::string_view kSentence =
        "tilereel: the stack is limited to less than 1 MiB; raise the limit with ulimit -s 8192\n";
    static_cast<void>(!::write(STDERR_FILENO, kSentence.data(), kSentence.size()));
    return 1;
}

}  // namespace tilereel
