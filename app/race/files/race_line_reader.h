#pragma once
// Reads what another process writes while it races (race_line() and event_line()). The lines are
// untrusted: a kernel of the user's own ran in that process.
#include <optional>
#include <string_view>

#include "app/race/files/checked_events.h"

namespace tilereel {

class RaceLineReader {
  public:
    // nullopt: it was the first line, and race() is set. kFailed: it is none of the lines of a
    // race.
    Result<std::optional<RaceEvent>> take(std::string_view line);
    [[nodiscard]] const Race* race() const { return race_ ? &*race_ : nullptr; }

  private:
    Status begin(std::string_view line);
    std::optional<Race> race_;
    std::optional<CheckedEvents> events_;  // of `race_`
};

}  // namespace tilereel
