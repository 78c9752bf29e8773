// Launches the ladder's CUDA files, one case after another, for Nsight Compute and
// compute-sanitizer (measure.py). Built twice: ladder_as_written and ladder_as_compiled.
//   ladder_as_... launch [KERNEL]  the launches that `gpu_tables cases` lists, in its order
//   ladder_as_... run [KERNEL]     small ones
//   ladder_as_... estimated        those whose estimates are compared (pipes.py); C is not checked
// Exit codes: 0, 1 a launch failed or its C is wrong, 2 a wrong call, 77 there is no GPU.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

#include "kernels/reference.h"
#include "tests/hardware/cases.h"
#include "tests/hardware/gpu_matrix.cuh"
#include "tests/hardware/native_ladder.h"

namespace tilereel::hardware {
namespace {

LaunchFunction find(const Case& each) {
    for (const auto& launches :
         {native_ladder_75(), native_ladder_80(), native_ladder_90(), native_ladder_90a()}) {
        const auto found = std::ranges::find_if(launches, [&](const LadderLaunch& launch) {
            return launch.kernel == each.kernel && launch.tile == each.parameters.tile &&
                   launch.pad == each.parameters.pad;
        });
        if (found != launches.end()) return found->launch;
    }
    return nullptr;
}

// Launches exactly one kernel, so that a profiler's n-th launch is the n-th case.
Status launch_case(const Case& each) {
    const LaunchFunction launch = find(each);
    if (launch == nullptr) return failed("is not compiled with this TILE and PAD");
    const KernelParameters& p = each.parameters;
    const InputType type = find_kernel(each.kernel)->inputs;
    const Inputs inputs = random_inputs(p.m, p.n, p.k, 1);  // small integers, exact in both types
    std::vector<float> product(std::size_t(p.m) * std::size_t(p.n),
                               std::numeric_limits<float>::quiet_NaN());
    const Result<Matrix> a = copy_to_gpu(inputs.a, 0, type), b = copy_to_gpu(inputs.b, 0, type),
                         c = copy_to_gpu(product);
    for (const Result<Matrix>* matrix : {&a, &b, &c})
        if (!*matrix) return matrix->error();
    launch(a->get(), b->get(), c->get(), p.m, p.n, p.k);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(product.data(), c->get(), product.size() * sizeof(float),
                           cudaMemcpyDeviceToHost);
    if (const Status ran = cuda_status(error, "run the kernel"); !ran) return ran;
    return check_product(inputs.a, inputs.b, product, p.m, p.n, p.k);
}

// In the order of estimated_cases().
Status launch_estimated() {
    Matrix a, b, c;
    int extent = 0;
    for (const Case& each : estimated_cases()) {
        const LaunchFunction launch = find(each);
        if (launch == nullptr) return failed("is not compiled with this TILE and PAD");
        const int n = each.parameters.n;
        if (n != extent) {
            const Inputs inputs = random_inputs(n, n, n, 1);
            for (const auto& [matrix, values] :
                 {std::pair(&a, &inputs.a), {&b, &inputs.b}, {&c, &inputs.b}}) {
                Result<Matrix> copied = copy_to_gpu(*values);
                if (!copied) return copied.error();
                *matrix = std::move(*copied);
            }
            extent = n;
        }
        launch(a.get(), b.get(), c.get(), n, n, n);
        if (const Status ran = cuda_status(cudaDeviceSynchronize(), "run the kernel"); !ran)
            return ran.error();
    }
    return Done{};
}

int run(const std::string& command, const std::string& kernel) {
    constexpr int kFailed = 1, kWrongCall = 2, kNoGpu = 77;
    const Result<cudaDeviceProp> gpu = use_first_gpu();
    if (!gpu) {
        std::fprintf(stderr, "skipped: %s\n", gpu.error().message.c_str());
        return kNoGpu;
    }
    if (command == "estimated") {
        const Status launched = launch_estimated();
        if (!launched) std::fprintf(stderr, "%s\n", launched.error().message.c_str());
        return launched ? 0 : kFailed;
    }
    if (command != "launch" && command != "run") return kWrongCall;
    const Chosen chosen{kernel, gpu->major * 10 + gpu->minor};
    for (const Case& each : command == "launch" ? counted_cases(chosen) : small_cases(chosen))
        if (const Status launched = launch_case(each); !launched) {
            std::fprintf(stderr, "%s, TILE %d, PAD %d: %s\n", std::string(each.kernel).c_str(),
                         each.parameters.tile, each.parameters.pad,
                         launched.error().message.c_str());
            return kFailed;
        }
    return 0;
}

}  // namespace
}  // namespace tilereel::hardware

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) return 2;
    return tilereel::hardware::run(argv[1], argc > 2 ? argv[2] : "");
}
