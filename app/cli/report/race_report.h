#pragma once
// Races as text: a table at the end, and a JSON line for each event.
#include <string>
#include <vector>

#include "app/race/files/race_comparison.h"
#include "app/race/race.h"

namespace tilereel {

// The machine, then a table: kernel, size, GFLOPS, spread, share of the reference, share of the
// peak, verified.
[[nodiscard]] std::string race_text(const Race& race);
// A sample with all its values, or the reason why it is missing. Empty for a successful
// verification.
[[nodiscard]] std::string race_json_line(const Race& race, const RaceEvent& event);
[[nodiscard]] std::string race_json_lines(const Race& race);  // all events

[[nodiscard]] std::string comparison_text(const Race& before, const Race& after);
[[nodiscard]] std::string comparison_json_lines(const Race& before, const Race& after);

}  // namespace tilereel
