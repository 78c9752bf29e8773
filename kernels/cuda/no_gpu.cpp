// Stands in for cuda_gpu.cpp where there is no CUDA Toolkit.
#include "kernels/cuda/gpu.h"

namespace tilereel {

Result<std::unique_ptr<Gpu>> open_gpu() {
    return failed(
        "this Tilereel was built without the CUDA Toolkit, so it cannot use a GPU; install the "
        "toolkit and build it again, or use the CPU");
}

}  // namespace tilereel
