#include "kernels/cuda/kernel_launch.cuh"

#include <cuda_runtime.h>

#include <utility>

#include "kernels/cuda/tensor_map.cuh"

namespace tilereel {

Result<KernelLaunch> KernelLaunch::make(const DeviceKernel& kernel, const KernelParameters& p,
                                        const LaunchShape& shape,
                                        const std::array<DeviceArray, 3>& arrays) {
    KernelLaunch launch;
    launch.kernel_ = &kernel;
    launch.shape_ = shape;
    launch.size_ = {p.m, p.n, p.k};
    launch.arrays_ = arrays;
    const Status allowed = allow_shared_bytes(kernel.function, shape.dynamic_shared_bytes);
    if (!allowed) return allowed.error();
    if (!kernel.boxes) return Result<KernelLaunch>(std::move(launch));
    if (const Status mapped = launch.map_boxes(*kernel.boxes); !mapped) return mapped.error();
    return Result<KernelLaunch>(std::move(launch));
}

Status KernelLaunch::map_boxes(const BoxSizes& boxes) {
    const int row_bytes = boxes.depth * static_cast<int>(sizeof(float));  // of A's box
    const Status a = map_box(0, size_.m, size_.k, boxes.rows, boxes.depth, row_bytes);
    if (!a) return a;
    return map_box(1, size_.k, size_.n, boxes.depth, boxes.columns, 0);
}

Status KernelLaunch::map_box(std::size_t matrix, int rows, int columns, int box_rows,
                             int box_columns, int swizzle_bytes) {
    const auto* first = static_cast<const float*>(arrays_[matrix].first);
    const int stride = in_whole_fours(columns);
    if (stride != columns) {
        const std::size_t row_bytes = columns * sizeof(float), stride_bytes = stride * sizeof(float);
        auto memory = make_memory(rows * stride_bytes);
        if (!memory) return memory.error();
        widened_[matrix] = *std::move(memory);
        const Status copied = cuda_status(
            cudaMemcpy2D(widened_[matrix].get(), stride_bytes, first, row_bytes, row_bytes,
                         static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice),
            "copy a matrix");
        if (!copied) return copied;
        first = static_cast<const float*>(widened_[matrix].get());
    }
    const auto maps = TensorMaps::find(kUseTheEmulator);
    if (!maps) return maps.error();
    const auto engine =
        maps->make(first, rows, columns, box_rows, box_columns, swizzle_bytes);
    if (!engine) return engine.error();
    maps_[matrix] = {*engine,  arrays_[matrix], rows,         columns,
                     box_rows, box_columns,     swizzle_bytes};
    return Done{};
}

cudaError_t KernelLaunch::start() {
    const auto& [a, b, c] = arrays_;
    if (kernel_->launch != nullptr)
        return start_by(kernel_->launch, static_cast<const float*>(a.first),
                        static_cast<const float*>(b.first),
                        static_cast<float*>(const_cast<void*>(c.first)), size_.m, size_.n, size_.k);
    // Of a kernel of boxes: no list of pieces of tiles, no rounds; all tiles are whole.
    alignas(16) unsigned char nothing[64]{};
    float alpha = 1;
    const void* product = c.first;  // a native kernel of boxes stores to it
    std::array<void*, 7> arguments{nullptr, nullptr, nullptr, &size_, nothing, nothing, &alpha};
    for (std::size_t i = 0; i < arrays_.size(); ++i) arguments[i] = &arrays_[i];
    for (std::size_t i = 0; kernel_->boxes && i < maps_.size(); ++i)
        if (kernel_->is_native)
            arguments[i] = &maps_[i].engine;
        else
            arguments[i] = &maps_[i];
    if (kernel_->is_native) arguments[2] = &product;
    return cudaLaunchKernel(kernel_->function, dim3(shape_.grid_x, shape_.grid_y),
                            dim3(shape_.block_x, shape_.block_y), arguments.data(),
                            shape_.dynamic_shared_bytes, nullptr);
}

}  // namespace tilereel
