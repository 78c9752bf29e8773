#include "app/replay/arrays/array_placement.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tilereel {
namespace {

struct Use {
    std::uint32_t step = 0;
    std::size_t array = 0;
};

std::vector<Use> uses_in_order(std::span<const std::vector<std::uint32_t>* const> steps) {
    std::vector<Use> uses;
    for (std::size_t array = 0; array < steps.size(); ++array)
        for (const std::uint32_t step : *steps[array]) uses.push_back({step, array});
    std::ranges::stable_sort(uses, {}, &Use::step);
    return uses;
}

std::uint32_t next_use(const std::vector<std::uint32_t>& steps, std::uint32_t after) {
    const auto next = std::ranges::upper_bound(steps, after);
    return next == steps.end() ? std::numeric_limits<std::uint32_t>::max() : *next;
}

}  // namespace

ArrayPlacement::ArrayPlacement(std::span<const std::vector<std::uint32_t>* const> steps,
                               std::size_t places, std::span<const std::size_t> kept) {
    std::vector<std::size_t> place(steps.size());
    for (std::size_t array = 0; array < steps.size(); ++array) place[array] = array;
    const auto is_kept = [&](std::size_t array) {
        return std::ranges::find(kept, array) != kept.end();
    };
    // A kept array that is not large takes the place of the last large array that is not kept.
    for (const std::size_t array : kept) {
        if (place[array] < places) continue;
        for (std::size_t other = steps.size(); other-- > 0;)
            if (place[other] < places && !is_kept(other)) {
                std::swap(place[array], place[other]);
                break;
            }
    }
    changes_.push_back({0, place});
    for (const Use& use : uses_in_order(steps)) {
        if (place[use.array] < places) continue;
        std::size_t evicted = steps.size();
        std::uint32_t farthest = 0;
        for (std::size_t other = 0; other < steps.size(); ++other) {
            if (place[other] >= places || is_kept(other)) continue;
            const std::uint32_t next = next_use(*steps[other], use.step);
            if (evicted == steps.size() || next > farthest) evicted = other, farthest = next;
        }
        if (evicted == steps.size()) continue;  // all large arrays are kept
        std::swap(place[use.array], place[evicted]);
        if (changes_.back().step == use.step)
            changes_.back().places = place;
        else
            changes_.push_back({use.step, place});
    }
}

const std::vector<std::size_t>& ArrayPlacement::at(std::uint32_t step) const {
    const auto after = std::ranges::upper_bound(changes_, step, {}, &Change::step);
    return std::prev(after)->places;
}

}  // namespace tilereel
