#pragma once
// Medians of several launches on the GPU. The launches are interleaved, so that they run at the
// same clock rates.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "app/race/gpu/cublas_reference.h"

namespace tilereel {

using Launch = std::function<Status()>;

// Microseconds per launch, of `launches` launches back to back. The first round is not counted.
std::vector<double> interleaved_medians(int launches, int rounds,
                                        const std::vector<Launch>& racers);

// The columns for device and date of a measured table, and their fields.
inline constexpr const char* kMachineColumns = "gpu,driver,cublas,toolkit,date";
std::string machine_fields(const std::string& gpu, const Cublas& cublas);

}  // namespace tilereel
