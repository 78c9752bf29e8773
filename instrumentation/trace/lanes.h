#pragma once
// A view over the lanes of a mask.
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tilereel {

// The lanes of a mask, ascending: bit i is lane i.
class LaneRange {
  public:
    class Iterator {
      public:
        using difference_type = std::ptrdiff_t;
        using value_type = std::uint32_t;
        constexpr Iterator() = default;
        constexpr explicit Iterator(std::uint32_t left) : left_(left) {}
        constexpr std::uint32_t operator*() const {
            return static_cast<std::uint32_t>(std::countr_zero(left_));
        }
        constexpr Iterator& operator++() { return left_ &= left_ - 1, *this; }
        constexpr Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        constexpr bool operator==(const Iterator&) const = default;

      private:
        std::uint32_t left_ = 0;
    };
    constexpr explicit LaneRange(std::uint32_t mask) : mask_(mask) {}
    [[nodiscard]] constexpr Iterator begin() const { return Iterator(mask_); }
    [[nodiscard]] constexpr Iterator end() const { return Iterator(0); }

  private:
    std::uint32_t mask_;
};
[[nodiscard]] constexpr LaneRange lanes_in(std::uint32_t mask) { return LaneRange(mask); }

}  // namespace tilereel
