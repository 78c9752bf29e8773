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
struct CpuRacer {
    Contender contender;
    std::function<void(const CpuMatrices&, int threads, const std::atomic<bool>& cancel)> multiply;
};
[[nodiscard]] std::vector<CpuRacer> cpu_racers();  // the ladder's CPU kernels

struct CpuRunnerOptions {
    int threads = 0;        // 0: one for each hardware thread
    bool reference = true;  // with OpenBLAS, if it is installed
    bool measure_roofs = true;
    // Beside a window: the calling thread and the threads that it starts get a low priority.
    bool lower_priority = false;
};
[[nodiscard]] std::unique_ptr<Runner> make_cpu_runner(const CpuRunnerOptions& options = {},
                                                      std::vector<CpuRacer> racers = cpu_racers());

}  // namespace tilereel
