#include "app/stage/plan/transfers.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilereel::stage {
namespace {

constexpr double kLeastTicks = 1;  // a shorter way could not be seen

// With conflicts, the values stand at their banks when the first wavefront begins.
bool has_conflicts(const Replay& replay, std::uint32_t step) {
    return replay.schedule().costs[step].bank_conflicts > 0;
}

double begin_of(const Replay& replay, std::uint32_t step) {
    return static_cast<double>(replay.schedule().steps[step].begin);
}

}  // namespace

void Transfers::plan(const Replay& replay, std::vector<DrawnFlight>& drawn) {
    legs_.clear();
    still_.clear();
    by_step_.clear();
    rests_.clear();
    slots_ = slots_of_warp_ = 0;
    longest_ = longest_rest_ = 0;
    const std::vector<Flight>& flights = replay.flights();
    std::map<std::uint32_t, Group> loads;
    for (std::uint32_t i = 0; i < flights.size(); ++i)
        loads[flights[i].load_step].flights.push_back(i);
    for (const auto& [step, load] : loads) plan_load(replay, load, drawn);
    plan_stores(replay, drawn);
    std::ranges::stable_sort(legs_, {}, &Leg::begin);
    let_three_move(drawn, flights);
    std::ranges::stable_sort(legs_, {}, &Leg::begin);
    place_rests(replay);
    for (const Leg& leg : legs_) longest_ = std::max(longest_, leg.end - leg.begin);
    std::size_t all = 0;
    for (const std::vector<Leg>* legs : {&legs_, &still_})
        for (const Leg& leg : *legs) {
            const std::size_t index = all++;
            by_step_.emplace_back(leg.step, index);
            const std::uint32_t store = flights[leg.flights.front()].store_step;
            if (leg.kind == LegKind::kDirect) by_step_.emplace_back(store, index);
        }
    std::ranges::sort(by_step_);
}

void Transfers::plan_load(const Replay& replay, const Group& load,
                          std::vector<DrawnFlight>& drawn) {
    const std::vector<Flight>& flights = replay.flights();
    const Flight& first = flights[load.flights.front()];
    const Site& site = replay.trace().sites[replay.schedule().steps[first.load_step].site];
    const bool copies = site.operation == Operation::kCopyLoad;
    const double begin = begin_of(replay, first.load_step);
    double first_store = begin_of(replay, first.store_step);
    double land = drawn[load.flights.front()].land;  // the whole object lands with its first value
    bool one_store = true;
    for (const std::uint32_t i : load.flights) {
        first_store = std::min(first_store, begin_of(replay, flights[i].store_step));
        one_store = one_store && flights[i].store_step == first.store_step;
        land = std::min(land, drawn[i].land);
    }
    Leg leg{LegKind::kDirect, begin, land, first.load_step, 0, load.flights};
    // An asynchronous copy does not pass through registers: it waits in its shared cell.
    if (copies) leg.end = std::min(land, begin + kLoadTicks);
    const bool direct = copies || (one_store && first_store <= begin + kDirectTicks);
    if (!direct) {
        leg.kind = LegKind::kLoad;
        leg.end = std::min(begin + kLoadTicks, first_store);
        rests_.push_back({leg.end, first_store, 0, first.load_step, first.from});
    }
    if (direct && !copies && has_conflicts(replay, first.store_step))
        leg.end = std::max(first_store, begin + kLeastTicks);
    for (const std::uint32_t i : load.flights) {
        drawn[i].direct = direct;
        if (direct && !copies) drawn[i].land = land;
    }
    legs_.push_back(std::move(leg));
}

void Transfers::plan_stores(const Replay& replay, const std::vector<DrawnFlight>& drawn) {
    const std::vector<Flight>& flights = replay.flights();
    std::map<std::uint32_t, double> rests_from;  // by load
    for (const Rest& rest : rests_) rests_from[rest.step] = rest.from;
    std::map<std::uint32_t, Leg> stores;
    for (std::uint32_t i = 0; i < flights.size(); ++i) {
        if (drawn[i].direct) continue;
        const std::uint32_t step = flights[i].store_step;
        const bool conflicts = has_conflicts(replay, step);
        const double begin = begin_of(replay, step);
        Leg& leg = stores[step];
        if (leg.flights.empty())
            leg = {LegKind::kStore,
                   begin - (conflicts ? 2 : 1),
                   conflicts ? begin : drawn[i].land,
                   step,
                   0,
                   {}};
        leg.begin = std::max(leg.begin, rests_from[flights[i].load_step]);
        leg.end = std::min(leg.end, drawn[i].land);
        leg.flights.push_back(i);
    }
    for (auto& [step, leg] : stores) legs_.push_back(std::move(leg));
}

// Where three objects move already, a leg begins later, if enough of its time is left.
void Transfers::let_three_move(std::vector<DrawnFlight>& drawn,
                               const std::vector<Flight>& flights) {
    std::vector<Leg> moving;
    std::vector<double> ends(kMostMoving, -1);  // of the objects that moved last
    for (Leg& leg : legs_) {
        const auto free = std::ranges::min_element(ends);
        const double begin = std::max(leg.begin, *free);
        if (leg.end - begin < std::min(kLeastTicks, leg.end - leg.begin) || leg.end <= begin) {
            if (leg.kind == LegKind::kDirect)
                for (const std::uint32_t i : leg.flights) {
                    drawn[i].direct = false;
                    drawn[i].land = static_cast<double>(flights[i].land);
                }
            still_.push_back(std::move(leg));
            continue;
        }
        if (leg.kind == LegKind::kDirect)
            for (const std::uint32_t i : leg.flights)
                drawn[i].leave = std::max(drawn[i].leave, begin);
        leg.begin = begin;
        *free = leg.end;
        moving.push_back(std::move(leg));
    }
    legs_ = std::move(moving);
}

// Gives each load a slot of its warp until its last value is on its way to shared memory.
void Transfers::place_rests(const Replay& replay) {
    std::map<std::uint32_t, double> leaves;  // by store: when its values leave the registers
    for (const Leg& leg : legs_)
        if (leg.kind == LegKind::kStore) leaves[leg.step] = leg.begin;
    std::map<std::uint32_t, std::size_t> rest_of;  // by load
    std::ranges::stable_sort(rests_, {}, &Rest::from);
    for (std::size_t i = 0; i < rests_.size(); ++i) rest_of[rests_[i].step] = i;
    for (const Flight& flight : replay.flights()) {
        const auto its = rest_of.find(flight.load_step);
        if (its == rest_of.end()) continue;
        const auto left = leaves.find(flight.store_step);
        Rest& rest = rests_[its->second];
        rest.until = std::max(
            rest.until, left != leaves.end() ? left->second : begin_of(replay, flight.store_step));
    }
    std::map<std::uint32_t, std::vector<double>> held;  // by warp: when each of its slots is free
    const auto warp_of = [&](std::uint32_t step) { return replay.schedule().steps[step].warp; };
    for (Rest& rest : rests_) {
        std::vector<double>& slots = held[warp_of(rest.step)];
        const double loaded = begin_of(replay, rest.step);
        const auto free = std::ranges::find_if(slots, [&](double at) { return at <= loaded; });
        rest.slot = static_cast<std::uint32_t>(free - slots.begin());
        if (free == slots.end())
            slots.push_back(rest.until);
        else
            *free = rest.until;
        slots_of_warp_ = std::max(slots_of_warp_, rest.slot + 1);
    }
    for (const Rest& rest : rests_) longest_rest_ = std::max(longest_rest_, rest.until - rest.from);
    for (Rest& rest : rests_) rest.slot += warp_of(rest.step) * slots_of_warp_;
    if (!rests_.empty()) slots_ = slots_of_warp_ * std::max(1u, replay.trace().launch.warps());
    for (std::vector<Leg>* legs : {&legs_, &still_})
        for (Leg& leg : *legs) {
            const std::uint32_t load = replay.flights()[leg.flights.front()].load_step;
            if (const auto its = rest_of.find(load); its != rest_of.end())
                leg.slot = rests_[its->second].slot;
        }
}

const Leg* Transfers::leg_of(std::uint32_t step) const {
    const auto at =
        std::ranges::lower_bound(by_step_, step, {}, &std::pair<std::uint32_t, std::size_t>::first);
    if (at == by_step_.end() || at->first != step) return nullptr;
    return at->second < legs_.size() ? &legs_[at->second] : &still_[at->second - legs_.size()];
}

Transfers::Range Transfers::legs_near(double ticks) const {
    const auto begin = std::ranges::lower_bound(legs_, ticks - longest_, {}, &Leg::begin);
    const auto end = std::ranges::upper_bound(begin, legs_.end(), ticks, {}, &Leg::begin);
    return {static_cast<std::size_t>(begin - legs_.begin()),
            static_cast<std::size_t>(end - legs_.begin())};
}

}  // namespace tilereel::stage
