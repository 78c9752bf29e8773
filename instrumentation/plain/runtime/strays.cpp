#include "instrumentation/plain/runtime/strays.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace tilereel::plain {
namespace {

constexpr unsigned kKept = 64, kMost = 8192;
constexpr std::uint64_t kStrayPage = 4096;

std::array<Stray, kKept> kept;
std::atomic<unsigned> count{0};

}  // namespace

thread_local std::optional<std::uint64_t> told_address;

bool note_stray(const Stray& stray) {
    const unsigned number = is_told(stray.address) ? kKept : count++;
    if (number >= kMost) return false;
    void* const page = reinterpret_cast<void*>(stray.address / kStrayPage * kStrayPage);
    if (mprotect(page, kStrayPage, PROT_READ | PROT_WRITE) != 0) return false;
    madvise(page, kStrayPage, MADV_DONTNEED);  // it reads as 0
    if (number < kKept) kept[number] = stray;
    return true;
}

std::vector<Stray> take_strays() {
    const unsigned number = std::min(count.exchange(0), kKept);
    return {kept.begin(), kept.begin() + number};
}

}  // namespace tilereel::plain
