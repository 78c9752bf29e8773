#include "app/race/runners/cpu_machine.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <thread>

namespace tilereel {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// The first number in the file's first line; kUnlimited for "max" or no file.
std::uint64_t number_in(const char* path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? number : kUnlimited;
}

std::uint64_t available_by_kernel() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        std::uint64_t kibibytes = 0;
        if (words >> name >> kibibytes && name == "MemAvailable:") return kibibytes * 1024;
    }
    return kUnlimited;
}

// The bytes that this process's control group (cgroup version 2) has left.
std::uint64_t available_by_group() {
    const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max");
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
    if (most == kUnlimited || used == kUnlimited) return kUnlimited;
    return most > used ? most - used : 0;
}

struct Cache {
    int level = 0;
    std::uint64_t bytes = 0;
    std::string shared_by;  // processors: "0-7"
};

// The last-level cache of a processor, as Linux reports it in sysfs. In a virtual machine sysconf()
// reports the cache of the whole socket.
Cache last_cache_of(int processor) {
    Cache last;
    for (int index = 0;; ++index) {
        const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                                   "/cache/index" + std::to_string(index) + "/";
        std::ifstream level_file(folder + "level"), size_file(folder + "size"),
            shared_file(folder + "shared_cpu_list");
        Cache cache;
        char unit = ' ';  // K on all known systems
        if (!(level_file >> cache.level && size_file >> cache.bytes)) return last;
        if (size_file >> unit) cache.bytes *= unit == 'M' ? 1024 * 1024 : 1024;
        shared_file >> cache.shared_by;
        if (cache.level >= last.level) last = cache;
    }
}

}  // namespace

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "CPU";
}

int processor_threads() {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::uint64_t last_cache_bytes() {
    std::map<std::string, Cache> last;  // by the processors that share it
    for (int processor = 0; processor < processor_threads(); ++processor)
        if (const Cache cache = last_cache_of(processor); cache.bytes > 0)
            last[cache.shared_by] = cache;
    std::uint64_t bytes = 0;
    for (const auto& [shared_by, cache] : last) bytes += cache.bytes;
    return bytes;
}

std::uint64_t available_memory_bytes() {
    return std::min(available_by_kernel(), available_by_group());
}

}  // namespace tilereel
