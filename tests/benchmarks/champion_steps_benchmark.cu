// The gain of each idea of 20_champion: the kernel, variants of it with one idea changed each
// (champion_steps.py) and cuBLAS (pedantic FP32) on a Hopper, interleaved in one process. Medians
// of event times, tiles of 256 x 128; every variant's C is checked before it is timed. CSV on
// stdout.
//   champion_steps_benchmark [N ...]        4096 and 8192 without any
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/race/gpu/gpu_matrices.h"
#include "kernels/cuda/champion/champion.h"
#include "tests/benchmarks/champion_steps.h"
#include "tests/benchmarks/interleaved_medians.h"

namespace tilereel {
namespace {

constexpr int kRounds = 11;

struct Variant {
    std::string name;
    ChampionPlan plan;
    bool verified;
};

Result<std::vector<Variant>> prepare(const ProductSize& size, GpuMatrices& matrices,
                                     const Cublas& cublas) {
    std::vector<Variant> variants;
    const GpuSet set = matrices.first();
    for (const ChampionStep& step : champion_steps()) {
        const bool stream_k = std::string_view(step.name) != "without stream-K";
        auto plan = ChampionPlan::make_with(step.kernel, {size.m, size.n, size.k},
                                            {.config = 0, .stream_k = stream_k});
        if (!plan) return plan.error();
        if (const Status poisoned = matrices.poison(); !poisoned) return poisoned.error();
        if (const Status ran = plan->launch(set.floats_of_a(), set.floats_of_b(), set.c); !ran)
            return ran.error();
        const auto checked = matrices.check(&cublas);
        if (!checked) return checked.error();
        variants.push_back({step.name, *std::move(plan), checked->outcome == Outcome::kVerified});
    }
    return Result<std::vector<Variant>>(std::move(variants));
}

Status measure(const ProductSize& size, const Cublas& cublas, const std::string& machine) {
    auto matrices = GpuMatrices::make(size, InputType::kFloat32, 0, 1);
    if (!matrices) return matrices.error();
    auto variants = prepare(size, *matrices, cublas);
    if (!variants) return variants.error();
    const GpuSet set = matrices->first();
    std::vector<Launch> racers{
        [&] { return cublas.multiply(size, set.floats_of_a(), set.floats_of_b(), set.c); }};
    for (Variant& each : *variants)
        racers.emplace_back(
            [&] { return each.plan.launch(set.floats_of_a(), set.floats_of_b(), set.c); });
    const std::vector<double> us = interleaved_medians(1, kRounds, racers);
    const auto print = [&](const std::string& name, double each, bool verified) {
        std::printf("%d,%s,%.1f,%.0f,%.3f,%.3f,%s,%s\n", size.n, name.c_str(), each,
                    gflops_at(size, each / 1e3), us[1] / each, us[0] / each,
                    verified ? "yes" : "no", machine.c_str());
    };
    for (std::size_t i = 0; i < variants->size(); ++i)
        print((*variants)[i].name, us[i + 1], (*variants)[i].verified);
    print("cuBLAS", us[0], true);
    std::fflush(stdout);
    return Done{};
}

int run(int count, char** arguments) {
    const auto fail = [](const Error& error) {
        std::fprintf(stderr, "champion_steps_benchmark: %s\n", error.message.c_str());
        return 1;
    };
    const auto gpu = use_first_gpu();
    if (!gpu) return fail(gpu.error());
    const auto cublas = Cublas::open();
    if (!cublas) return fail(cublas.error());
    std::vector<int> extents;
    for (int i = 1; i < count; ++i) extents.push_back(std::atoi(arguments[i]));
    if (extents.empty()) extents = {4096, 8192};
    std::printf("n,variant,us,gflops,of_whole,of_cublas,verified,%s\n", kMachineColumns);
    for (const int n : extents) {
        const Status measured = measure({n, n, n}, *cublas, machine_fields(gpu->name, *cublas));
        if (!measured) return fail(measured.error());
    }
    return 0;
}

}  // namespace
}  // namespace tilereel

int main(int count, char** arguments) { return tilereel::run(count, arguments); }
