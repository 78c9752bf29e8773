#pragma once
// What a race says of this thread's GPU.
#include <cuda_runtime_api.h>

#include <string>

#include "app/race/race.h"

namespace tilereel {

// `reference`: the version of cuBLAS, or empty. Measuring the roofs takes a second.
[[nodiscard]] RaceMachine gpu_machine(const cudaDeviceProp& properties,
                                      const std::string& reference, bool measure_roofs);
[[nodiscard]] std::string pci_bus_id();  // "0000:3b:00.0"; empty: it is not known

}  // namespace tilereel
