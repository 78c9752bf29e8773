#include <cuda_runtime.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/cuda/champion.h"
#include "kernels/cuda/cuda_handles.cuh"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/kernel_launch.cuh"
#include "kernels/reference.h"
#include "tests/hardware/launch_case.h"

namespace tilereel::hardware {
namespace {

struct FreeDevice {
    void operator()(float* memory) const { static_cast<void>(cudaFree(memory)); }
};
using Matrix = std::unique_ptr<float, FreeDevice>;

// Copies, because a memset may be a kernel of its own.
Result<Matrix> on_gpu(const std::vector<float>& values, std::size_t offset = 0) {
    float* memory = nullptr;
    cudaError_t error = cudaMalloc(&memory, (values.size() + offset) * sizeof(float));
    Matrix matrix(error == cudaSuccess ? memory : nullptr);
    if (error == cudaSuccess)
        error = cudaMemcpy(memory + offset, values.data(), values.size() * sizeof(float),
                           cudaMemcpyHostToDevice);
    if (const Status copied = cuda_status(error, "take a matrix"); !copied) return copied.error();
    return Result<Matrix>(std::move(matrix));
}

const DeviceKernel* find(Build build, const Case& each) {
    const auto kernels = build == Build::kNative ? native_kernels() : as_written_kernels();
    const auto found = std::ranges::find_if(kernels, [&](const DeviceKernel& kernel) {
        return kernel.id == each.kernel && kernel.tile == each.parameters.tile &&
               kernel.pad == each.parameters.pad;
    });
    return found == kernels.end() ? nullptr : &*found;
}

}  // namespace

Status launch_case(Build build, const Case& each) {
    const KernelParameters& p = each.parameters;
    const Result<LaunchShape> shape = validate(*find_kernel(each.kernel), p);
    if (!shape) return shape.error();
    const Inputs inputs = random_inputs(p.m, p.n, p.k, 1);
    std::vector<float> product(std::size_t(p.m) * std::size_t(p.n),
                               std::numeric_limits<float>::quiet_NaN());
    Result<Matrix> a = on_gpu(inputs.a), b = on_gpu(inputs.b), c = on_gpu(product);
    for (const Result<Matrix>* matrix : {&a, &b, &c})
        if (!*matrix) return matrix->error();
    const DeviceKernel* kernel = find(build, each);
    check(kernel != nullptr);
    if (build == Build::kAsWritten)
        if (const Status edge = set_as_written_block_edge(p.tile); !edge) return edge;
    const auto array = [](const Result<Matrix>& matrix, const std::vector<float>& values,
                          std::uint32_t number) {
        return DeviceArray{matrix->get(), static_cast<std::uint32_t>(values.size()), number, 0};
    };
    Result<KernelLaunch> launch = KernelLaunch::make(
        *kernel, p, *shape, {array(a, inputs.a, 0), array(b, inputs.b, 1), array(c, product, 2)});
    if (!launch) return launch.error();
    cudaError_t error = launch.value().start();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(product.data(), c->get(), product.size() * sizeof(float),
                           cudaMemcpyDeviceToHost);
    if (const Status ran = cuda_status(error, "run the kernel"); !ran) return ran;
    return check_product(inputs.a, inputs.b, product, p.m, p.n, p.k);
}

Status launch_champion(const ChampionCase& each) {
    const auto& [size, choice, offset] = each;
    auto plan = ChampionPlan::make(size, nullptr, choice);
    if (!plan) return plan.error();
    const Inputs inputs = random_inputs(size.m, size.n, size.k, 1);
    std::vector<float> product(std::size_t(size.m) * std::size_t(size.n),
                               std::numeric_limits<float>::quiet_NaN());
    const Result<Matrix> a = on_gpu(inputs.a, offset), b = on_gpu(inputs.b, offset),
                         c = on_gpu(product, offset);
    for (const Result<Matrix>* matrix : {&a, &b, &c})
        if (!*matrix) return matrix->error();
    float* const to = c->get() + offset;
    const Status launched = plan->launch(a->get() + offset, b->get() + offset, to);
    if (!launched) return launched;
    const Status ran = cuda_status(
        cudaMemcpy(product.data(), to, product.size() * sizeof(float), cudaMemcpyDeviceToHost),
        "run the kernel");
    if (!ran) return ran;
    return check_product(inputs.a, inputs.b, product, size.m, size.n, size.k);
}

std::string toolkit_version() {
    return std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
}

}  // namespace tilereel::hardware
