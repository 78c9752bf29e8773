#pragma once
// How a struct of the contract tells its fields. Each struct has
//
//   template <class Self, class Fields>
//   static void visit(Self& self, Fields&& fields) {
//       fields.must("number", self.number);                          // always there
//       fields.may("reason", self.reason, "");                       // left out if it is ""
//       fields.must("done", self.done, at_most(self.of));            // with a bound
//   }
//
// so that a name, its type and its bound stand in one place, and the writer and the reader cannot
// disagree. A bound may depend on the fields before it: they are read in this order.
//
// All headers of this folder are C++17 and use the standard library alone, because nvcc compiles
// them on the user's machine, too. For the same reason they include each other by file name.
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::contract {

using Numbers = std::vector<std::uint32_t>;
using Extents = std::array<std::uint32_t, 3>;

// The reader refuses a value beyond it. The writer does not look.
struct Bound {
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most = kNone;                 // of a number
    std::uint64_t below = kNone;                // of a list: each number is less
    bool ascends = false;                       // of a list: each number is more than the last
    bool (*holds)(std::string_view) = nullptr;  // of a text
};
[[nodiscard]] constexpr Bound at_most(std::uint64_t most) {
    return {most, Bound::kNone, false, nullptr};
}
[[nodiscard]] constexpr Bound ascending_below(std::uint64_t below) {
    return {Bound::kNone, below, true, nullptr};
}
[[nodiscard]] constexpr Bound text_that(bool (*holds)(std::string_view)) {
    return {Bound::kNone, Bound::kNone, false, holds};
}

}  // namespace tilereel::contract
