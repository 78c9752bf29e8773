#pragma once
// Races on the CPU: the ladder's CPU kernels and OpenBLAS, on the same number of threads.
#include <functional>
#include <memory>
#include <vector>

#include "app/race/race.h"

namespace tilereel {

struct CpuMatrices {
    ProductSize size;
    const float* a = nullptr;  // M x K
    const float* b = nullptr;  // K x N
    float* c = nullptr;        // M x N
};
// A kernel that runs on the CPU. May return early once `cancel` is set.
struct CpuKernel {
    std::string id;  // as in the catalogue
    std::function<void(const CpuMatrices&, const Contender&, int threads,
                       const std::atomic<bool>& cancel)>
        multiply;
};
[[nodiscard]] std::vector<CpuKernel> cpu_kernels();  // of the ladder

struct CpuRunnerOptions {
    int threads = 0;        // 0: one a core
    bool reference = true;  // OpenBLAS, where it is
    bool measure_roofs = true;
};
[[nodiscard]] std::unique_ptr<Runner> make_cpu_runner(
    const CpuRunnerOptions& options = {}, std::vector<CpuKernel> kernels = cpu_kernels());

}  // namespace tilereel
