#pragma once
// The machine code that nvcc makes of a program's kernels. Needs nvcc and no GPU.
#include <atomic>
#include <string>
#include <vector>

#include "instrumentation/analysis/machine/machine_instruction.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// nvcc compiles as it does for a race: -O3. `architecture`: "sm_90". Error (kFailed, one sentence):
// there is no nvcc, or it does not compile the program. (kCancelled): `cancel` was set.
[[nodiscard]] Result<std::vector<MachineKernel>> machine_code_of(
    const ProgramRequest& request, const std::string& architecture,
    const std::atomic<bool>* cancel = nullptr);

// The kernel of a launch, "reduce<256>"; nullptr if there is none, or more than one.
[[nodiscard]] const MachineKernel* kernel_named(const std::vector<MachineKernel>& kernels,
                                                const std::string& name);

}  // namespace tilereel::program
