#include "instrumentation/cuda/runtime/api/large_copy.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>

#include "instrumentation/cuda/runtime/grid/team.h"

namespace tilereel::runtime {
namespace {

constexpr std::uint64_t kLargeBytes = std::uint64_t{32} << 20;
constexpr std::uint64_t kCopiedAtOnce = std::uint64_t{4} << 20;  // two huge pages

// Whether every page can be read. Kernels before 5.14 do not know: false.
bool is_readable(const void* from, std::uint64_t bytes) {
#ifdef MADV_POPULATE_READ
    const auto page = static_cast<std::uint64_t>(getpagesize());
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(from) & ~(page - 1);
    const std::uint64_t end = reinterpret_cast<std::uint64_t>(from) + bytes;
    return madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ) == 0;
#else
    static_cast<void>(from), static_cast<void>(bytes);
    return false;
#endif
}

bool overlap(const char* to, const char* from, std::uint64_t bytes) {
    return to < from + bytes && from < to + bytes;
}

}  // namespace

void move_bytes(void* to, const void* from, std::uint64_t bytes, bool to_device) {
    char* const target = static_cast<char*>(to);
    const char* const source = static_cast<const char*>(from);
    if (!to_device || bytes < kLargeBytes || Team::instance().helpers() == 0 ||
        overlap(target, source, bytes) || !is_readable(from, bytes)) {
        std::memmove(to, from, bytes);
        return;
    }
    std::atomic<std::uint64_t> next = 0;
    const std::function<void()> copy_pieces = [&] {
        while (true) {
            const std::uint64_t at = next.fetch_add(kCopiedAtOnce, std::memory_order_relaxed);
            if (at >= bytes) return;
            std::memcpy(target + at, source + at, std::min(kCopiedAtOnce, bytes - at));
        }
    };
    Team::instance().start(copy_pieces);
    copy_pieces();
    Team::instance().wait();
}

}  // namespace tilereel::runtime
