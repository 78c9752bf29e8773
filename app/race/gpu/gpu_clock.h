#pragma once
// Times launches of kernels of the user's own on the default stream.
#include <functional>

#include "app/race/gpu/on_gpu.h"
#include "app/race/runners/lap.h"

namespace tilereel {

class GpuClock {
  public:
    static Result<GpuClock> make();
    // Waits until the device is idle, and returns when it is idle again.
    Result<Lap> time(const std::function<Status()>& launches) const;

  private:
    GpuClock(CudaEvent begin, CudaEvent end, CudaEvent late)
        : begin_(std::move(begin)), end_(std::move(end)), late_(std::move(late)) {}
    CudaEvent begin_, end_, late_;
};

}  // namespace tilereel
