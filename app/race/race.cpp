#include "app/race/race.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace tilereel {
namespace {

// A quantile of sorted values, by linear interpolation between the two nearest ones.
double quantile(const std::vector<double>& sorted, double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

std::string now_in_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[sizeof "2026-01-31T23:59:59Z"];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace

void add(Race& race, const RaceEvent& event) {
    if (const auto* sample = std::get_if<Sample>(&event)) {
        race.samples.push_back(*sample);
        return;
    }
    const auto& verified = std::get<Verified>(event);
    const auto former = std::ranges::find_if(race.verified, [&](const Verified& each) {
        return each.contender == verified.contender && each.size == verified.size;
    });
    if (former == race.verified.end())
        race.verified.push_back(verified);
    else
        *former = verified;
}

const Verified* find_verified(const Race& race, std::uint32_t contender, std::uint32_t size) {
    const auto found = std::ranges::find_if(race.verified, [&](const Verified& each) {
        return each.contender == contender && each.size == size;
    });
    return found == race.verified.end() ? nullptr : &*found;
}

Statistics statistics_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    return {.median = quantile(values, 0.5),
            .first_quartile = quantile(values, 0.25),
            .third_quartile = quantile(values, 0.75),
            .least = values.front(),
            .most = values.back(),
            .count = values.size()};
}

std::optional<Statistics> rates_of(const Race& race, std::uint32_t contender, std::uint32_t size) {
    std::vector<double> values;
    for (const Sample& sample : race.samples)
        if (sample.contender == contender && sample.size == size) values.push_back(sample.rate);
    if (values.empty()) return std::nullopt;
    return statistics_of(std::move(values));
}

Race new_race(const RaceRequest& request, Runner& runner, const std::atomic<bool>& cancel) {
    Race race;
    race.request = request;
    race.machine = runner.machine(cancel);
    race.date = now_in_utc();
    for (const Contender& contender : request.contenders) {
        auto resources = runner.resources(contender);
        race.resources.push_back(resources ? std::optional(*resources) : std::nullopt);
    }
    if (std::ranges::none_of(race.resources, [](const auto& each) { return each.has_value(); }))
        race.resources.clear();
    return race;
}

}  // namespace tilereel
