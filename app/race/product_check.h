#pragma once
// What C must be, in float64 on the CPU, for the matrices of race_values.h. Small products are
// checked element by element; of large ones, which would take the CPU longer than the race, whole
// rows and columns are, and of the rest that it was written.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/race/race.h"
#include "kernels/reference.h"

namespace tilereel {

class ProductCheck {
  public:
    // `most_multiply_adds`: beyond it only rows and columns, as many as that allows, two of each at
    // least: the first, the last (edges are where kernels go wrong) and then random ones.
    ProductCheck(const ProductSize& size, std::uint64_t seed,
                 std::uint64_t most_multiply_adds = std::uint64_t{1} << 27);
    // Whether C(M,N) is right; contender and size are the caller's to fill in.
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
    void add_up_rows();
    void add_up_columns();

    ProductSize size_;
    std::uint64_t seed_;
    bool whole_ = false;
    std::vector<std::uint32_t> rows_, columns_;
    std::vector<Exact> in_rows_;     // rows x N
    std::vector<Exact> in_columns_;  // columns x M
};

// Why a C is wrong.
[[nodiscard]] std::string wrong_sentence(const WrongElement& wrong);

}  // namespace tilereel
