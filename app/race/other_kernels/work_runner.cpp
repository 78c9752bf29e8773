#include "app/race/other_kernels/work_runner.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "app/race/other_kernels/work_arrays.h"
#include "app/race/other_kernels/work_check.h"

namespace tilereel {
namespace {

using Outputs = std::vector<std::vector<std::byte>>;

constexpr std::size_t kMostSets = 1024;
constexpr std::uint64_t kMostSetBytes = 24ull << 30;
constexpr std::uint64_t kCheckedBytes = 64ull << 20;  // outputs compared after a round of launches

// One kernel: its data, and its arrays at the present n.
struct Racer {
    OwnKernel kernel;
    WorkData data;
    std::optional<WorkArrays> arrays{};
    std::vector<Outputs> first{};           // by variant: what its first launch wrote, at this n
    std::optional<double> first_ms{};       // the least time of a first launch with new inputs
    std::optional<std::string> recorded{};  // what is wrong at the recorded n; empty: nothing is
    bool elsewhere = false;                 // it works in other streams
    [[nodiscard]] const OwnWork& work() const { return *kernel.work; }
};

class WorkRunner : public Runner {
  public:
    WorkRunner(std::unique_ptr<WorkDevice> device, std::vector<Racer> racers)
        : device_(std::move(device)), racers_(std::move(racers)) {}

    RaceMachine machine(const std::atomic<bool>& cancel) override {
        if (!machine_) machine_ = device_->machine(cancel);
        return *machine_;
    }
    Conditions conditions() override { return conditions_; }

    Status prepare(const ProductSize& size, Caches caches, std::uint64_t seed) override {
        release();
        n_ = size.n;
        cold_ = caches == Caches::kCold;
        random_.seed(seed);
        return Done{};
    }
    void release() override {
        for (Racer& racer : racers_) {
            racer.arrays.reset();
            racer.first.clear();
            racer.first_ms.reset();
        }
        flush_.reset();
    }

    Result<Verified> verify(const Contender& contender, const std::atomic<bool>& cancel) override {
        Racer& racer = *TRY(racer_of(contender));
        TRY(takes(racer.kernel, {n_, n_, n_}));
        if (!racer.recorded) racer.recorded = TRY(wrong_when_recorded(racer, cancel));
        if (!racer.recorded->empty())
            return Verified{.outcome = Outcome::kWrong, .sentence = *racer.recorded};
        racer.arrays = TRY(arrays_at(racer, n_));
        const std::string wrong = TRY(first_launches(racer, cancel));
        if (!wrong.empty()) return Verified{.outcome = Outcome::kWrong, .sentence = wrong};
        return verdict_on(racer);
    }

    Result<double> time(const Contender& contender, int launches,
                        const std::atomic<bool>& cancel) override {
        Racer& racer = *TRY(racer_of(contender));
        if (!racer.arrays) return failed(contender.kernel + " was not checked");
        TRY(racer.arrays->reserve(*device_, std::min<std::size_t>(launches, kMostSets)));
        double milliseconds = 0;
        for (int done = 0; done < launches;) {
            const int round = std::min<int>(launches - done, int(racer.arrays->sets()));
            milliseconds += TRY(time_round(racer, round, cancel));
            done += round;
        }
        const double each = milliseconds / launches;
        if (std::string kept = kept_results(racer.first_ms, each); !kept.empty())
            return failed(std::move(kept));
        return each;
    }

  private:
    Result<Racer*> racer_of(const Contender& contender) {
        const auto found = std::ranges::find_if(
            racers_, [&](const Racer& each) { return each.kernel.name == contender.kernel; });
        if (found == racers_.end())
            return wrong_call(contender.kernel + " is a file that was raced elsewhere");
        return &*found;
    }

    Result<WorkArrays> arrays_at(const Racer& racer, std::int64_t n) {
        const std::uint64_t most =
            std::min(kMostSetBytes, device_->free_bytes() / 2 / racers_.size());
        return WorkArrays::make(*device_, racer.work(), racer.data, n, most);
    }

    Status launch(const Racer& racer, const WorkArrays& arrays, std::size_t set, std::int64_t n) {
        const int error = racer.work().launch(arrays.pointers(set), n);
        if (error == 0) return Done{};
        return failed(racer.kernel.name + " could not be launched: error " + std::to_string(error) +
                      " of CUDA");
    }

    // A launch for each of the first sets.
    Status launch_each(const Racer& racer, int launches, const std::atomic<bool>& cancel) {
        for (int set = 0; set < launches && !cancel; ++set)
            TRY(launch(racer, *racer.arrays, static_cast<std::size_t>(set), n_));
        return Done{};
    }

    // What is wrong at the program's own size, compared with the recording; empty: nothing is.
    Result<std::string> wrong_when_recorded(Racer& racer, const std::atomic<bool>& cancel) {
        const std::int64_t n = racer.work().recorded_n;
        WorkArrays arrays = TRY(arrays_at(racer, n));
        for (int variant = 0; variant < kVariants; ++variant) {
            const WorkCase* const known = racer.data.find(n, variant);
            if (!known) continue;
            if (cancel) return cancelled();
            TRY(arrays.prepare(*device_, 0, variant));
            TRY(device_->time([&] { return launch(racer, arrays, 0, n); }));
            const Outputs found = TRY(arrays.outputs(*device_, 0));
            if (const auto wrong = difference(racer, found, known->expected))
                return "at n = " + std::to_string(n) + ", the program's own, " + *wrong;
        }
        return std::string();
    }

    template <class Expected>
    static std::optional<std::string> difference(const Racer& racer, const Outputs& found,
                                                 const Expected& expected) {
        for (std::size_t i = 0; i < found.size(); ++i) {
            const OwnArray& array = racer.work().arrays[i];
            if (!array.written) continue;
            if (found[i].size() != expected[i].size())
                return array.name + " has another length than on the CPU";
            if (auto wrong = difference_in(array, found[i], expected[i])) return wrong;
        }
        return std::nullopt;
    }

    // Short launches end within the host's latency: many of them tell whether other streams work
    // on.
    Result<bool> works_elsewhere_often(const Racer& racer) {
        constexpr int kLaunches = 32;
        const auto launch_often = [&]() -> Status {
            for (int i = 0; i < kLaunches; ++i) TRY(launch(racer, *racer.arrays, 0, n_));
            return Done{};
        };
        const Lap lap = TRY(device_->time(launch_often));
        return works_elsewhere(lap);
    }
    static constexpr double kShortMs = 0.5;

    // Launches each variant once, with the L2 cold, and compares with the CPU where it is known.
    // Returns what is wrong; empty: nothing is.
    Result<std::string> first_launches(Racer& racer, const std::atomic<bool>& cancel) {
        WorkArrays& arrays = *racer.arrays;
        int late = 0;  // launches; a single one may be the host's
        racer.elsewhere = false;
        for (int variant = 0; variant < kVariants; ++variant) {
            if (cancel) return cancelled();
            TRY(arrays.prepare(*device_, 0, variant));
            if (cold_) TRY(flush());
            const Lap lap = TRY(device_->time([&] { return launch(racer, arrays, 0, n_); }));
            late += works_elsewhere(lap) ? 1 : 0;
            Outputs outputs = TRY(arrays.outputs(*device_, 0));
            // The first launch of all also loads the kernel.
            if (variant > 0)
                racer.first_ms = std::min(racer.first_ms.value_or(lap.device_ms), lap.device_ms);
            racer.elsewhere = late > 1;
            if (variant + 1 == kVariants && !racer.elsewhere && lap.device_ms < kShortMs)
                racer.elsewhere = TRY(works_elsewhere_often(racer));
            racer.first.push_back(std::move(outputs));
            const WorkCase* const known = racer.data.find(n_, variant);
            if (!known) continue;
            if (const auto wrong = difference(racer, racer.first.back(), known->expected))
                return *wrong;
        }
        return std::string();
    }

    [[nodiscard]] Verified verdict_on(const Racer& racer) const {
        Verified verified;
        const auto known = [&](std::int64_t n) {
            return std::ranges::count(racer.data.cases, n, &WorkCase::n);
        };
        if (known(n_) > 0) {
            verified.checked = "every element of " + std::to_string(known(n_)) +
                               " launches, with the kernel's run on the CPU";
        } else {
            verified.outcome = Outcome::kUnchecked;
            const std::int64_t n = racer.work().recorded_n;
            verified.sentence = known(n) > 0
                                    ? "right at n = " + std::to_string(n) +
                                          "; here results are only the same from launch to launch"
                                    : "results are only the same from launch to launch";
        }
        if (racer.elsewhere)
            (known(n_) > 0 ? verified.checked : verified.sentence) +=
                "; it works in other streams: timed until the whole device is idle";
        return verified;
    }

    // Overwrites the L2.
    Status flush() {
        const std::uint64_t bytes = 2 * machine({}).last_cache_bytes;
        if (bytes == 0) return Done{};
        if (!flush_) flush_ = TRY(device_->memory(bytes));
        return device_->fill(flush_.get(), ++flushed_ & 0x7f, bytes);
    }

    // Milliseconds of `launches` launches, each with arrays of its own, whose results are compared.
    Result<double> time_round(Racer& racer, int launches, const std::atomic<bool>& cancel) {
        WorkArrays& arrays = *racer.arrays;
        if (cancel) return cancelled();
        std::vector<int> variants;
        for (int set = 0; set < launches; ++set) {
            variants.push_back(static_cast<int>(random_() % kVariants));
            TRY(arrays.prepare(*device_, static_cast<std::size_t>(set), variants.back()));
        }
        if (cold_) TRY(flush());
        const Lap lap = TRY(device_->time([&] { return launch_each(racer, launches, cancel); }));
        conditions_ = device_->conditions();
        if (cancel) return cancelled();
        TRY(check_round(racer, variants));
        return works_elsewhere(lap) ? lap.device_ms : lap.stream_ms;
    }

    // All launches of the round, or some that are drawn.
    Status check_round(const Racer& racer, const std::vector<int>& variants) {
        const std::uint64_t each = std::max<std::uint64_t>(racer.arrays->output_bytes(), 1);
        const std::size_t wanted = std::max<std::uint64_t>(kCheckedBytes / each, 1);
        std::vector<std::size_t> sets(variants.size());
        for (std::size_t i = 0; i < sets.size(); ++i) sets[i] = i;
        std::ranges::shuffle(sets, random_);
        sets.resize(std::min(sets.size(), wanted));
        for (const std::size_t set : sets) {
            const Outputs found = TRY(racer.arrays->outputs(*device_, set));
            const auto variant = static_cast<std::size_t>(variants[set]);
            if (const auto wrong = difference(racer, found, racer.first[variant]))
                return failed("a timed launch was wrong: " + *wrong);
        }
        return Done{};
    }

    std::unique_ptr<WorkDevice> device_;
    std::vector<Racer> racers_;
    std::optional<RaceMachine> machine_;
    std::mt19937_64 random_;
    int n_ = 1;
    bool cold_ = true;
    std::shared_ptr<std::byte> flush_;
    int flushed_ = 0;
    Conditions conditions_;
};

}  // namespace

Result<std::unique_ptr<Runner>> make_work_runner(std::unique_ptr<WorkDevice> device,
                                                 std::vector<OwnKernel> kernels) {
    std::vector<Racer> racers;
    for (OwnKernel& kernel : kernels) {
        const auto data = work_data_of(kernel.work->data, kernel.work->arrays.size());
        if (!data) return failed(kernel.name + ": " + data.error().message);
        racers.push_back({.kernel = std::move(kernel), .data = *data});
    }
    // WorkArrays point to the works of `racers`, which do not move any more.
    return std::unique_ptr<Runner>(
        std::make_unique<WorkRunner>(std::move(device), std::move(racers)));
}

}  // namespace tilereel
