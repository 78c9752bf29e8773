#pragma once
// Changes requested parameters to ones that a kernel can run.
#include <string>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

struct FittedParameters {
    KernelParameters parameters;
    std::string message;  // what was changed in M, N, K or TILE, and why; empty if nothing
    std::string action;   // the same as an imperative: "Round K up to 64"; empty if nothing
};

// TILE and PAD stay if the kernel can have them; else they become the nearest built-in ones. M, N
// and K are rounded up to satisfy the kernel's preconditions or, if that is not enough, lowered.
// kWrongCall if no sizes near these can run, and for sizes outside 1..kLargestExtent.
[[nodiscard]] Result<FittedParameters> fit_parameters(const KernelInfo& kernel,
                                                      const KernelParameters& wanted);

// Converts the parameters of one kernel to those of another. A built-in TILE and PAD become the
// nearest that are built in for the other kernel. Others stay, because the user asked for them.
[[nodiscard]] FittedParameters carried_over(const KernelInfo& from, const KernelInfo& to,
                                            const KernelParameters& parameters);

}  // namespace tilereel
