#pragma once
// Reference results on the CPU: the inputs, C in float64, and the error bound for every C.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// rows x columns uniform random integers 0 to 5, the same on every machine for a seed. They are
// small integers, so that sums are exact and fit into a cell of the picture.
[[nodiscard]] std::vector<float> random_matrix(int rows, int columns, std::uint64_t seed);
struct Inputs {
    std::vector<float> a;    // M x K
    std::vector<float> b;    // K x N
    std::vector<float> c{};  // M x N, before the launch; empty: zeros
};
[[nodiscard]] Inputs random_inputs(int m, int n, int k, std::uint64_t seed);

inline constexpr double kUnitRoundOff = 0x1p-24;  // eps of float32
// The largest allowed error of an element, 8 sqrt(K), in units of eps |A||B|: the sum of K random
// rounding errors grows with sqrt(K).
[[nodiscard]] double allowed_error(int k);

// A wrong element of C.
struct WrongElement {
    std::uint32_t row = 0, column = 0;
    float found = 0;
    double expected = 0;  // the element of A B, in float64
};

// The elements of C for which |C - AB| <= 8 eps sqrt(K) (|A||B|) does not hold, in row-major order;
// all in float64, eps = 2^-24. An element beyond the bound is still right if it equals the float32
// sum in the order of k, because the error then comes from the inputs. An element that is not
// finite is wrong. `workers`: number of threads, 0: one for each core; the result is the same.
[[nodiscard]] std::vector<WrongElement> wrong_elements(std::span<const float> a,
                                                       std::span<const float> b,
                                                       std::span<const float> c, int m, int n,
                                                       int k, unsigned workers = 1);

// Whether C has no wrong elements. The error names the first one.
Status check_product(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                     int m, int n, int k);

}  // namespace tilereel
