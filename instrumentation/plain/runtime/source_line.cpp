#include "instrumentation/plain/runtime/source_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

extern "C" char __executable_start;

namespace tilereel::plain {

namespace {

// In the folder of the toolchain (prepare_toolchain()), "plain-g++-12.2.0-...".
bool is_in_our_headers(const std::string& place) {
    const std::size_t folder = place.find("/plain-g++-");
    return folder != std::string::npos && place.find("/include/", folder) != std::string::npos;
}

SourceLine find_source_line(std::uint64_t address) {
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(&__executable_start);
    char command[128];
    std::snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe 0x%llx 2>/dev/null",
                  static_cast<int>(getpid()), static_cast<unsigned long long>(address - begin));
    std::FILE* const answer = popen(command, "r");
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

}  // namespace tilereel::plain
