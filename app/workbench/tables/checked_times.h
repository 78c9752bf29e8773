#pragma once
// Launches whose time was both estimated and measured (tests/hardware/estimate.csv, built into the
// program), and how far the estimates were off.
#include <span>
#include <string_view>

#include "kernels/kernel_parameters.h"

namespace tilereel {

struct CheckedTime {
    std::string_view launch;              // a kernel's id, or what a program calls it
    KernelParameters parameters{};        // of a kernel of the ladder
    bool cold = true;                     // L2 was empty
    bool about = true;                    // false: the estimate is a bound, "at least"
    bool of_ladder = false;               // raced on an H100; else a program's launch on an H200
    double measured = 0, estimated = 0;   // seconds
    std::string_view from;                // the race
    [[nodiscard]] double factor() const;  // by which the two differ, at least 1
};

[[nodiscard]] std::span<const CheckedTime> checked_times();
// The cold launch of a kernel with these parameters; nullptr: it was not raced.
[[nodiscard]] const CheckedTime* find_checked(std::string_view kernel, const KernelParameters& p);

// How far the estimates are off, of matrix products of the ladder or of other launches. Bounds do
// not count.
struct EstimateErrors {
    std::size_t all = 0, inside = 0;  // launches; those in the band that is shown
    double typical = 1;               // geometric mean of the factors
    double worst = 1;
    double faster_named = 0;  // share of the pairs whose faster one is named right, of products of
                              // the same size whose times differ by a tenth or more
};
[[nodiscard]] const EstimateErrors& estimate_errors(bool of_ladder);

}  // namespace tilereel
