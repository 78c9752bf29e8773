#pragma once
// Races kernels that are no products, and does not believe them.
//
// A kernel could look faster than it is, by a mistake or on purpose:
//   it works in another stream            the time runs until the whole device is done
//   it finds its inputs in the cache      each launch has arrays of its own, which are not in L2
//   it leaves the results of a former     outputs are overwritten before each timed launch and
//   launch, or copies them                compared after it, and inputs are drawn anew
//   it keeps results from launch to       its first launches with new inputs must not take much
//   launch for inputs that it has seen    longer than later ones
// Results are compared with what the same kernel wrote on the CPU, where that was recorded; at
// other sizes with those of the first launches, and the race says so.
#include <memory>
#include <vector>

#include "app/race/other_kernels/work_device.h"
#include "app/race/runners/own_kernel.h"

namespace tilereel {

// `kernels`: all have OwnKernel::work. kFailed if the data of one is damaged.
[[nodiscard]] Result<std::unique_ptr<Runner>> make_work_runner(std::unique_ptr<WorkDevice> device,
                                                               std::vector<OwnKernel> kernels);

}  // namespace tilereel
