#pragma once
// Checks C against float64 on the CPU, for the matrices of race_values.h. All elements of a small
// product are checked. A large product would take the CPU longer than the race: only some whole
// rows and columns of it are checked, and whether all other elements were written.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "kernels/input_type.h"
#include "kernels/reference.h"

namespace tilereel {

class ProductCheck {
  public:
    // `most_multiply_adds`: a larger product is checked in as many rows and columns as this allows,
    // at least two of each: the first, the last (kernels often fail at edges), then random ones.
    // `inputs`: the type that the values of A and B are rounded to.
    ProductCheck(const ProductSize& size, std::uint64_t seed,
                 std::uint64_t most_multiply_adds = kMostMultiplyAdds,
                 InputType inputs = InputType::kFloat32);
    static constexpr std::uint64_t kMostMultiplyAdds = std::uint64_t{1} << 27;
    // Checks C(M,N). The caller sets Verified::contender and Verified::size.
    [[nodiscard]] Verified check(std::span<const float> c) const;
    [[nodiscard]] bool every_element() const { return whole_; }
    [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }  // ascending
    [[nodiscard]] std::span<const std::uint32_t> columns() const {
        return columns_;
    }  // empty if all rows

  private:
    struct Exact {
        double product = 0, magnitude = 0;  // an element of AB and of |A||B|
    };
    [[nodiscard]] float value(std::uint64_t seed, std::uint64_t index) const;
    void add_up_rows();
    void add_up_columns();

    ProductSize size_;
    std::uint64_t seed_;
    InputType inputs_;
    bool whole_ = false;
    std::vector<std::uint32_t> rows_, columns_;
    std::vector<Exact> in_rows_;     // rows x N
    std::vector<Exact> in_columns_;  // columns x M
};

// A sentence about a wrong element of C.
[[nodiscard]] std::string wrong_sentence(const WrongElement& wrong);

}  // namespace tilereel
