#include "instrumentation/cuda/runtime/source_line.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

extern "C" char __executable_start;

namespace tilereel::runtime {

namespace {

// In the folder of the toolchain (prepare_toolchain()), "cuda-g++-12.2.0-...".
bool is_in_our_headers(const std::string& place) {
    const std::size_t folder = place.find("/cuda-g++-");
    return folder != std::string::npos && place.find("/include/", folder) != std::string::npos;
}

// popen() of a command that SIGTERM does not end: at the end of the time the parent sends it to the
// whole process group, again and again, while the line of the stopped thread is looked up. A shell
// and what it starts go on to ignore a signal, but a shell may unblock it.
std::FILE* open_command(const char* command) {
    struct sigaction ignored {
    }, before{};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGTERM, &ignored, &before);
    std::FILE* const answer = popen(command, "r");
    sigaction(SIGTERM, &before, nullptr);  // what this process missed comes again
    return answer;
}

// Keeps SIGTERM from interrupting the calling thread, whose reading would end there.
class SigtermBlocked {
  public:
    SigtermBlocked() {
        sigset_t term;
        sigemptyset(&term);
        sigaddset(&term, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &term, &before_);
    }
    ~SigtermBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SigtermBlocked(const SigtermBlocked&) = delete;
    SigtermBlocked& operator=(const SigtermBlocked&) = delete;

  private:
    sigset_t before_;
};

SourceLine find_source_line(std::uint64_t address) {
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(&__executable_start);
    char command[128];
    std::snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe 0x%llx 2>/dev/null",
                  static_cast<int>(getpid()), static_cast<unsigned long long>(address - begin));
    const SigtermBlocked blocked;
    std::FILE* const answer = open_command(command);
    if (answer == nullptr) return {};
    SourceLine found;
    char text[4096];
    while (found.line == 0 && std::fgets(text, sizeof text, answer) != nullptr) {
        const std::string place = text;
        const std::size_t colon = place.rfind(':');
        const bool ours = is_in_our_headers(place);
        if (colon == std::string::npos || ours) continue;
        found = {place.substr(0, colon),
                 static_cast<std::uint32_t>(std::strtoul(text + colon + 1, nullptr, 10))};
    }
    pclose(answer);
    return found;
}

}  // namespace

SourceLine source_line(std::uint64_t address) {
    static auto& known = *new std::map<std::uint64_t, SourceLine>;
    static auto& mutex = *new std::mutex;
    const std::lock_guard lock(mutex);
    const auto [place, is_new] = known.try_emplace(address);
    if (is_new) place->second = find_source_line(address);
    return place->second;
}

}  // namespace tilereel::runtime
