#include "app/race/runners/gpu_runner.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "app/race/gpu/gpu_clock.h"
#include "app/race/gpu/gpu_machine.h"
#include "app/race/gpu/gpu_matrices.h"
#include "app/race/gpu/nvml.h"
#include "kernels/catalog.h"
#include "kernels/cuda/champion/champion.h"
#include "kernels/cuda/device_kernels.h"

namespace tilereel {
namespace {

const DeviceKernel* find_native(const Contender& contender) {
    const auto kernels = native_kernels();
    const auto found = std::ranges::find_if(kernels, [&](const DeviceKernel& kernel) {
        return kernel.id == contender.kernel && kernel.tile == contender.tile &&
               kernel.pad == contender.pad;
    });
    return found == kernels.end() ? nullptr : &*found;
}

// A launch that the kernel takes, for a query of its resources. Most kernels take 1024 cubed; some
// need K = TILE, or everything in one block.
std::optional<LaunchShape> some_launch(const KernelInfo& kernel, const Contender& contender) {
    for (const auto& [edge, depth] : {std::pair{1024, 1024}, {1024, contender.tile}, {32, 32}}) {
        const auto shape = validate(
            kernel,
            {.m = edge, .n = edge, .k = depth, .tile = contender.tile, .pad = contender.pad});
        if (shape) return *shape;
    }
    return std::nullopt;
}

// The dynamic shared memory, in bytes, of a launch with a square block of about `threads` threads.
std::size_t dynamic_bytes(const KernelInfo& kernel, int pad, int threads) {
    const int edge = static_cast<int>(std::sqrt(threads));
    const auto shape =
        kernel.launch_shape({.m = edge, .n = edge, .k = edge, .tile = edge, .pad = pad});
    return shape ? shape->dynamic_shared_bytes : 0;
}

class GpuRunner : public Runner {
  public:
    GpuRunner(const GpuRunnerOptions& options, const cudaDeviceProp& properties, CudaEvent begin,
              CudaEvent end, GpuClock clock)
        : options_(options),
          properties_(properties),
          begin_(std::move(begin)),
          end_(std::move(end)),
          clock_(std::move(clock)) {
        if (options.reference)
            if (auto cublas = Cublas::open()) cublas_ = *std::move(cublas);
        if (auto nvml = Nvml::open(pci_bus_id())) nvml_ = *std::move(nvml);
    }

    RaceMachine machine(const std::atomic<bool>&) override {
        if (!machine_)
            machine_ =
                gpu_machine(properties_, cublas_ ? cublas_->version() : "", options_.measure_roofs);
        return *machine_;
    }

    Result<KernelResources> resources(const Contender& contender) override;

    Status prepare(const ProductSize& size, Caches caches, std::uint64_t seed) override {
        release();  // frees the memory of the previous size
        const int l2_bytes = properties_.l2CacheSize;
        prepared_ = {
            .size = size,
            .cache_bytes = caches == Caches::kCold ? static_cast<std::uint64_t>(l2_bytes) : 0,
            .seed = seed};
        return Done{};
    }

    void release() override {
        matrices_ = {};
        champion_.reset();
    }

    Result<Verified> verify(const Contender& contender, const std::atomic<bool>& cancel) override {
        const auto launch = TRY(launch_of(contender));
        GpuMatrices& matrices = *launch.matrices;
        TRY(matrices.poison(launch.own != nullptr));
        TRY(start(launch, matrices.first()));
        const Status ran = race_status(cudaDeviceSynchronize(), "run the kernel");
        if (!ran && launch.own)
            return failed(contender.kernel + " ends the race of all: " + ran.error().message);
        if (!ran) return ran.error();
        if (cancel) return cancelled();
        if (launch.own) TRY(note_first_launch(launch));
        return launch.is_reference() ? matrices.check_reference() : check(matrices);
    }

    Result<double> time(const Contender& contender, int launches,
                        const std::atomic<bool>& cancel) override {
        const auto launch = TRY(launch_of(contender));
        if (launch.own) return time_own(launch, launches, cancel);
        TRY(race_status(cudaEventRecord(begin_.get()), "start its clock"));
        TRY(start_each(launch, launches, cancel));
        cudaError_t error = cudaEventRecord(end_.get());
        if (nvml_) conditions_ = nvml_->conditions();  // while the GPU works
        if (error == cudaSuccess) error = cudaEventSynchronize(end_.get());
        float milliseconds = 0;
        if (error == cudaSuccess)
            error = cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get());
        TRY(race_status(error, "run the kernel"));
        if (cancel) return cancelled();
        return double{milliseconds} / launches;
    }

    Conditions conditions() override { return conditions_; }

  private:
    struct Launch {
        GpuMatrices* matrices = nullptr;
        const DeviceKernel* kernel = nullptr;
        ChampionPlan* champion = nullptr;
        const OwnKernel* own = nullptr;
        // cuBLAS has none of them.
        [[nodiscard]] bool is_reference() const { return !kernel && !champion && !own; }
    };

    Result<Launch> launch_of(const Contender& contender);
    Result<Verified> check(GpuMatrices& matrices) {
        return matrices.check(cublas_ ? &*cublas_ : nullptr);
    }
    // Of a kernel of the user's own, which is not believed: see work_runner.h.
    Status note_first_launch(const Launch& launch);
    Result<double> time_own(const Launch& launch, int launches, const std::atomic<bool>& cancel);
    Result<Launch> launch_of_champion();
    // Those of the prepared size, made when a contender first wants them.
    Result<GpuMatrices*> matrices_of(InputType inputs);
    // Returns without waiting for the launch.
    Status start(const Launch& launch, const GpuSet& set) const;
    // Launches that are already queued when the race is cancelled still run. This takes little
    // time, because a sample of long launches has only one.
    Status start_each(const Launch& launch, int launches, const std::atomic<bool>& cancel) const {
        for (int each = 0; each < launches && !cancel; ++each)
            TRY(start(launch, launch.matrices->next()));
        return Done{};
    }

    GpuRunnerOptions options_;
    cudaDeviceProp properties_;
    CudaEvent begin_, end_;
    GpuClock clock_;
    // By OwnKernel::name: the time of a first launch with new inputs.
    std::map<std::string, std::optional<double>> first_ms_of_;
    std::optional<Cublas> cublas_;
    std::optional<Nvml> nvml_;
    std::optional<RaceMachine> machine_;
    struct Prepared {
        ProductSize size{};
        std::uint64_t cache_bytes = 0, seed = 0;
    } prepared_;
    std::array<std::optional<GpuMatrices>, 2> matrices_;  // by InputType
    std::optional<ChampionPlan> champion_;                // for the prepared size
    Conditions conditions_;
};

// The champion's plan is made once for each size. Its launches can share it, because they run one
// after another in one stream.
Result<GpuRunner::Launch> GpuRunner::launch_of_champion() {
    const ProductSize& size = prepared_.size;
    if (!champion_) {
        auto plan = TRY(ChampionPlan::make({size.m, size.n, size.k}));
        champion_ = std::move(plan);
    }
    return Launch{.matrices = TRY(matrices_of(InputType::kFloat32)), .champion = &*champion_};
}

Result<GpuMatrices*> GpuRunner::matrices_of(InputType inputs) {
    std::optional<GpuMatrices>& matrices = matrices_[static_cast<std::size_t>(inputs)];
    if (!matrices) {
        auto made =
            TRY(GpuMatrices::make(prepared_.size, inputs, prepared_.cache_bytes, prepared_.seed));
        matrices = std::move(made);
    }
    return &*matrices;
}

Result<GpuRunner::Launch> GpuRunner::launch_of(const Contender& contender) {
    if (chooses_tiles(contender)) return launch_of_champion();
    if (contender.kernel == kCublas || contender.kernel == kCublasBf16) {
        if (!cublas_) return wrong_call("cuBLAS is not on this machine");
        return Launch{.matrices = TRY(matrices_of(inputs_of(contender)))};
    }
    if (is_own(contender)) {
        const auto own = std::ranges::find(options_.own, contender.kernel, &OwnKernel::name);
        if (own == options_.own.end())
            return wrong_call(contender.kernel + " is a file that was raced elsewhere");
        TRY(takes(*own, prepared_.size));
        return Launch{.matrices = TRY(matrices_of(InputType::kFloat32)), .own = &*own};
    }
    const KernelInfo* const info = find_kernel(contender.kernel);
    const DeviceKernel* const kernel = find_native(contender);
    if (!info || info->on_cpu || !kernel)
        return wrong_call(contender.kernel + " does not run on a GPU; race it on the CPU");
    const int has = properties_.major * 10 + properties_.minor;
    TRY(runs_on(*info, has));
    const ProductSize& size = prepared_.size;
    TRY(validate(
        *info,
        {.m = size.m, .n = size.n, .k = size.k, .tile = contender.tile, .pad = contender.pad}));
    return Launch{.matrices = TRY(matrices_of(info->inputs)), .kernel = kernel};
}

Status GpuRunner::start(const Launch& launch, const GpuSet& set) const {
    const ProductSize& size = launch.matrices->size();
    if (launch.champion)
        return launch.champion->launch(set.floats_of_a(), set.floats_of_b(), set.c);
    if (launch.own)
        return race_status(
            static_cast<cudaError_t>(launch.own->launch(set.floats_of_a(), set.floats_of_b(), set.c,
                                                        size.m, size.n, size.k)),
            "start the kernel");
    if (launch.is_reference())
        return launch.matrices->inputs() == InputType::kFloat32
                   ? cublas_->multiply(size, set.floats_of_a(), set.floats_of_b(), set.c)
                   : cublas_->multiply_bf16(size, set.a, set.b, set.c);
    return race_status(
        start_kernel(launch.kernel->launch, set.a, set.b, set.c, size.m, size.n, size.k),
        "start the kernel");
}

// The second set has other inputs, which the kernel has not seen.
Status GpuRunner::note_first_launch(const Launch& launch) {
    std::optional<double>& first = first_ms_of_[launch.own->name];
    first.reset();
    if (launch.matrices->sets() < 2) return Done{};
    const Lap lap = TRY(clock_.time([&] { return start(launch, launch.matrices->second()); }));
    first = lap.device_ms;
    return Done{};
}

// The first C is overwritten before the launches and checked after them, and the time runs until
// the whole device is idle if the kernel works in other streams.
Result<double> GpuRunner::time_own(const Launch& launch, int launches,
                                   const std::atomic<bool>& cancel) {
    GpuMatrices& matrices = *launch.matrices;
    TRY(matrices.poison(true));
    matrices.restart();  // the next set is the first one
    const Lap lap = TRY(clock_.time([&] { return start_each(launch, launches, cancel); }));
    if (nvml_) conditions_ = nvml_->conditions();
    if (cancel) return cancelled();
    const Verified verified = TRY(matrices.check_again());
    if (verified.outcome != Outcome::kVerified)
        return failed("a timed launch was wrong: " + verified.sentence);
    const double each = (works_elsewhere(lap) ? lap.device_ms : lap.stream_ms) / launches;
    if (std::string kept = kept_results(first_ms_of_[launch.own->name], each); !kept.empty())
        return failed(std::move(kept));
    return each;
}

Result<KernelResources> GpuRunner::resources(const Contender& contender) {
    const KernelInfo* const info = find_kernel(contender.kernel);
    const DeviceKernel* const kernel = find_native(contender);
    const auto shape = info && kernel ? some_launch(*info, contender) : std::nullopt;
    if (!shape) return failed("CUDA reports no resources for " + name_of(contender));
    TRY(allow_shared_bytes(kernel->function, shape->dynamic_shared_bytes, kRaceOnTheCpu));
    KernelResources resources{.dynamic_shared_bytes = shape->dynamic_shared_bytes,
                              .block_threads = static_cast<int>(shape->block_x * shape->block_y)};
    cudaFuncAttributes attributes{};
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel->function);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &resources.blocks_per_multiprocessor, kernel->function, resources.block_threads,
            resources.dynamic_shared_bytes);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxPotentialBlockSizeVariableSMem(
            &resources.suggested_grid_blocks, &resources.suggested_block_threads, kernel->function,
            [&](int threads) { return dynamic_bytes(*info, contender.pad, threads); });
    TRY(race_status(error, "report the resources of a kernel"));
    resources.registers_per_thread = attributes.numRegs;
    resources.static_shared_bytes = attributes.sharedSizeBytes;
    resources.local_bytes = attributes.localSizeBytes;
    return resources;
}

}  // namespace

Result<std::unique_ptr<Runner>> make_gpu_runner(const GpuRunnerOptions& options) {
    const auto properties = TRY(use_first_gpu(kRaceOnTheCpu));
    auto begin = TRY(make_event());
    auto end = TRY(make_event());
    auto clock = TRY(GpuClock::make());
    return std::unique_ptr<Runner>(std::make_unique<GpuRunner>(
        options, properties, std::move(begin), std::move(end), std::move(clock)));
}

}  // namespace tilereel
