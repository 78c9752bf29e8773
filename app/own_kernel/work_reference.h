#pragma once
// What a kernel that is no product writes, from its run on the CPU: the recorder's g++ compiles the
// user's file with the launch that is to race, and runs it with the recorded inputs.
//
// This also judges the launch: at the program's own n it must write what the program's launch
// wrote, and at another n no access may be out of bounds and the largest array must be used to its
// end.
#include <atomic>
#include <cstddef>
#include <vector>

#include "app/own_kernel/own_call.h"
#include "app/own_kernel/own_source.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {

// The bytes of WorkData (race/other_kernels/work_data.h) with a case for the program's own n and
// for those of `sizes` that the CPU runs in a second or so. `program`: how the user's program is
// compiled and whether in a sandbox. kFailed: the launch is not that of the program, or wrong;
// kCancelled.
[[nodiscard]] Result<std::vector<std::byte>> run_work_on_cpu(const program::ProgramRequest& program,
                                                             const OwnSource& source,
                                                             const OwnCall& call,
                                                             const std::vector<ProductSize>& sizes,
                                                             const std::atomic<bool>* cancel);

}  // namespace tilereel
