// Measures the roofs of a CPU's roofline.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "app/race/runners/cpu_machine.h"
#include "app/race/runners/run_together.h"

namespace tilereel {
namespace {

constexpr int kTries = 5;  // the best one is used, because a roof is an upper bound

// Runs work(thread) on `threads` threads, or as many as can be started. Returns the seconds of the
// quickest try.
double quickest(int threads, const std::function<void(int)>& work) {
    using Clock = std::chrono::steady_clock;
    std::vector<Clock::time_point> moments;
    moments.reserve(2 * kTries);
    const auto note_moment = [&moments]() noexcept { moments.push_back(Clock::now()); };
    std::optional<std::barrier<decltype(note_moment)>> together;
    run_together(
        threads, [&](int count) { together.emplace(count, note_moment); },
        [&](int thread) {
            for (int each = 0; each < kTries; ++each) {
                together->arrive_and_wait();
                work(thread);
                together->arrive_and_wait();
            }
        });
    double best = 1e9;
    for (std::size_t i = 0; i + 1 < moments.size(); i += 2)
        best = std::min(best, std::chrono::duration<double>(moments[i + 1] - moments[i]).count());
    return best;
}

// Vectors of floats, in independent chains of multiply-adds: enough to hide their latency, few
// enough for the registers.
template <int kFloats>
using Vector __attribute__((vector_size(kFloats * sizeof(float)))) = float;
constexpr int kFmaChains = 12;

// The same loop for each width. A macro, because the target attribute of a function cannot depend
// on a template parameter.
#define TILEREEL_CHAINS(name, target, floats)                                         \
    target float name(long steps) {                                                   \
        Vector<floats> sums[kFmaChains] = {};                                         \
        const Vector<floats> factor = Vector<floats>{} + 0.999f;                      \
        for (long step = 0; step < steps; ++step)                                     \
            _Pragma("GCC unroll 12") for (int chain = 0; chain < kFmaChains; ++chain) \
                sums[chain] = sums[chain] * factor + static_cast<float>(chain + 1);   \
        Vector<floats> all = {};                                                      \
        for (const Vector<floats>& sum : sums) all += sum;                            \
        return all[0];                                                                \
    }
TILEREEL_CHAINS(chains_of_4, , 4)
#ifdef __x86_64__
TILEREEL_CHAINS(chains_of_8, __attribute__((target("avx2,fma"))), 8)
TILEREEL_CHAINS(chains_of_16, __attribute__((target("avx512f"))), 16)
#endif
#undef TILEREEL_CHAINS

struct WidestChains {
    float (*run)(long steps) = chains_of_4;
    int floats = 4;
};

WidestChains widest_chains() {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return {chains_of_16, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {chains_of_8, 8};
#endif
    return {};
}

// Bytes that are copied between two checks of `cancel`.
constexpr std::size_t kSliceBytes = std::size_t{1} << 20;

// The bytes of each of the two arrays of a copy. Together the arrays are four times the last-level
// cache, so that a repeated copy finds nothing of them there. A virtual machine may report its
// host's whole cache although it has only a share, so the size is limited to 512 MiB.
std::size_t copied_bytes() {
    constexpr std::uint64_t kLeast = std::uint64_t{64} << 20, kMost = std::uint64_t{512} << 20;
    const std::uint64_t wanted = std::clamp(2 * last_cache_bytes(), kLeast, kMost);
    return static_cast<std::size_t>(std::min(wanted, available_memory_bytes() / 8));
}

}  // namespace

std::optional<double> measure_copy_gbs(int threads, const std::atomic<bool>& cancel) {
    const std::size_t share = copied_bytes() / static_cast<std::size_t>(threads);
    const std::size_t all = share * static_cast<std::size_t>(threads);
    const auto from = std::make_unique_for_overwrite<char[]>(all);
    const auto to = std::make_unique_for_overwrite<char[]>(all);
    const auto in_slices = [&](std::size_t first, const auto& work) {
        for (std::size_t at = 0; at < share && !cancel; at += kSliceBytes)
            work(first + at, std::min(kSliceBytes, share - at));
    };
    std::vector<char> filled(static_cast<std::size_t>(threads));
    std::atomic<int> copying{0};
    const double seconds = quickest(threads, [&](int thread) {
        const std::size_t first = share * static_cast<std::size_t>(thread);
        // Pages that were never written share one page of zeros in the cache, so they are written
        // first.
        if (!std::exchange(filled[static_cast<std::size_t>(thread)], 1))
            in_slices(first, [&](std::size_t at, std::size_t bytes) {
                std::memset(from.get() + at, 1, bytes);
            });
        in_slices(first, [&](std::size_t at, std::size_t bytes) {
            std::memcpy(to.get() + at, from.get() + at, bytes);
        });
        ++copying;
    });
    if (cancel) return std::nullopt;
    const double copied = static_cast<double>(share) * copying / kTries;
    return 2.0 * copied / seconds / 1e9;  // read and written
}

// Measures short slices, which other programs seldom interrupt, and adds the best one of each
// thread.
std::optional<double> measure_fma_gflops(int threads, const std::atomic<bool>& cancel) {
    constexpr long kSteps = 200'000;
    constexpr int kSlices = 60;
    using Clock = std::chrono::steady_clock;
    const WidestChains chains = widest_chains();
    std::vector<double> gflops(static_cast<std::size_t>(threads));
    run_together(threads, {}, [&](int thread) {
        double& own = gflops[static_cast<std::size_t>(thread)];
        for (int slice = 0; slice < kSlices && !cancel; ++slice) {
            const Clock::time_point begin = Clock::now();
            [[maybe_unused]] const volatile float kept = chains.run(kSteps);
            const std::chrono::duration<double> lasted = Clock::now() - begin;
            own = std::max(own, 2e-9 * chains.floats * kFmaChains * static_cast<double>(kSteps) /
                                    lasted.count());
        }
    });
    if (cancel) return std::nullopt;
    return std::accumulate(gflops.begin(), gflops.end(), 0.0);
}

}  // namespace tilereel
