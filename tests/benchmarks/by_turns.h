#pragma once
// Medians of several launches on the GPU, by turns, so that all of them meet the same clocks.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "app/race/gpu/cublas.h"

namespace tilereel {

using Launch = std::function<Status()>;

// Microseconds a launch, of `launches` back to back; the first turn is not counted.
std::vector<double> by_turns(int launches, int turns, const std::vector<Launch>& racers);

// The columns that say where and when a table was measured, and their fields.
inline constexpr const char* kMachineColumns = "gpu,driver,cublas,toolkit,date";
std::string machine_fields(const std::string& gpu, const Cublas& cublas);

}  // namespace tilereel
