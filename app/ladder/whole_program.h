#pragma once
// A kernel of the ladder as a whole CUDA program, which nvcc compiles as it is: where one's own
// work on it begins.
#include <string>

#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

// The kernel's file with the headers that it includes, and a main() that fills A and B, launches
// the kernel, compares C with the CPU's and, if it gets a number, times that many launches. The
// first launch is that of the ladder with these parameters. `name`: of the program's file, for its
// first lines. kWrongCall: the kernel runs on the CPU, or not with these parameters.
Result<std::string> whole_program(const KernelInfo& kernel, const KernelParameters& parameters,
                                  const std::string& name);

}  // namespace tilereel
