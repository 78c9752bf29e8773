#pragma once
// Kernels of the user's own in a race: recognised or said by --call, compiled by nvcc, loaded.
#include <string>
#include <vector>

#include "app/cli/options/race_options.h"

namespace tilereel {

// Compiles and loads the kernel of a .cu file, once for each value of --define; loads a .so. With
// RaceOptions::own_library what was compiled is kept there. kFailed, with the launch that was
// recognised, where there is no nvcc.
[[nodiscard]] Result<std::vector<OwnKernel>> make_own_kernels(const RaceOptions& options,
                                                              const std::string& file);

}  // namespace tilereel
