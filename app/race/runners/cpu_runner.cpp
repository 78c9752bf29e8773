#include "app/race/runners/cpu_runner.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>

#include "app/race/race_values.h"
#include "app/race/runners/cpu_machine.h"
#include "app/race/runners/openblas.h"
#include "app/race/runners/product_check.h"
#include "app/race/runners/rotation.h"
#include "instrumentation/base/format/bytes_text.h"
#include "kernels/cpu/cpu_kernels.h"

namespace tilereel {
namespace {

using Clock = std::chrono::steady_clock;

// Lowers the priority of this thread and of those that it starts from now on. On Linux each thread
// has a priority of its own.
void lower_priority() {
    constexpr int kNice = 10;
    static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice));
}

class CpuRunner : public Runner {
  public:
    CpuRunner(const CpuRunnerOptions& options, std::vector<CpuRacer> racers)
        : threads_(options.threads > 0 ? options.threads : processor_threads()),
          measure_roofs_(options.measure_roofs),
          racers_(std::move(racers)) {
        if (options.lower_priority) lower_priority();
        if (!options.reference) return;
        auto openblas = Openblas::open(threads_);
        if (openblas)
            openblas_ = *std::move(openblas);
        else
            why_no_openblas_ = openblas.error().message;
    }

    RaceMachine machine(const std::atomic<bool>& cancel) override {
        if (machine_) return *machine_;
        RaceMachine machine{.device = processor_name(),
                            .toolkit = std::string(name_of(cpu_sets().back())),
                            .reference = openblas_ ? openblas_->version() : "",
                            .threads = threads_,
                            .last_cache_bytes = last_cache_bytes()};
        if (measure_roofs_) {
            const auto gbs = measure_copy_gbs(threads_, cancel);
            const auto gflops = measure_fma_gflops(threads_, cancel);
            if (!gbs || !gflops) return machine;
            machine.measured_bandwidth_gbs = *gbs;
            machine.measured_peak_gflops = *gflops;
        }
        machine_ = machine;
        return *machine_;
    }

    Status prepare(const ProductSize& size, Caches caches, std::uint64_t seed) override {
        release();
        const std::uint64_t available = available_memory_bytes();
        const std::uint64_t most = available / 10 * 9;  // the check needs memory, too
        rotation_ = Rotation(size, caches == Caches::kCold ? last_cache_bytes() : 0);
        // With two sets, each is at least twice as large as the cache: a single one evicts itself.
        if (rotation_.bytes() > most && rotation_.sets() == 2) rotation_ = Rotation(size, 0);
        const std::uint64_t bytes = rotation_.bytes();
        const auto no_room = [&] {
            return failed("matrices of " + name_of(size) + " take " + bytes_text(bytes) + ", and " +
                          bytes_text(available) + " are free; race a smaller size");
        };
        if (bytes > most) return no_room();
        try {
            matrices_.resize(rotation_.elements());
            for (std::size_t set = 0; set < rotation_.sets(); ++set) fill(set, seed);
            check_.emplace(size, seed);
        } catch (const std::bad_alloc&) {
            return no_room();
        }
        return Done{};
    }

    void release() override {
        check_.reset();
        matrices_ = std::vector<float>();  // "= {}" would keep the memory
    }

    Result<Verified> verify(const Contender& contender, const std::atomic<bool>& cancel) override {
        const auto multiply = TRY(multiplier_of(contender));
        const CpuMatrices matrices = set(0);
        const std::span c(matrices.c, rotation_.c_elements());
        std::ranges::fill(c, std::numeric_limits<float>::quiet_NaN());
        (multiply)(matrices, cancel);
        if (cancel) return cancelled();
        return check_->check(c);
    }

    Result<double> time(const Contender& contender, int launches,
                        const std::atomic<bool>& cancel) override {
        const auto multiply = TRY(multiplier_of(contender));
        const Clock::time_point begin = Clock::now();
        for (int launch = 0; launch < launches; ++launch) {
            if (cancel) return cancelled();
            (multiply)(set(rotation_.next()), cancel);
        }
        const std::chrono::duration<double, std::milli> lasted = Clock::now() - begin;
        if (cancel) return cancelled();
        return lasted.count() / launches;
    }

    Conditions conditions() override { return {}; }

  private:
    using Multiplier = std::function<void(const CpuMatrices&, const std::atomic<bool>& cancel)>;

    Result<Multiplier> multiplier_of(const Contender& contender) const {
        if (contender.kernel == kOpenblas) {
            if (!openblas_) return wrong_call(why_no_openblas_);
            return Multiplier([this](const CpuMatrices& m, const std::atomic<bool>&) {
                openblas_->multiply(m.size, m.a, m.b, m.c);
            });
        }
        const auto racer = std::ranges::find(racers_, contender, &CpuRacer::contender);
        if (racer == racers_.end())
            return wrong_call(contender.kernel + " does not run on the CPU; race it on a GPU");
        return Multiplier([this, racer](const CpuMatrices& m, const std::atomic<bool>& cancel) {
            racer->multiply(m, threads_, cancel);
        });
    }

    CpuMatrices set(std::size_t index) {
        float* const first = matrices_.data() + rotation_.first_of(index);
        return {.size = rotation_.size(),
                .a = first + rotation_.a_at(),
                .b = first + rotation_.b_at(),
                .c = first + rotation_.c_at()};
    }

    // Fills a set of matrices. The first set is checked. The others have other values.
    void fill(std::size_t index, std::uint64_t seed) {
        const ProductSize& size = rotation_.size();
        float* const first = matrices_.data() + rotation_.first_of(index);
        const auto fill_one = [&](std::size_t at, std::uint64_t own_seed, std::uint64_t elements) {
            for (std::uint64_t i = 0; i < elements; ++i)
                first[at + i] = race_value(own_seed, index * elements + i);
        };
        fill_one(rotation_.a_at(), seed_of_a(seed), std::uint64_t(size.m) * size.k);
        fill_one(rotation_.b_at(), seed_of_b(seed), std::uint64_t(size.k) * size.n);
    }

    int threads_;
    bool measure_roofs_;
    std::vector<CpuRacer> racers_;
    std::optional<Openblas> openblas_;
    std::string why_no_openblas_ = "OpenBLAS was left out; race with the reference";
    std::optional<RaceMachine> machine_;
    Rotation rotation_;
    std::vector<float> matrices_;
    std::optional<ProductCheck> check_;
};

}  // namespace

std::unique_ptr<Runner> make_cpu_runner(const CpuRunnerOptions& options,
                                        std::vector<CpuRacer> racers) {
    return std::make_unique<CpuRunner>(options, std::move(racers));
}

}  // namespace tilereel
