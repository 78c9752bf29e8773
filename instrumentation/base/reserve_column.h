#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilereel {

// Reserves memory for `count` elements, in huge pages if the system has them: the page faults of a
// long column would cost more than writing it.
template <class T>
void reserve_column(std::vector<T>& column, std::size_t count) {
    column.reserve(count);
    constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(column.data());
    const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
    const std::uintptr_t last = (begin + count * sizeof(T)) / kLargePage * kLargePage;
    if (first < last)  // only a hint to the system
        static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}

}  // namespace tilereel
