#include <limits>

#include "kernels/cuda/champion/champion.h"
#include "kernels/reference.h"
#include "tests/hardware/gpu_matrix.cuh"
#include "tests/hardware/launch_champion.h"

namespace tilereel::hardware {

Status launch_champion(const ChampionCase& each) {
    const auto& [size, choice, offset] = each;
    auto plan = ChampionPlan::make(size, nullptr, choice);
    if (!plan) return plan.error();
    const Inputs inputs = random_inputs(size.m, size.n, size.k, 1);
    std::vector<float> product(std::size_t(size.m) * std::size_t(size.n),
                               std::numeric_limits<float>::quiet_NaN());
    const Result<Matrix> a = copy_to_gpu(inputs.a, offset), b = copy_to_gpu(inputs.b, offset),
                         c = copy_to_gpu(product, offset);
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
