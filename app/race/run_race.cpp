// The engine of a race: verifies, warms up and samples, and reports each step.
#include <algorithm>
#include <cmath>

#include "app/race/race.h"

namespace tilereel {
namespace {

constexpr int kMostTrials = 4;   // to find how many launches a sample needs
constexpr double kWarmMs = 250;  // after this much work the device is warm, even after few launches

class Engine {
  public:
    Engine(const RaceRequest& request, Runner& runner, const RaceListener& listener,
           const std::atomic<bool>& cancel)
        : request_(request), runner_(runner), listener_(listener), cancel_(cancel) {}

    Status run() {
        for (size_ = 0; size_ < request_.sizes.size(); ++size_) TRY(race_at_size());
        return Done{};
    }

  private:
    // A contender that races at the current size.
    struct Entrant {
        std::uint32_t contender = 0;
        int launches = 1;       // of one sample
        double sampled_ms = 0;  // all of its samples
        int samples = 0;
        bool failed = false;
    };

    [[nodiscard]] bool is_cancelled() const { return cancel_.load(std::memory_order_relaxed); }

    void report(Verified verified, std::uint32_t contender) const {
        verified.contender = contender;
        verified.size = static_cast<std::uint32_t>(size_);
        listener_(verified);
    }
    void report(Outcome outcome, const std::string& sentence, std::uint32_t contender) const {
        report(Verified{.outcome = outcome, .sentence = sentence}, contender);
    }

    // The contenders that take this size and compute a right C.
    Result<std::vector<Entrant>> verified_entrants() {
        std::vector<Entrant> entrants;
        for (std::uint32_t at = 0; at < request_.contenders.size(); ++at) {
            const Status taken = takes(request_.contenders[at], request_.sizes[size_]);
            if (taken)
                entrants.push_back({.contender = at});
            else
                report(Outcome::kSkipped, taken.error().message, at);
        }
        if (entrants.empty()) return entrants;
        const Status prepared =
            runner_.prepare(request_.sizes[size_], request_.caches, request_.seed);
        for (Entrant& entrant : entrants) {
            if (is_cancelled()) return cancelled();
            entrant.failed = true;
            if (!prepared) {
                report(Outcome::kFailed, prepared.error().message, entrant.contender);
                continue;
            }
            const auto verified = runner_.verify(request_.contenders[entrant.contender], cancel_);
            if (!verified && is_cancelled()) return cancelled();
            if (verified)
                report(*verified, entrant.contender);
            else
                report(verified.error().kind == ErrorKind::kWrongCall ? Outcome::kSkipped
                                                                      : Outcome::kFailed,
                       verified.error().message, entrant.contender);
            entrant.failed = !verified || !is_timed(verified->outcome);
        }
        std::erase_if(entrants, [](const Entrant& entrant) { return entrant.failed; });
        return entrants;
    }

    // Milliseconds of one launch. An entrant that fails is reported and not timed again.
    std::optional<double> time(Entrant& entrant, int launches) {
        const auto timed = runner_.time(request_.contenders[entrant.contender], launches, cancel_);
        if (timed) return *timed;
        entrant.failed = true;
        if (!is_cancelled()) report(Outcome::kFailed, timed.error().message, entrant.contender);
        return std::nullopt;
    }

    // Launches until the device is warm and the number of launches of a sample is known. The number
    // is found by trials, because the time of a few launches includes their overhead.
    void warm_up(Entrant& entrant) {
        int warmed = 0;
        double warmed_ms = 0;
        for (int trial = 1;; ++trial) {
            if (is_cancelled()) return;
            const auto milliseconds = time(entrant, entrant.launches);
            if (!milliseconds) return;
            warmed += entrant.launches;
            warmed_ms += *milliseconds * entrant.launches;
            const bool known = *milliseconds * entrant.launches >= request_.least_sample_ms ||
                               entrant.launches == kMostLaunches || trial >= kMostTrials;
            if (known && (warmed >= request_.warm_ups || warmed_ms >= kWarmMs)) return;
            if (known) continue;
            const double margin = 1.1;
            const double wanted = margin * request_.least_sample_ms / std::max(*milliseconds, 1e-6);
            entrant.launches = static_cast<int>(
                std::clamp(std::ceil(wanted), double(entrant.launches), double(kMostLaunches)));
        }
    }

    void sample(Entrant& entrant, int repeat) {
        const auto milliseconds = time(entrant, entrant.launches);
        if (!milliseconds) return;
        entrant.sampled_ms += *milliseconds * entrant.launches;
        ++entrant.samples;
        const double least_ms = 1e-9;  // not 0, even if the clock is too coarse
        const double lasted = std::max(*milliseconds, least_ms);
        listener_(Sample{.contender = entrant.contender,
                         .size = static_cast<std::uint32_t>(size_),
                         .repeat = static_cast<std::uint32_t>(repeat),
                         .launches = entrant.launches,
                         .milliseconds = lasted,
                         .rate = rate_at(request_, size_, lasted),
                         .conditions = runner_.conditions()});
    }

    Status race_at_size() {
        if (is_cancelled()) return cancelled();
        auto entrants = TRY(verified_entrants());
        for (Entrant& entrant : entrants) warm_up(entrant);
        for (int repeat = 0; repeat < request_.repeats; ++repeat) {
            for (Entrant& entrant : entrants) {
                if (is_cancelled()) return cancelled();
                const bool enough =
                    entrant.samples >= kLeastRepeats && entrant.sampled_ms >= request_.enough_ms;
                if (!entrant.failed && !enough) sample(entrant, repeat);
            }
        }
        if (is_cancelled()) return cancelled();
        return Done{};
    }

    const RaceRequest& request_;
    Runner& runner_;
    const RaceListener& listener_;
    const std::atomic<bool>& cancel_;
    std::size_t size_ = 0;
};

}  // namespace

Status run_race(const RaceRequest& request, Runner& runner, const RaceListener& listener,
                const std::atomic<bool>& cancel) {
    TRY(check_request(request));
    struct Release {
        Runner& runner;
        ~Release() { runner.release(); }
    } const release{runner};
    return Engine(request, runner, listener, cancel).run();
}

}  // namespace tilereel
