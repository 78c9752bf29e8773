#pragma once
// The CPU oracle: C in float64, the inputs, and the error bound every C is held to.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// rows x columns whole numbers 0..5, uniform, the same on every machine for a seed. Whole and
// small, so that sums stay exact and fit a cell.
[[nodiscard]] std::vector<float> random_matrix(int rows, int columns, std::uint64_t seed);
struct Inputs {
    std::vector<float> a;    // M x K
    std::vector<float> b;    // K x N
    std::vector<float> c{};  // M x N, before the launch; empty: zeros
};
[[nodiscard]] Inputs random_inputs(int m, int n, int k, std::uint64_t seed);

inline constexpr double kUnitRoundOff = 0x1p-24;  // eps of float32
// The error that every element is held to, 8 sqrt(K), in units of eps |A||B|: K random rounding
// errors add up like the root of K.
[[nodiscard]] double allowed_error(int k);

// An element of C that is not what it should be.
struct WrongElement {
    std::uint32_t row = 0, column = 0;
    float found = 0;
    double expected = 0;  // A times B there, in float64
};

// The elements of C for which |C - AB| <= 8 eps sqrt(K) (|A||B|) does not hold, row-major; all in
// float64, eps = 2^-24. An element beyond the bound is right all the same if it is what float32
// gives when summed in the order of k: then the numbers round so, not the kernel. What is not
// finite is wrong. `workers`: threads that compute them, 0: one a core; the result is the same.
[[nodiscard]] std::vector<WrongElement> wrong_elements(std::span<const float> a,
                                                       std::span<const float> b,
                                                       std::span<const float> c, int m, int n,
                                                       int k, unsigned workers = 1);

// Whether there is none. The error names the first one found.
Status check_product(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                     int m, int n, int k);

}  // namespace tilereel
