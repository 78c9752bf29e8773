#pragma once
// What a race that runs is doing now, from what it has reported.
#include <cstdint>
#include <optional>

#include "app/race/race.h"

namespace tilereel {

struct RaceNow {
    enum class Doing : std::uint8_t { kChecks, kWarmsUp, kSamples };
    Doing doing = Doing::kChecks;
    std::uint32_t contender = 0, size = 0;  // kWarmsUp: all contenders of this size, in turn
    std::uint32_t repeat = 0;               // kSamples: counted from 0
};

// The size of the last event: sizes are raced in their order. nullopt: there was no event.
[[nodiscard]] std::optional<std::uint32_t> latest_size(const Race& race);
// The next step of run_race() after the race's last event. nullopt: nothing is left to do.
[[nodiscard]] std::optional<RaceNow> now_of(const Race& race);

}  // namespace tilereel
