#pragma once
// The kernels of the ladder that the copy engine brings boxes to, in translation units of their own:
// they are compiled for compute capability 9.0 only.
#include <cuda.h>

#include <cstddef>
#include <span>

#include "instrumentation/base/result.h"
#include "kernels/cuda/device_kernels.h"

namespace tilereel {

// What the traced kernels take for A and B: byte for byte their BoxMap.
struct DeviceBoxMap {
    CUtensorMap engine;
    DeviceArray matrix;
    int rows, columns;
    int box_rows, box_columns;
    int swizzle_bytes;
};

[[nodiscard]] std::span<const DeviceKernel> native_box_kernels();
[[nodiscard]] std::span<const DeviceKernel> traced_box_kernels();

Status set_device_trace_of_boxes(const device::DeviceTrace& trace);

}  // namespace tilereel
