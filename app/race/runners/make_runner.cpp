#include "app/race/runners/make_runner.h"

#include "app/race/runners/cpu_runner.h"
#include "app/race/runners/gpu_runner.h"

namespace tilereel {

FoundRunner make_runner(const RunnerOptions& options) {
    auto gpu = make_gpu_runner({.reference = options.reference});
    if (gpu) return {.runner = *std::move(gpu), .why_no_gpu = ""};
    return {.runner = make_cpu_runner({.threads = options.threads,
                                       .reference = options.reference,
                                       .lower_priority = options.lower_priority}),
            .why_no_gpu = gpu.error().message};
}

}  // namespace tilereel
