#include "app/race/files/checked_events.h"

#include <limits>

#include "app/race/files/json_fields.h"
#include "app/race/files/race_file.h"

namespace tilereel {
namespace {

template <class Event>
void take_place(JsonFields& fields, const RaceRequest& request, Event& event) {
    if (request.contenders.empty() || request.sizes.empty())
        return fields.whole("contender", event.contender, 1, 0);  // always fails
    fields.whole("contender", event.contender, 0, request.contenders.size() - 1);
    fields.whole("size", event.size, 0, request.sizes.size() - 1);
}

}  // namespace

bool CheckedEvents::read(const nlohmann::json& json, Verified& verified) const {
    JsonFields fields(json);
    take_place(fields, race_.request, verified);
    fields.choice("outcome", verified.outcome,
                  {Outcome::kVerified, Outcome::kWrong, Outcome::kFailed, Outcome::kSkipped,
                   Outcome::kUnchecked});
    fields.real("worst_error", verified.worst_error, 0, std::numeric_limits<double>::max());
    fields.text_if_there("sentence", verified.sentence);
    fields.text_if_there("checked", verified.checked);
    return fields.sound();
}

bool CheckedEvents::take_verified(const nlohmann::json& json) {
    Verified verified;
    if (!read(json, verified)) return false;
    if (!outcomes_.insert({{verified.contender, verified.size}, verified.outcome}).second)
        return false;
    add(race_, verified);
    return true;
}

bool CheckedEvents::take_failure(const nlohmann::json& json) {
    Verified verified;
    if (!read(json, verified) || is_timed(verified.outcome)) return false;
    const auto former = outcomes_.find({verified.contender, verified.size});
    if (former == outcomes_.end() || !is_timed(former->second)) return false;
    former->second = verified.outcome;
    add(race_, verified);
    return true;
}

bool CheckedEvents::take_sample(const nlohmann::json& json) {
    Sample sample;
    JsonFields fields(json);
    take_place(fields, race_.request, sample);
    fields.whole("repeat", sample.repeat, 0, kMostRepeats - 1);
    fields.whole("launches", sample.launches, 1, kMostLaunches);
    fields.real("milliseconds", sample.milliseconds, 1e-9, kMostMilliseconds);
    fields.real_if_there("sm_clock_mhz", sample.conditions.sm_clock_mhz, 0, 1e6);
    fields.real_if_there("temperature_c", sample.conditions.temperature_c, -273.15, 1e4);
    fields.real_if_there("power_w", sample.conditions.power_w, 0, 1e6);
    if (!fields.sound() || race_.samples.size() == kMostSamples) return false;
    // Computed from the time; the speed in the text is ignored.
    sample.rate = rate_at(race_.request, sample.size, sample.milliseconds);
    // A contender that is wrong was never timed. One that failed may have been timed before.
    const auto outcome = outcomes_.find({sample.contender, sample.size});
    const bool timed = outcome != outcomes_.end() &&
                       (is_timed(outcome->second) || outcome->second == Outcome::kFailed);
    if (!timed || !seen_.insert({sample.contender, sample.size, sample.repeat}).second)
        return false;
    add(race_, sample);
    return true;
}

}  // namespace tilereel
