#pragma once
// Reads the events of a race from untrusted JSON, of a file or of a process that races. Checks
// them: each occurs once, and only after the events that it requires.
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "app/race/race.h"

namespace tilereel {

inline constexpr std::size_t kMostSamples = 500'000;

class CheckedEvents {
  public:
    // Adds to `race`, whose request is known.
    explicit CheckedEvents(Race& race) : race_(race) {}

    // Whether it is sound; only then it is added.
    bool take_verified(const nlohmann::json& json);
    bool take_sample(const nlohmann::json& json);
    // A contender whose launch fails after the check is verified a second time, as failed.
    bool take_failure(const nlohmann::json& json);

  private:
    using Place = std::pair<std::uint32_t, std::uint32_t>;  // contender, size
    [[nodiscard]] bool read(const nlohmann::json& json, Verified& verified) const;

    Race& race_;
    std::map<Place, Outcome> outcomes_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen_;
};

}  // namespace tilereel
