#include "kernels/cpu/cpu_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <random>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "instrumentation/base/sanitizers.h"
#include "kernels/catalog.h"
#include "kernels/reference.h"

#if defined(TILEREEL_OPENBLAS) && defined(NDEBUG) && !TILEREEL_THREAD_SANITIZER && \
    !TILEREEL_ADDRESS_SANITIZER
#define TILEREEL_SPEED_TEST
#include <cblas.h>

#include <ctime>
#endif

namespace tilereel::cpu_kernels_test {
namespace {

using ::testing::Each;

constexpr float kPoison = -12345.0f;

Inputs fractions(int m, int n, int k, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    Inputs in;
    in.a.resize(static_cast<std::size_t>(m) * k);
    in.b.resize(static_cast<std::size_t>(k) * n);
    for (float& x : in.a) x = value(random);
    for (float& x : in.b) x = value(random);
    return in;
}

// C with as many poisoned floats before and after it, so that a store beside C shows.
struct Guarded {
    explicit Guarded(std::size_t elements) : size(elements), all(3 * elements, kPoison) {
        for (float& x : c()) x = std::numeric_limits<float>::quiet_NaN();
    }
    std::span<float> c() { return std::span(all).subspan(size, size); }
    std::size_t size;
    std::vector<float> all;
};

void expect_product(const CpuKernel& kernel, int m, int n, int k, unsigned threads) {
    const Inputs in = fractions(m, n, k, 7);
    Guarded out(static_cast<std::size_t>(m) * n);
    ASSERT_TRUE(kernel.run({in.a.data(), in.b.data(), out.c().data(), m, n, k}, threads));
    const Status right = check_product(in.a, in.b, out.c(), m, n, k);
    ASSERT_TRUE(right) << kernel.id << " TILE " << kernel.tile << ' ' << m << 'x' << n << 'x' << k
                       << ": " << right.error().message;
    ASSERT_THAT(std::span(out.all).first(out.size), Each(kPoison));
    ASSERT_THAT(std::span(out.all).last(out.size), Each(kPoison));
}

TEST(CpuKernels, AreWhatTheCatalogueOffersForTheCpu) {
    std::set<std::tuple<std::string_view, int, int>> offered, built;
    for (const KernelInfo& kernel : catalog())
        if (kernel.on_cpu)
            for (const int tile : kernel.tiles)
                for (const int pad : kernel.pads) offered.emplace(kernel.id, tile, pad);
    ASSERT_FALSE(cpu_sets().empty());
    EXPECT_EQ(cpu_sets().front(), CpuSet::kBaseline);
    for (const CpuSet set : cpu_sets()) {
        built.clear();
        for (const CpuKernel& kernel : cpu_kernels(set))
            built.emplace(kernel.id, kernel.tile, kernel.pad);
        EXPECT_EQ(built, offered) << name_of(set);
    }
    EXPECT_EQ(cpu_kernels().data(), cpu_kernels(cpu_sets().back()).data());
    EXPECT_NE(find_cpu_kernel("cpu_tiled", 32, 0), nullptr);
    EXPECT_EQ(find_cpu_kernel("cpu_tiled", 31, 0), nullptr);
    EXPECT_EQ(find_cpu_kernel("09_tiled", 16, 0), nullptr);
}

TEST(CpuKernels, ComputeAnyShapeWithEachInstructionSet) {
    for (const CpuSet set : cpu_sets()) {
        SCOPED_TRACE(std::string(name_of(set)));
        for (const CpuKernel& kernel : cpu_kernels(set))
            for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{{1, 1, 1},
                                                                         {1, 1, 70},
                                                                         {70, 1, 3},
                                                                         {1, 70, 3},
                                                                         {3, 3, 3},
                                                                         {100, 37, 65},
                                                                         {64, 128, 64},
                                                                         {67, 129, 130}})
                expect_product(kernel, m, n, k, 1);
    }
}

// All remainders of rows and columns by the 4 x 32 sums that are computed at a time.
TEST(CpuKernels, ComputeEveryEdge) {
    for (const CpuSet set : cpu_sets())
        for (const CpuKernel& kernel : cpu_kernels(set))
            if (kernel.tile == 64)
                for (int m = 1; m <= 9; ++m)
                    for (int n = 1; n <= 70; ++n) expect_product(kernel, m, n, 5, 1);
}

TEST(CpuKernels, ShareTheTasksAmongThreads) {
    for (const CpuKernel& kernel : cpu_kernels())
        for (const unsigned threads : {0u, 2u, 3u, 7u}) {
            expect_product(kernel, 90, 50, 33, threads);
            expect_product(kernel, 1, 1, 1, threads);
        }
}

TEST(CpuKernels, StopBeforeTheNextTaskWhenCancelled) {
    const Inputs in = fractions(64, 64, 64, 1);
    const std::atomic<bool> cancelled{true};
    for (const CpuKernel& kernel : cpu_kernels()) {
        std::vector<float> c(64 * 64, kPoison);
        EXPECT_FALSE(kernel.run({in.a.data(), in.b.data(), c.data(), 64, 64, 64}, 2, &cancelled));
        EXPECT_THAT(c, Each(kPoison));
        const std::atomic<bool> going{false};
        EXPECT_TRUE(kernel.run({in.a.data(), in.b.data(), c.data(), 64, 64, 64}, 2, &going));
    }
}

// cpu_naive is one block, and 3000^3 takes it 10 s or more.
TEST(CpuKernels, ACancelledBlockStopsBeforeItsEnd) {
    constexpr int n = 3000;
    const std::vector<float> a(std::size_t{n} * n, 1), b(std::size_t{n} * n, 1);
    std::vector<float> c(std::size_t{n} * n, kPoison);
    std::atomic<bool> cancel{false};
    const std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        cancel = true;
    });
    const std::span<const CpuKernel> kernels = cpu_kernels();
    const auto naive = std::ranges::find(kernels, "cpu_naive", &CpuKernel::id);
    ASSERT_NE(naive, kernels.end());
    EXPECT_FALSE(naive->run({a.data(), b.data(), c.data(), n, n, n}, 1, &cancel));
    EXPECT_EQ(c.back(), kPoison);
    // The thread's next launch is not cancelled.
    cancel = false;
    constexpr int small = 416;  // at least 2^26 multiply-adds: a launch that can be cancelled
    EXPECT_TRUE(naive->run({a.data(), b.data(), c.data(), small, small, small}, 1, &cancel));
    EXPECT_EQ(c[std::size_t{small} * small - 1], static_cast<float>(small));
}

#ifdef TILEREEL_SPEED_TEST
// The CPU time of this thread alone.
double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
template <class Work>
double shortest_of_five(Work&& work) {
    double shortest = 1e9;
    for (int i = 0; i < 5; ++i) {
        const double begin = thread_seconds();
        work();
        shortest = std::min(shortest, thread_seconds() - begin);
    }
    return shortest;
}

TEST(CpuKernels, TiledReachesAFifthOfOpenBlas) {
    constexpr int kSize = 512;
    const Inputs in = fractions(kSize, kSize, kSize, 1);
    std::vector<float> c(std::size_t{kSize} * kSize);
    const CpuKernel* kernel = find_cpu_kernel("cpu_tiled", 64, 0);
    ASSERT_NE(kernel, nullptr);
    const double ours = shortest_of_five([&] {
        kernel->run({in.a.data(), in.b.data(), c.data(), kSize, kSize, kSize}, 1);
    });
    openblas_set_num_threads(1);
    const double theirs = shortest_of_five([&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0f,
                    in.a.data(), kSize, in.b.data(), kSize, 0.0f, c.data(), kSize);
    });
    EXPECT_GE(theirs / ours, 0.2);
}
#endif

}  // namespace
}  // namespace tilereel::cpu_kernels_test
