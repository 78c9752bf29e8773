#pragma once
// Races as text: a table at the end, a JSON line for each event.
#include <string>
#include <vector>

#include "app/race/race.h"
#include "app/race/race_comparison.h"

namespace tilereel {

// The machine, then kernel, size, GFLOPS, of the reference, of the peak, verified.
[[nodiscard]] std::string race_text(const Race& race);
// A sample with all that is known of it, or why there is none; empty for what is verified.
[[nodiscard]] std::string race_json_line(const Race& race, const RaceEvent& event);
[[nodiscard]] std::string race_json_lines(const Race& race);  // of all its events

[[nodiscard]] std::string comparison_text(const Race& before, const Race& after);
[[nodiscard]] std::string comparison_json_lines(const Race& before, const Race& after);

}  // namespace tilereel
