#include "app/race/files/race_line_reader.h"

#include <nlohmann/json.hpp>

#include "app/race/files/json_fields.h"
#include "app/race/files/race_file.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

constexpr std::size_t kLongestLine = 1 << 20;
constexpr int kDepthOfEvent = 2;

}  // namespace

Status RaceLineReader::begin(std::string_view line) {
    Race race = TRY(race_of_json(line));
    race.recorded = false;
    race.complete = false;
    if (!race.verified.empty() || !race.samples.empty())
        return failed("a race begins without events");
    race_ = std::move(race);
    events_.emplace(*race_);
    return Done{};
}

Result<std::optional<RaceEvent>> RaceLineReader::take(std::string_view line) {
    const Error wrong = failed("the process that raced wrote something else than a race");
    if (line.size() > kLongestLine) return wrong;
    if (!race_) {
        if (!begin(line)) return wrong;
        return std::optional<RaceEvent>();
    }
    if (nests_deeper(line, kDepthOfEvent)) return wrong;
    const nlohmann::json json = read_json(line);
    if (!json.is_object() || json.size() != 1) return wrong;
    if (const auto verified = json.find("verified"); verified != json.end()) {
        if (!events_->take_verified(*verified) && !events_->take_failure(*verified)) return wrong;
        const auto contender = (*verified)["contender"].get<std::uint32_t>(),
                   size = (*verified)["size"].get<std::uint32_t>();
        return std::optional<RaceEvent>(*find_verified(*race_, contender, size));
    }
    if (const auto sample = json.find("sample"); sample != json.end())
        if (events_->take_sample(*sample)) return std::optional<RaceEvent>(race_->samples.back());
    return wrong;
}

}  // namespace tilereel
