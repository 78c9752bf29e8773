// Times 20_champion and cuBLAS (pedantic FP32) on a Hopper GPU, interleaved in one process. Prints
// medians of event times, for single launches and for 20 launches back to back. C is checked before
// a size is timed.
//   champion_benchmark [--csv] [--random COUNT [--seed SEED] | N | MxNxK ...]
// --random: sizes of random_sizes.h; the shares of them at which 20_champion is ahead come last.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "app/race/gpu/gpu_matrices.h"
#include "kernels/cuda/champion/champion.h"
#include "tests/benchmarks/interleaved_medians.h"
#include "tests/benchmarks/random_sizes.h"

namespace tilereel {
namespace {

constexpr int kRounds = 15, kFewRounds = 7, kBackToBack = 20;

struct Measured {
    ProductSize size;
    // Microseconds of a launch, of cuBLAS [0] and 20_champion [1]: launched one by one, back to
    // back.
    std::vector<double> one, many;
    bool verified = false;
    std::string config;
};

void print_line(const Measured& m) {
    std::printf("%-16s %9.1f %9.1f %6.3f   %9.1f %9.1f %6.3f   %6.0f %6.0f  %-8s %s\n",
                name_of(m.size).c_str(), m.one[0], m.one[1], m.one[0] / m.one[1], m.many[0],
                m.many[1], m.many[0] / m.many[1], gflops_at(m.size, m.many[0] / 1e3),
                gflops_at(m.size, m.many[1] / 1e3), m.verified ? "verified" : "WRONG",
                m.config.c_str());
}

void print_row(const Measured& m, const std::string& machine) {
    std::printf("%d,%d,%d,%.2f,%.2f,%.3f,%.2f,%.2f,%.3f,%.0f,%.0f,%s,%s,%s\n", m.size.m, m.size.n,
                m.size.k, m.one[0], m.one[1], m.one[0] / m.one[1], m.many[0], m.many[1],
                m.many[0] / m.many[1], gflops_at(m.size, m.many[0] / 1e3),
                gflops_at(m.size, m.many[1] / 1e3), m.verified ? "yes" : "no", m.config.c_str(),
                machine.c_str());
}

Result<Measured> measure(const Cublas& cublas, const ProductSize& size) {
    auto matrices = GpuMatrices::make(size, InputType::kFloat32, 0, 1);
    if (!matrices) return matrices.error();
    auto plan = ChampionPlan::make({size.m, size.n, size.k});
    if (!plan) return plan.error();
    const GpuSet set = matrices->first();
    const std::vector<Launch> racers{
        [&] { return cublas.multiply(size, set.floats_of_a(), set.floats_of_b(), set.c); },
        [&] { return plan->launch(set.floats_of_a(), set.floats_of_b(), set.c); }};
    if (const Status poisoned = matrices->poison(); !poisoned) return poisoned.error();
    if (const Status launched = racers[1](); !launched) return launched.error();
    const auto verified = matrices->check(&cublas);
    if (!verified) return verified.error();
    constexpr double kLongUs = 1e3;
    const auto one = interleaved_medians(1, flops(size) > 1e12 ? kFewRounds : kRounds, racers);
    const auto many = one[0] > kLongUs ? one : interleaved_medians(kBackToBack, kRounds, racers);
    return Measured{size, one, many, verified->outcome == Outcome::kVerified,
                    name_of(plan->choice())};
}

// The shares of sizes at which cuBLAS takes at least as long as 20_champion, by one kind of launch.
void print_shares(const char* launched, std::vector<double> ratios) {
    if (ratios.empty()) return;
    std::ranges::sort(ratios);
    int ahead = 0, near = 0;
    double logarithms = 0;
    for (const double ratio : ratios) {
        ahead += ratio >= 1.0 ? 1 : 0;
        near += ratio >= 0.95 ? 1 : 0;
        logarithms += std::log(ratio);
    }
    const auto count = static_cast<double>(ratios.size());
    std::fprintf(stderr,
                 "%-12s %d of %.0f at 1.00 or more, %d at 0.95 or more, geometric mean %.3f, "
                 "lowest %.3f, median %.3f\n",
                 launched, ahead, count, near, std::exp(logarithms / count), ratios.front(),
                 ratios[ratios.size() / 2]);
}

struct Options {
    bool csv = false;
    std::vector<ProductSize> sizes;
};

Options options_of(int count, char** arguments) {
    Options options;
    int random = 0;
    unsigned seed = 1;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        ProductSize size;
        if (argument == "--csv") {
            options.csv = true;
        } else if (argument == "--random" && i + 1 < count) {
            random = std::atoi(arguments[++i]);
        } else if (argument == "--seed" && i + 1 < count) {
            seed = static_cast<unsigned>(std::strtoul(arguments[++i], nullptr, 10));
        } else {
            if (std::sscanf(arguments[i], "%dx%dx%d", &size.m, &size.n, &size.k) == 1)
                size.n = size.k = size.m;
            if (size.m > 0 && size.n > 0 && size.k > 0) options.sizes.push_back(size);
        }
    }
    if (random > 0) options.sizes = random_sizes(random, seed);
    if (!options.sizes.empty()) return options;
    for (const int n : {64, 128, 256, 511, 512, 1024, 2048, 4096, 8192, 16384, 4095})
        options.sizes.push_back({n, n, n});
    for (const ProductSize& size : {ProductSize{1000, 3000, 700},
                                    {64, 8192, 8192},
                                    {8192, 64, 8192},
                                    {127, 129, 4096},
                                    {1, 4096, 4096}})
        options.sizes.push_back(size);
    return options;
}

int run(int count, char** arguments) {
    const auto fail = [](const Error& error) {
        std::fprintf(stderr, "champion_benchmark: %s\n", error.message.c_str());
        return 1;
    };
    const auto gpu = use_first_gpu();
    if (!gpu) return fail(gpu.error());
    const auto cublas = Cublas::open();
    if (!cublas) return fail(cublas.error());
    const auto [csv, sizes] = options_of(count, arguments);
    std::vector<double> one_by_one, back_to_back;
    const std::string machine = machine_fields(gpu->name, *cublas);
    if (csv)
        std::printf(
            "m,n,k,cublas_us,champion_us,ratio,cublas_us_back_to_back,champion_us_back_to_back,"
            "ratio_back_to_back,cublas_gflops,champion_gflops,verified,configuration,%s\n",
            kMachineColumns);
    else
        std::printf("%s, pedantic. Microseconds.\n%-16s %9s %9s %6s   %9s %9s %6s   %6s\n",
                    machine.c_str(), "M x N x K", "cuBLAS", "20", "ratio", "cuBLAS x20", "20 x20",
                    "ratio", "GFLOPS");
    static_cast<void>(measure(*cublas, {4096, 4096, 4096}));  // warms the GPU up
    for (const ProductSize& size : sizes) {
        const Result<Measured> measured = measure(*cublas, size);
        if (!measured) return fail(measured.error());
        csv ? print_row(*measured, machine) : print_line(*measured);
        std::fflush(stdout);
        one_by_one.push_back(measured->one[0] / measured->one[1]);
        back_to_back.push_back(measured->many[0] / measured->many[1]);
    }
    print_shares("one by one", one_by_one);
    print_shares("back to back", back_to_back);
    return 0;
}

}  // namespace
}  // namespace tilereel

int main(int count, char** arguments) { return tilereel::run(count, arguments); }
