#include "app/race/runners/cpu_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "app/race/runners/cpu_machine.h"
#include "app/race/runners/openblas.h"
#include "app/race/runners/rotation.h"
#include "instrumentation/base/sanitizers.h"

namespace tilereel::cpu_runner_test {
namespace {

using ::testing::HasSubstr;

const std::atomic<bool> kNotCancelled = false;

void multiply(const CpuMatrices& m) {
    for (int i = 0; i < m.size.m; ++i)
        for (int j = 0; j < m.size.n; ++j) {
            float sum = 0;
            for (int p = 0; p < m.size.k; ++p) sum += m.a[i * m.size.k + p] * m.b[p * m.size.n + j];
            m.c[i * m.size.n + j] = sum;
        }
}

// The kernels of these tests by name, in the place of the ladder's.
std::vector<CpuRacer> stand_ins() {
    const auto kernel = [](const char* id, auto function) {
        return CpuRacer{
            {id}, [function](const CpuMatrices& m, int, const std::atomic<bool>&) { function(m); }};
    };
    return {kernel("right", multiply), kernel("idle", [](const CpuMatrices&) {}),
            kernel("late", [](const CpuMatrices& m) {
                multiply(m);
                m.c[m.size.m * m.size.n - 1] += 1;
            })};
}

std::unique_ptr<Runner> runner_of(std::vector<CpuRacer> kernels) {
    return make_cpu_runner({.threads = 2, .measure_roofs = false}, std::move(kernels));
}

TEST(CpuRunner, PassesARightKernelAndTimesIt) {
    const auto runner = runner_of(stand_ins());
    for (const Caches caches : {Caches::kWarm, Caches::kCold}) {
        ASSERT_TRUE(runner->prepare({33, 20, 17}, caches, 1));
        const auto verified = runner->verify({"right"}, kNotCancelled);
        ASSERT_TRUE(verified);
        EXPECT_EQ(verified->outcome, Outcome::kVerified) << verified->sentence;
        EXPECT_GT(verified->worst_error, 0);  // float32 rounds
        const auto time = runner->time({"right"}, 3, kNotCancelled);
        ASSERT_TRUE(time);
        EXPECT_GT(*time, 0);
    }
}

#ifdef __linux__
std::size_t resident_bytes() {
    std::ifstream pages("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    pages >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(CpuRunner, GivesTheMemoryOfItsMatricesBack) {
    if (TILEREEL_ADDRESS_SANITIZER || TILEREEL_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer keeps what is freed";
    const auto runner = runner_of(stand_ins());
    const std::size_t before = resident_bytes();
    constexpr std::size_t kMatrices = 3 * sizeof(float) * 2048 * 2048;  // 48 MiB
    ASSERT_TRUE(runner->prepare({2048, 2048, 2048}, Caches::kWarm, 1));
    EXPECT_GT(resident_bytes(), before + kMatrices / 2);
    runner->release();
    EXPECT_LT(resident_bytes(), before + kMatrices / 2);
}
#endif

TEST(CpuRunner, FindsAWrongKernel) {
    const auto runner = runner_of(stand_ins());
    ASSERT_TRUE(runner->prepare({8, 8, 8}, Caches::kWarm, 1));
    for (const auto& [id, word] :
         {std::pair{"idle", "C[0][0] was not written"}, {"late", "C[7][7] is"}}) {
        ASSERT_TRUE(runner->verify({"right"}, kNotCancelled));  // the next must not pass with its C
        const auto verified = runner->verify({id}, kNotCancelled);
        ASSERT_TRUE(verified);
        EXPECT_EQ(verified->outcome, Outcome::kWrong);
        EXPECT_THAT(verified->sentence, HasSubstr(word));
    }
}

TEST(CpuRunner, DoesNotTakeAKernelOfTheGpu) {
    const auto runner = runner_of(stand_ins());
    ASSERT_TRUE(runner->prepare({16, 16, 16}, Caches::kWarm, 1));
    const auto verified = runner->verify({"09_tiled", 16, 0}, kNotCancelled);
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().kind, ErrorKind::kWrongCall);
    EXPECT_THAT(verified.error().message, HasSubstr("GPU"));
}

TEST(CpuRunner, RefusesMatricesLargerThanTheMemory) {
    const auto runner = runner_of(stand_ins());
    const int largest = 1 << 20;
    const Status prepared = runner->prepare({largest, largest, largest}, Caches::kCold, 1);
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().kind, ErrorKind::kFailed);
    EXPECT_THAT(prepared.error().message, HasSubstr("race a smaller size"));
    ASSERT_TRUE(runner->prepare({8, 8, 8}, Caches::kCold, 1));  // and goes on
    EXPECT_TRUE(runner->verify({"right"}, kNotCancelled));
}

TEST(CpuRunner, CancelEndsALaunchAndTheLaunchesAfterIt) {
    int launches = 0;
    std::atomic<bool> cancel = false;
    const auto runner =
        runner_of({{{"slow"}, [&](const CpuMatrices&, int, const std::atomic<bool>& asked) {
                        EXPECT_FALSE(asked);
                        if (++launches == 3) cancel = true;
                    }}});
    ASSERT_TRUE(runner->prepare({4, 4, 4}, Caches::kWarm, 1));
    const auto time = runner->time({"slow"}, 100, cancel);
    ASSERT_FALSE(time);
    EXPECT_EQ(time.error().kind, ErrorKind::kCancelled);
    EXPECT_EQ(launches, 3);
    launches = 2;
    cancel = false;
    EXPECT_EQ(runner->verify({"slow"}, cancel).error().kind, ErrorKind::kCancelled);
}

TEST(CpuRunner, ColdTakesOtherMatricesEachTimeWarmTheSame) {
    std::set<const float*> seen;
    const auto runner =
        runner_of({{{"watch"}, [&](const CpuMatrices& m, int, const std::atomic<bool>&) {
                        seen.insert(m.a);
                        seen.insert(m.b);
                        seen.insert(m.c);
                    }}});
    ASSERT_TRUE(runner->prepare({64, 64, 64}, Caches::kWarm, 1));
    ASSERT_TRUE(runner->time({"watch"}, 10, kNotCancelled));
    EXPECT_EQ(seen.size(), 3u);
    seen.clear();
    ASSERT_TRUE(runner->prepare({64, 64, 64}, Caches::kCold, 1));
    ASSERT_TRUE(runner->time({"watch"}, 10, kNotCancelled));
    EXPECT_EQ(seen.size(), last_cache_bytes() > 0 ? 30u : 3u);
}

TEST(CpuRunner, OpenblasComputesTheProduct) {
    if (!Openblas::open(1)) GTEST_SKIP() << Openblas::open(1).error().message;
    const auto runner = runner_of({});
    EXPECT_THAT(runner->machine(kNotCancelled).reference, HasSubstr("OpenBLAS 0."));
    for (const ProductSize size : {ProductSize{64, 64, 64}, {100, 37, 65}, {1, 300, 2}}) {
        ASSERT_TRUE(runner->prepare(size, Caches::kWarm, 3));
        const auto verified = runner->verify({"openblas"}, kNotCancelled);
        ASSERT_TRUE(verified) << verified.error().message;
        EXPECT_EQ(verified->outcome, Outcome::kVerified) << verified->sentence;
    }
}

TEST(CpuRunner, SaysWhereThereIsNoReference) {
    const auto runner = make_cpu_runner({.reference = false, .measure_roofs = false}, {});
    EXPECT_EQ(runner->machine(kNotCancelled).reference, "");
    ASSERT_TRUE(runner->prepare({4, 4, 4}, Caches::kWarm, 1));
    const auto verified = runner->verify({"openblas"}, kNotCancelled);
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().kind, ErrorKind::kWrongCall);
}

TEST(CpuRunner, KnowsItsMachineAndMeasuresItsRoofs) {
    const auto runner = make_cpu_runner({}, {});
    const RaceMachine machine = runner->machine(kNotCancelled);
    EXPECT_FALSE(machine.gpu);
    EXPECT_NE(machine.device, "");
    EXPECT_EQ(machine.threads, processor_threads());
    EXPECT_GT(machine.measured_bandwidth_gbs, 0.5);
    EXPECT_LT(machine.measured_bandwidth_gbs, 5000);
    // Every CPU reaches 1 GFLOPS. No CPU has two vectors of 32 multiply-adds a cycle at 6 GHz.
    EXPECT_GT(machine.measured_peak_gflops, 1);
    EXPECT_LT(machine.measured_peak_gflops, 2 * 64 * 6.0 * machine.threads);
    EXPECT_EQ(runner->machine(kNotCancelled).measured_peak_gflops,
              machine.measured_peak_gflops);  // once
}

TEST(CpuRunner, ACancelledMeasurementIsMadeByTheNextCall) {
    const auto runner = make_cpu_runner({}, {});
    const std::atomic<bool> cancel = true;
    const RaceMachine cancelled = runner->machine(cancel);
    EXPECT_EQ(cancelled.threads, processor_threads());
    EXPECT_EQ(cancelled.measured_bandwidth_gbs, 0);
    EXPECT_EQ(cancelled.measured_peak_gflops, 0);
    EXPECT_GT(runner->machine(kNotCancelled).measured_peak_gflops, 1);
}

TEST(Rotation, TouchesTwiceTheCacheBetweenTwoUsesOfASet) {
    const std::uint64_t cache = 50u << 20;
    for (const int n : {16, 256, 1000, 4096}) {
        Rotation rotation({n, n, n}, cache);
        const std::uint64_t set_bytes = 3ull * n * n * sizeof(float);
        EXPECT_GE((rotation.sets() - 1) * set_bytes, 2 * cache) << n;
        EXPECT_LE((rotation.sets() - 2) * set_bytes, 2 * cache) << n;
        EXPECT_GE(rotation.sets(), 2u);
        const std::size_t first = rotation.next();
        for (std::size_t i = 1; i < rotation.sets(); ++i) EXPECT_NE(rotation.next(), first);
        EXPECT_EQ(rotation.next(), first);
    }
    Rotation warm({16, 16, 16}, 0);
    EXPECT_EQ(warm.sets(), 1u);
}

TEST(Rotation, PlacesMatricesApartAndAligned) {
    const Rotation rotation({3, 5, 7}, 1000);
    EXPECT_EQ(rotation.a_at(), 0u);
    EXPECT_EQ(rotation.b_at(), 64u);   // 3 x 7 elements, up to 256 bytes
    EXPECT_EQ(rotation.c_at(), 128u);  // 7 x 5
    EXPECT_EQ(rotation.first_of(1), 192u);
    EXPECT_EQ(rotation.elements(), rotation.sets() * 192);
}

}  // namespace
}  // namespace tilereel::cpu_runner_test
