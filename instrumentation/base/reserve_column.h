#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilereel {

// Gives the kernel `advice` (a constant of madvise()) about the whole pages of `page_bytes` within
// [begin, begin + bytes). Errors are ignored, because the advice is only a hint.
inline void advise_pages(const void* begin, std::size_t bytes, std::uintptr_t page_bytes,
                         int advice) {
    const auto at = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = (at + page_bytes - 1) / page_bytes * page_bytes;
    const std::uintptr_t last = (at + bytes) / page_bytes * page_bytes;
    if (first < last)
        static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, advice));
}

// Reserves memory for `count` elements, in huge pages if the system has them: the page faults of a
// long column would cost more than writing it.
template <class T>
void reserve_column(std::vector<T>& column, std::size_t count) {
    column.reserve(count);
    advise_pages(column.data(), count * sizeof(T), std::uintptr_t{2} << 20, MADV_HUGEPAGE);
}

// Makes the next `count` elements of a reserved column present at once, instead of one page fault
// after another.
template <class T>
void populate_column(std::vector<T>& column, std::size_t count) {
#ifdef MADV_POPULATE_WRITE
    if (count > column.capacity() - column.size()) return;
    advise_pages(column.data() + column.size(), count * sizeof(T), std::uintptr_t{4} << 10,
                 MADV_POPULATE_WRITE);
#endif
}

}  // namespace tilereel
