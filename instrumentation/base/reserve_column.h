#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilereel {

// Room for `count` elements, in large pages where the system has them: touching a long column page
// by page costs more than writing it.
template <class T>
void reserve_column(std::vector<T>& column, std::size_t count) {
    column.reserve(count);
    constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(column.data());
    const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
    const std::uintptr_t last = (begin + count * sizeof(T)) / kLargePage * kLargePage;
    if (first < last)  // advice: nothing depends on whether it is taken
        static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}

}  // namespace tilereel
