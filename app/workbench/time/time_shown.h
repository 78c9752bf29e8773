#pragma once
// Which launch the page "Where the time goes" is about. A kernel of the ladder is watched small and
// estimated large; a launch of a program is estimated as it was recorded.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/recording/recording.h"
#include "app/workbench/time/launch_estimate.h"

namespace tilereel {

inline constexpr int kUsualTimedSize = 2048;  // M, N and K of a kernel of the ladder

// The sizes M = N = K at which the kernel can be estimated, ascending; 0 stands for the recorded
// sizes and is the first. Only powers of two from 256 to 8,192 that the kernel takes.
[[nodiscard]] std::vector<int> timed_sizes(const KernelInfo& kernel, const KernelParameters& shown);
// `shown` at the offered size that is nearest to `size`.
[[nodiscard]] KernelParameters timed_parameters(const KernelInfo& kernel,
                                                const KernelParameters& shown, int size);

// A launch of the ladder at this size: what is asked, and its key in a TimeBench.
[[nodiscard]] TimeQuestion question_of_kernel(const RecordRequest& shown, const GpuModel* gpu,
                                              int size);
[[nodiscard]] std::string key_of(const TimeQuestion& question);

// The next rung that is much faster than this kernel at about these sizes, as estimated in
// checked_times(), with its fastest TILE and PAD; nullopt: there is none.
[[nodiscard]] std::optional<RecordRequest> faster_rung(const RecordRequest& request);

}  // namespace tilereel
