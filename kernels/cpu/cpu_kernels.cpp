#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include "instrumentation/base/check.h"
#include "kernels/cpu/cancelled_block.h"

namespace tilereel {
namespace {

struct SetBuild {
    CpuSet set;
    CpuTable table;
};

#ifdef TILEREEL_CPU_X86_64
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

std::vector<SetBuild> usable_builds() {
    std::vector<SetBuild> builds = {{CpuSet::kBaseline, cpu_table_baseline()}};
#ifdef TILEREEL_CPU_X86_64
    if (has_avx2()) builds.push_back({CpuSet::kAvx2, cpu_table_avx2()});
    if (has_avx512()) builds.push_back({CpuSet::kAvx512, cpu_table_avx512()});
#endif
    return builds;
}

std::vector<CpuKernel> kernels_of(const CpuTable& table) {
    std::vector<CpuKernel> kernels;
    for (const CpuRow& row : std::span(table.rows, static_cast<std::size_t>(table.count)))
        kernels.push_back({row.id, row.tile, row.pad, row.launch});
    return kernels;
}

struct AllBuilds {
    std::vector<CpuSet> sets;
    std::vector<std::vector<CpuKernel>> kernels;  // in the order of `sets`
};

const AllBuilds& all_builds() {
    static const AllBuilds all = [] {
        AllBuilds made;
        for (const SetBuild& build : usable_builds()) {
            made.sets.push_back(build.set);
            made.kernels.push_back(kernels_of(build.table));
        }
        return made;
    }();
    return all;
}

// How launches of this thread are run. CpuKernel::run() sets it for the launch function that it
// calls.
struct Running {
    unsigned threads = 1;
    bool is_long = false;
    const std::atomic<bool>* cancel = nullptr;
    bool finished = true;  // every task ran to its end
};
thread_local Running* running = nullptr;

// Runs blocks, one row of blocks after another, until none is left.
class Tasks {
  public:
    Tasks(unsigned across, unsigned down, CpuBlock* block, const void* arguments,
          const Running& launch)
        : across_(across),
          count_(std::uint64_t{across} * down),
          block_(block),
          arguments_(arguments),
          cancel_(launch.cancel),
          is_long_(launch.is_long) {}

    [[nodiscard]] std::uint64_t count() const { return count_; }
    void work() {
        CancelTimer timer(is_long_ ? cancel_ : nullptr);
        for (;;) {
            if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return;
            const std::uint64_t task = next_.fetch_add(1, std::memory_order_relaxed);
            if (task >= count_) return;
            if (!timer.run(block_, arguments_, static_cast<int>(task % across_),
                           static_cast<int>(task / across_)))
                cut_off_ = true;
        }
    }
    [[nodiscard]] bool finished() const { return next_.load() >= count_ && !cut_off_; }

  private:
    std::uint64_t across_, count_;
    CpuBlock* block_;
    const void* arguments_;
    const std::atomic<bool>* cancel_;
    bool is_long_;
    std::atomic<std::uint64_t> next_{0};
    std::atomic<bool> cut_off_{false};
};

}  // namespace

std::string_view name_of(CpuSet set) {
    return std::array<std::string_view, 3>{"baseline", "AVX2",
                                           "AVX-512"}[static_cast<std::size_t>(set)];
}

void run_cpu_blocks(unsigned across, unsigned down, CpuBlock* block, const void* arguments) {
    check(running != nullptr);
    Tasks tasks(across, down, block, arguments, *running);
    {
        std::vector<std::jthread> helpers;
        for (std::uint64_t i = 1; i < std::min<std::uint64_t>(running->threads, tasks.count());
             ++i) {
            try {
                helpers.emplace_back([&] { tasks.work(); });
            } catch (const std::system_error&) {
                break;  // the system gives no more threads: the others do the work
            }
        }
        tasks.work();
    }
    running->finished = running->finished && tasks.finished();
}

bool CpuKernel::run(const CpuProduct& product, unsigned threads,
                    const std::atomic<bool>* cancel) const {
    // A launch with at least this many multiply-adds can be cancelled within a block; a shorter one
    // only between blocks. The shorter one takes less than a tenth of a second. It has no timer,
    // because a race of small products would measure the timer's system calls, too.
    constexpr std::uint64_t kLong = std::uint64_t{1} << 26;
    const std::uint64_t work = static_cast<std::uint64_t>(product.m) *
                               static_cast<std::uint64_t>(product.n) *
                               static_cast<std::uint64_t>(product.k);
    Running run{.threads = threads, .is_long = work >= kLong, .cancel = cancel};
    running = &run;
    launch(product.a, product.b, product.c, product.m, product.n, product.k);
    running = nullptr;
    return run.finished;
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
