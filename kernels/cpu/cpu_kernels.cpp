#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include "instrumentation/base/check.h"
#include "kernels/catalog.h"
#include "kernels/ladder.h"

namespace tilereel {
namespace {

struct SetBuild {
    CpuSet set;
    CpuBlock (*block)(int row, int tile, int pad);
};

#ifdef TILEREEL_CPU_X86_64
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

std::vector<SetBuild> usable_builds() {
    std::vector<SetBuild> builds = {{CpuSet::kBaseline, cpu_block_baseline}};
#ifdef TILEREEL_CPU_X86_64
    if (has_avx2()) builds.push_back({CpuSet::kAvx2, cpu_block_avx2});
    if (has_avx512()) builds.push_back({CpuSet::kAvx512, cpu_block_avx512});
#endif
    return builds;
}

std::vector<CpuKernel> kernels_of(const SetBuild& build) {
    struct Variant {
        int tile, pad;
    };
    struct Row {
        std::string_view id;
        std::vector<Variant> variants;
    };
#define VARIANT(kernel, tile, pad) {tile, pad},
#define ROW(stem, function, variants, launch) {stem, {variants(VARIANT, function)}},
    const std::vector<Row> rows = {TILEREEL_CPU_LADDER(ROW)};
#undef ROW
#undef VARIANT
    std::vector<CpuKernel> kernels;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (const auto& [tile, pad] : rows[row].variants) {
            kernels.push_back({rows[row].id, tile, pad,
                               build.block(static_cast<int>(row), tile, pad)});
            check(kernels.back().block != nullptr);
        }
    return kernels;
}

struct AllBuilds {
    std::vector<CpuSet> sets;
    std::vector<std::vector<CpuKernel>> kernels;  // as sets
};

const AllBuilds& all_builds() {
    static const AllBuilds all = [] {
        AllBuilds made;
        for (const SetBuild& build : usable_builds()) {
            made.sets.push_back(build.set);
            made.kernels.push_back(kernels_of(build));
        }
        return made;
    }();
    return all;
}

// Takes blocks, row of blocks by row of blocks, until none is left.
class Tasks {
  public:
    Tasks(const CpuKernel& kernel, const CpuProduct& product, const LaunchShape& launch,
          const std::atomic<bool>* cancel)
        : kernel_(kernel),
          product_(product),
          across_(launch.grid_x),
          count_(std::uint64_t{launch.grid_x} * launch.grid_y),
          cancel_(cancel) {}

    [[nodiscard]] std::uint64_t count() const { return count_; }
    void work() {
        for (;;) {
            if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return;
            const std::uint64_t task = next_.fetch_add(1, std::memory_order_relaxed);
            if (task >= count_) return;
            kernel_.block(product_, static_cast<int>(task % across_),
                          static_cast<int>(task / across_));
        }
    }
    // Every task was begun.
    [[nodiscard]] bool finished() const { return next_.load() >= count_; }

  private:
    const CpuKernel& kernel_;
    const CpuProduct& product_;
    std::uint64_t across_, count_;
    const std::atomic<bool>* cancel_;
    std::atomic<std::uint64_t> next_{0};
};

}  // namespace

std::string_view name_of(CpuSet set) {
    return std::array<std::string_view, 3>{"baseline", "AVX2",
                                           "AVX-512"}[static_cast<std::size_t>(set)];
}

bool CpuKernel::run(const CpuProduct& product, unsigned threads,
                    const std::atomic<bool>* cancel) const {
    const KernelInfo* info = find_kernel(id);
    check(info != nullptr);
    const Result<LaunchShape> launch = validate(
        *info, {.m = product.m, .n = product.n, .k = product.k, .tile = tile, .pad = pad});
    check(launch.has_value());
    Tasks tasks(*this, product, *launch, cancel);
    {
        std::vector<std::jthread> helpers;
        for (std::uint64_t i = 1; i < std::min<std::uint64_t>(threads, tasks.count()); ++i) {
            try {
                helpers.emplace_back([&] { tasks.work(); });
            } catch (const std::system_error&) {
                break;  // the system gives no more threads: those there are do the work
            }
        }
        tasks.work();
    }
    return tasks.finished();
}

std::span<const CpuSet> cpu_sets() { return all_builds().sets; }

std::span<const CpuKernel> cpu_kernels(CpuSet set) {
    const AllBuilds& all = all_builds();
    const auto found = std::ranges::find(all.sets, set);
    check(found != all.sets.end());
    return all.kernels[static_cast<std::size_t>(found - all.sets.begin())];
}

std::span<const CpuKernel> cpu_kernels() { return all_builds().kernels.back(); }

const CpuKernel* find_cpu_kernel(std::string_view id, int tile, int pad) {
    for (const CpuKernel& kernel : cpu_kernels())
        if (kernel.id == id && kernel.tile == tile && kernel.pad == pad) return &kernel;
    return nullptr;
}

}  // namespace tilereel
