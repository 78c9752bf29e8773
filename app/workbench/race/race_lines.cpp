#include "app/workbench/race/race_lines.h"

#include <algorithm>
#include <numeric>

namespace tilereel {

void RaceLines::begin(std::size_t contenders) {
    slots_.assign(contenders, std::nullopt);
    hidden_.assign(contenders, false);
    only_.reset();
    chosen_ = false;
}

void RaceLines::add(std::uint32_t contender) {
    if (contender >= slots_.size() || slots_[contender]) return;
    std::size_t slot = 0;
    while (std::ranges::find(slots_, slot) != slots_.end()) ++slot;
    slots_[contender] = slot;
}

void RaceLines::set(const std::vector<std::uint32_t>& strong) {
    for (std::uint32_t c = 0; c < slots_.size(); ++c)
        if (std::ranges::find(strong, c) == strong.end()) slots_[c].reset();
    for (const std::uint32_t c : strong) add(c);
}

void RaceLines::suggest(const std::vector<std::uint32_t>& strong) {
    if (!chosen_) set(strong);
}

void RaceLines::toggle_hidden(std::uint32_t contender) {
    if (contender >= hidden_.size()) return;
    touch();
    hidden_[contender] = !hidden_[contender];
}

void RaceLines::toggle_strong(std::uint32_t contender) {
    if (contender >= slots_.size()) return;
    touch();
    const bool strong = shown(contender) == LineShown::kStrong;
    if (only_) set({*only_});  // begins with the line that is shown
    only_.reset();
    hidden_[contender] = false;
    if (strong)
        slots_[contender].reset();
    else
        add(contender);
}

void RaceLines::toggle_only(std::uint32_t contender) {
    if (contender >= slots_.size()) return;
    touch();
    if (only_ == contender) {
        only_.reset();
        return;
    }
    hidden_[contender] = false;
    only_ = contender;
}

void RaceLines::make_strong(const std::vector<std::uint32_t>& strong) {
    touch();
    hidden_.assign(slots_.size(), false);
    only_.reset();
    set(strong);
}

void RaceLines::thin_all() { make_strong({}); }

LineShown RaceLines::shown(std::uint32_t contender) const {
    if (contender >= slots_.size() || hidden_[contender]) return LineShown::kHidden;
    const bool strong = only_ ? *only_ == contender : slots_[contender].has_value();
    return strong ? LineShown::kStrong : LineShown::kThin;
}

std::optional<std::size_t> RaceLines::slot(std::uint32_t contender) const {
    if (shown(contender) != LineShown::kStrong) return std::nullopt;
    return slots_[contender].value_or(0);
}

std::size_t RaceLines::count(LineShown what) const {
    std::size_t count = 0;
    for (std::uint32_t c = 0; c < slots_.size(); ++c) count += shown(c) == what;
    return count;
}

std::vector<std::uint32_t> default_lines(const Race& race, const RaceFigures& figures) {
    const std::vector<Contender>& all = race.request.contenders;
    std::vector<std::uint32_t> lines(all.size());
    std::iota(lines.begin(), lines.end(), 0u);
    if (all.size() <= kFewLines) return lines;
    lines.clear();
    for (std::uint32_t c = 0; c < all.size(); ++c)
        if (is_reference(all[c]) || is_own(all[c])) lines.push_back(c);
    const std::optional<std::uint32_t> size = default_size(race, figures);
    if (!size) return lines;

    struct Rung {
        std::uint32_t contender = 0;
        double gflops = 0, step = 0;  // over the fastest before it
    };
    std::vector<Rung> rungs;  // the fastest of each kernel, in the order of the ladder
    for (std::uint32_t c = 0; c < all.size(); ++c) {
        const auto gflops = figures.median(c, *size);
        if (is_reference(all[c]) || is_own(all[c]) || !gflops) continue;
        const auto same = std::ranges::find_if(
            rungs, [&](const Rung& r) { return all[r.contender].kernel == all[c].kernel; });
        if (same == rungs.end())
            rungs.push_back({c, *gflops, 0});
        else if (*gflops > same->gflops)
            *same = {c, *gflops, 0};
    }
    std::ranges::stable_sort(rungs, {}, [&](const Rung& r) { return all[r.contender].kernel; });
    double fastest = 0;
    std::vector<Rung> steps;
    for (Rung& rung : rungs) {
        if (rung.gflops <= fastest) continue;
        rung.step = fastest > 0 ? rung.gflops / fastest : 1e300;  // the first is always shown
        fastest = rung.gflops;
        steps.push_back(rung);
    }
    std::ranges::stable_sort(steps, std::ranges::greater{}, &Rung::step);
    // The fastest kernel is shown, however small its step is.
    const auto top = std::ranges::max_element(steps, {}, &Rung::gflops);
    if (top != steps.end() && top - steps.begin() >= static_cast<std::ptrdiff_t>(kDefaultRungs))
        std::swap(*top, steps[kDefaultRungs - 1]);
    if (steps.size() > kDefaultRungs) steps.resize(kDefaultRungs);
    std::ranges::sort(steps, {}, [&](const Rung& r) { return all[r.contender].kernel; });
    for (const Rung& rung : steps) lines.push_back(rung.contender);
    return lines;
}

}  // namespace tilereel
