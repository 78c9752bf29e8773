#include "app/workbench/race/race_now.h"

#include <algorithm>
#include <vector>

namespace tilereel {
namespace {

// What was reported at one size.
class SizeReports {
  public:
    SizeReports(const Race& race, std::uint32_t size)
        : race_(race), size_(size), entrants_(race.request.contenders.size()) {
        for (const Verified& verified : race.verified)
            if (verified.size == size) entrants_[verified.contender].outcome = verified.outcome;
        for (const Sample& sample : race.samples) {
            if (sample.size != size) continue;
            Entrant& entrant = entrants_[sample.contender];
            ++entrant.samples;
            entrant.milliseconds += sample.milliseconds * sample.launches;
            last_ = sample;
        }
    }

    [[nodiscard]] std::optional<RaceNow> next() const {
        if (last_) return next_sample();
        for (std::uint32_t c = 0; c < entrants_.size(); ++c) {
            const bool takes_it =
                takes(race_.request.contenders[c], race_.request.sizes[size_]).has_value();
            if (!entrants_[c].outcome && takes_it)
                return RaceNow{RaceNow::Doing::kChecks, c, size_, 0};
        }
        const auto right = std::ranges::find_if(
            entrants_, [](const Entrant& each) { return each.outcome && is_timed(*each.outcome); });
        if (right == entrants_.end()) return std::nullopt;
        return RaceNow{RaceNow::Doing::kWarmsUp,
                       static_cast<std::uint32_t>(right - entrants_.begin()), size_, 0};
    }

  private:
    struct Entrant {
        std::optional<Outcome> outcome;
        int samples = 0;
        double milliseconds = 0;  // of all samples
    };

    [[nodiscard]] bool goes_on(const Entrant& entrant) const {
        const bool enough =
            entrant.samples >= kLeastRepeats && entrant.milliseconds >= race_.request.enough_ms;
        return entrant.outcome && is_timed(*entrant.outcome) && !enough;
    }

    // The contenders take turns: one sample each, then the next repetition.
    [[nodiscard]] std::optional<RaceNow> next_sample() const {
        const auto count = static_cast<std::uint32_t>(entrants_.size());
        const auto repeats = static_cast<std::uint32_t>(std::max(race_.request.repeats, 0));
        for (std::uint32_t step = 1; step <= count; ++step) {
            const std::uint32_t c = (last_->contender + step) % count;
            const std::uint32_t repeat = last_->repeat + (c <= last_->contender ? 1 : 0);
            if (repeat < repeats && goes_on(entrants_[c]))
                return RaceNow{RaceNow::Doing::kSamples, c, size_, repeat};
        }
        return std::nullopt;
    }

    const Race& race_;
    std::uint32_t size_;
    std::vector<Entrant> entrants_;
    std::optional<Sample> last_;
};

}  // namespace

std::optional<std::uint32_t> latest_size(const Race& race) {
    std::optional<std::uint32_t> size;
    if (!race.samples.empty()) size = race.samples.back().size;
    // An empty optional is less than any size.
    if (!race.verified.empty()) size = std::max(size, std::optional(race.verified.back().size));
    return size;
}

std::optional<RaceNow> now_of(const Race& race) {
    for (std::uint32_t size = latest_size(race).value_or(0); size < race.request.sizes.size();
         ++size)
        if (auto now = SizeReports(race, size).next()) return now;
    return std::nullopt;
}

}  // namespace tilereel
