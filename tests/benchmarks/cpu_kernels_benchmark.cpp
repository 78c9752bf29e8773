// Races the CPU's kernels against OpenBLAS, interleaved and with the same number of threads:
//   cpu_kernels_benchmark [SIZES...]        (default 512 1024 2048)
// The goal for cpu_tiled is 20 % of OpenBLAS's GFLOPS. Times are wall times, the shortest of 1 to 7
// runs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "kernels/cpu/cpu_kernels.h"

#ifdef TILEREEL_OPENBLAS
#include <cblas.h>
#endif

namespace tilereel {
namespace {

struct Racer {
    const char* name;
    std::function<void()> run;
    int repeats;
    double seconds = 1e99;
};

void race(std::vector<Racer>& racers) {
    const int rounds = std::ranges::max(racers, {}, &Racer::repeats).repeats;
    for (int round = 0; round < rounds; ++round)
        for (Racer& racer : racers) {
            if (round >= racer.repeats) continue;
            const auto begin = std::chrono::steady_clock::now();
            racer.run();
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            racer.seconds = std::min(racer.seconds, taken.count());
        }
}

void measure(int size, unsigned threads) {
    const auto elements = static_cast<std::size_t>(size) * size;
    std::vector<float> a(elements), b(elements), c(elements);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (float& x : a) x = value(random);
    for (float& x : b) x = value(random);
    const CpuProduct product{a.data(), b.data(), c.data(), size, size, size};
    std::vector<Racer> racers;
    const auto add = [&](const char* name, const char* id, int tile, int repeats) {
        racers.push_back(
            {name, [=] { find_cpu_kernel(id, tile, 0)->run(product, threads); }, repeats});
    };
    add("cpu_tiled TILE 64", "cpu_tiled", 64, 7);
    add("cpu_tiled TILE 32", "cpu_tiled", 32, 7);
    add("cpu_tiled TILE 16", "cpu_tiled", 16, 3);
    add("cpu_tiled TILE 8", "cpu_tiled", 8, 3);
    add("cpu_tiled TILE 4", "cpu_tiled", 4, 3);
    if (threads == 1) add("cpu_naive", "cpu_naive", 16, 1);
#ifdef TILEREEL_OPENBLAS
    openblas_set_num_threads(static_cast<int>(threads));
    racers.push_back({"OpenBLAS",
                      [=] {
                          cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size,
                                      1.0f, product.a, size, product.b, size, 0.0f, product.c,
                                      size);
                      },
                      7});
#endif
    race(racers);
    const double gflop = 2e-9 * size * size * size;
    for (const Racer& racer : racers) {
        std::printf("%6d  %7u  %-18s %8.1f", size, threads, racer.name, gflop / racer.seconds);
#ifdef TILEREEL_OPENBLAS
        std::printf("  %6.1f %%", 100 * racers.back().seconds / racer.seconds);
#endif
        std::printf("\n");
    }
}

}  // namespace
}  // namespace tilereel

int main(int count, char** arguments) {
    std::vector<int> sizes;
    for (int i = 1; i < count; ++i) sizes.push_back(std::max(1, std::atoi(arguments[i])));
    if (sizes.empty()) sizes = {512, 1024, 2048};
    const std::string_view set = tilereel::name_of(tilereel::cpu_sets().back());
    std::printf("%.*s\n", static_cast<int>(set.size()), set.data());
#ifdef TILEREEL_OPENBLAS
    std::printf("%6s  %7s  %-18s %8s  %s\n", "size", "threads", "kernel", "GFLOPS", "of OpenBLAS");
#else
    std::printf("Built without OpenBLAS (Debian: libopenblas-dev): no ratios.\n");
#endif
    for (const unsigned threads : {1u, 2u})
        for (const int size : sizes) tilereel::measure(size, threads);
}
