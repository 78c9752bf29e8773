#include "app/race/gpu/gpu_roofs.h"

#include <algorithm>
#include <functional>

#include "app/race/gpu/gpu_tools.h"
#include "app/race/gpu/on_gpu.h"

namespace tilereel {
namespace {

// The time for repetitions of a measurement. The fastest run is used, because a roof is an upper
// bound.
constexpr double kTriesMs = 250;

Result<double> quickest_ms(const std::function<cudaError_t()>& start) {
    const auto begin = make_event(), end = make_event();
    if (!begin) return begin.error();
    if (!end) return end.error();
    double best = 1e9, all = 0;
    while (all < kTriesMs) {
        cudaError_t error = cudaEventRecord(begin->get());
        if (error == cudaSuccess) error = start();
        if (error == cudaSuccess) error = cudaEventRecord(end->get());
        if (error == cudaSuccess) error = cudaEventSynchronize(end->get());
        float milliseconds = 0;
        if (error == cudaSuccess)
            error = cudaEventElapsedTime(&milliseconds, begin->get(), end->get());
        TRY(race_status(error, "measure its roofs"));
        best = std::min(best, double{milliseconds});
        all += std::max(double{milliseconds}, 0.01);
    }
    return best;
}

}  // namespace

Result<double> measure_gpu_copy_gbs(std::uint64_t l2_bytes) {
    const std::uint64_t bytes = std::max<std::uint64_t>(8 * l2_bytes, 256u << 20) / 16 * 16;
    auto to = device_memory(bytes), from = device_memory(bytes);
    if (!to) return to.error();
    if (!from) return from.error();
    const auto milliseconds =
        quickest_ms([&] { return start_copy(to->get(), from->get(), bytes); });
    if (!milliseconds) return milliseconds.error();
    return 2.0 * double(bytes) / *milliseconds / 1e6;
}

Result<double> measure_gpu_fma_gflops(int multiprocessors) {
    constexpr int kSteps = 1 << 14, kBlocksEach = 8;  // per multiprocessor: 2048 threads
    const int blocks = multiprocessors * kBlocksEach;
    auto to = TRY(device_memory(std::uint64_t(blocks) * kChainThreads * sizeof(float)));
    const auto milliseconds =
        quickest_ms([&] { return start_chains(static_cast<float*>(to.get()), blocks, kSteps); });
    if (!milliseconds) return milliseconds.error();
    return 2.0 * kChains * kSteps * kChainThreads * blocks / *milliseconds / 1e6;
}

}  // namespace tilereel
