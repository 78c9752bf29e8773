// The ladder's CPU kernels for races.
#include "app/race/runners/cpu_runner.h"
#include "kernels/cpu/cpu_kernels.h"

namespace tilereel {

std::vector<CpuRacer> cpu_racers() {
    std::vector<CpuRacer> racers;
    for (const CpuKernel& kernel : cpu_kernels())
        racers.push_back(
            {{std::string(kernel.id), kernel.tile, kernel.pad},
             [&kernel](const CpuMatrices& m, int threads, const std::atomic<bool>& cancel) {
                 kernel.run({m.a, m.b, m.c, m.size.m, m.size.n, m.size.k},
                            static_cast<unsigned>(threads), &cancel);
             }});
    return racers;
}

}  // namespace tilereel
