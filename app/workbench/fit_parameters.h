#pragma once
// Makes parameters that a kernel can run from the ones asked for.
#include <string>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

struct FittedParameters {
    KernelParameters parameters;
    std::string message;  // what was changed in M, N, K or TILE and why; empty if nothing
    std::string action;   // the same as something to do: "Round K up to 64"; empty if nothing
};

// TILE and PAD stay if the kernel can have them, else they become the nearest that is built in; M,
// N, K are rounded up to what the kernel's preconditions need, or, where nothing larger will do,
// lowered. kWrongCall if no sizes near these can run, and for sizes outside 1..kLargestExtent.
[[nodiscard]] Result<FittedParameters> fit_parameters(const KernelInfo& kernel,
                                                      const KernelParameters& wanted);

// Parameters of one kernel, for another: a TILE and PAD that are built in become the nearest that
// the other has built in. Only those that are not built in, which somebody asked for, stay.
[[nodiscard]] FittedParameters carried_over(const KernelInfo& from, const KernelInfo& to,
                                            const KernelParameters& parameters);

}  // namespace tilereel
