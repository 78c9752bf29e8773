#pragma once
// Several sets of A, B and C in one allocation, which are used in turn. Between two uses of a set,
// so much other memory is accessed that no part of the set is left in a cache.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "app/race/race.h"
#include "kernels/input_type.h"

namespace tilereel {

class Rotation {
  public:
    Rotation() = default;
    // `cache_bytes` 0: a single set. `inputs`: the type of A and B.
    Rotation(const ProductSize& size, std::uint64_t cache_bytes,
             InputType inputs = InputType::kFloat32)
        : size_(size) {
        const auto words = [&](std::uint64_t elements) {
            return (elements * bytes_of(inputs) + sizeof(float) - 1) / sizeof(float);
        };
        a_ = aligned(words(std::uint64_t(size.m) * size.k));
        b_ = aligned(words(std::uint64_t(size.k) * size.n));
        c_ = aligned(c_elements());
        const std::uint64_t set_bytes = set_elements() * sizeof(float);
        constexpr std::uint64_t kTimesTheCache = 2;  // eviction is not strictly LRU
        const std::uint64_t between = kTimesTheCache * cache_bytes;
        if (cache_bytes > 0) sets_ = 1 + (between + set_bytes - 1) / set_bytes;
    }
    [[nodiscard]] const ProductSize& size() const { return size_; }
    [[nodiscard]] std::size_t sets() const { return sets_; }
    [[nodiscard]] std::size_t elements() const { return sets_ * set_elements(); }
    [[nodiscard]] std::uint64_t bytes() const { return elements() * sizeof(float); }
    [[nodiscard]] std::size_t c_elements() const { return std::uint64_t(size_.m) * size_.n; }
    // Offsets in words of 4 bytes: of a set, and of the matrices within it.
    [[nodiscard]] std::size_t first_of(std::size_t set) const { return set * set_elements(); }
    [[nodiscard]] std::size_t a_at() const { return 0; }
    [[nodiscard]] std::size_t b_at() const { return a_; }
    [[nodiscard]] std::size_t c_at() const { return a_ + b_; }
    std::size_t next() { return next_++ % sets_; }  // the next set in turn
    void restart() { next_ = 0; }                   // the next set is the first one

  private:
    // Rounds up to 256 bytes, the alignment of cudaMalloc.
    static std::uint64_t aligned(std::uint64_t words) { return (words + 63) / 64 * 64; }
    [[nodiscard]] std::size_t set_elements() const { return a_ + b_ + c_; }

    ProductSize size_;
    std::size_t a_ = 0, b_ = 0, c_ = 0;  // words of 4 bytes
    std::size_t sets_ = 1;
    std::size_t next_ = 0;
};

}  // namespace tilereel
