#pragma once
// What a DeviceKernel takes, and how it is launched.
//
// A native kernel is started by its file's own launch function. The other two builds take a Global<T>
// for each of A, B and C (dialect/proxies.h), and the shape. A kernel of boxes takes a map for each of
// A and B instead, and has three more parameters behind the shape (20_champion.cuh).
#include <array>

#include "kernels/catalog.h"
#include "kernels/cuda/box_kernels.cuh"
#include "kernels/cuda/cuda_handles.cuh"

namespace tilereel {

class KernelLaunch {
  public:
    // Of A, B and C in GPU memory, which must outlive it. Copies A or B by itself where the copy
    // engine cannot read it as it lies: it must not change afterwards.
    static Result<KernelLaunch> make(const DeviceKernel& kernel, const KernelParameters& p,
                                     const LaunchShape& shape,
                                     const std::array<DeviceArray, 3>& arrays);
    // Returns at once.
    cudaError_t start();

  private:
    Status map_boxes(const BoxSizes& boxes);
    Status map_box(std::size_t matrix, int rows, int columns, int box_rows, int box_columns,
                   int swizzle_bytes);

    const DeviceKernel* kernel_ = nullptr;
    LaunchShape shape_;
    struct {
        int m, n, k;
    } size_{};  // dialect's Shape
    std::array<DeviceArray, 3> arrays_{};
    std::array<DeviceBoxMap, 2> maps_{};   // of A and B
    std::array<CudaMemory, 2> widened_{};  // copies whose rows start at multiples of 16 bytes
};

}  // namespace tilereel
