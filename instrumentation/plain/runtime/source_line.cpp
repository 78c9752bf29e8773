#include "instrumentation/plain/runtime/source_line.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

extern "C" char __executable_start;

namespace tilereel::plain {

thread_local std::uint64_t last_hook_call = 0;

SourceLine source_line(std::uint64_t address) {
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
        const bool ours = place.find("/include/tilereel/") != std::string::npos ||
                          place.find("/include/cooperative_groups") != std::string::npos;
        if (colon == std::string::npos || ours) continue;
        found = {place.substr(0, colon),
                 static_cast<std::uint32_t>(std::strtoul(text + colon + 1, nullptr, 10))};
    }
    pclose(answer);
    return found;
}

}  // namespace tilereel::plain
