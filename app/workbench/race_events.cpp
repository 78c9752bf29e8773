// Takes over the results of a RaceBench's worker into its state.
#include <algorithm>

#include "app/workbench/race_bench_state.h"

namespace tilereel {

ShownRace* RaceBench::State::race_of(RaceId id) {
    if (pair && pair->race.id == id) return &pair->race;
    if (shown && shown->file.empty() && shown->id == id) return &*shown;
    if (own && own->id == id) return &*own;
    return nullptr;
}

void RaceBench::State::take(DeviceFound& news) {
    looking = false;
    looked = true;
    if (news.machine) {
        machine = *news.machine;
        why_no_gpu = std::move(news.why_no_gpu);
        if (next.contenders.empty()) next = first_request(machine->gpu);
    } else {
        fault = news.machine.error().message;
    }
    if (!postponed.empty()) worker.count(std::exchange(postponed, {}), count_when(false));
    if (pair && !pair->has_race() && !pair->race.running) race_pair();
}

void RaceBench::State::take(RaceBegun& news) {
    if (pair && pair->race.id == news.id) {
        pair->race.race = std::move(news.race);
        pair_changed = true;
        return;
    }
    if (news.id != newest) return;
    begun_waiting = false;
    ShownRace begun{
        .race = std::move(news.race), .figures = {}, .file = {}, .running = true, .id = news.id};
    begun.figures = figures_of(begun.race, true);
    own.reset();
    show(std::move(begun));
}

void RaceBench::State::take(RaceProgressed& news) {
    ShownRace* race = race_of(news.id);
    if (race == nullptr) return;
    add(race->race, news.event);
    changed = true;
}

void RaceBench::State::take(RaceEnded& news) {
    ShownRace* race = race_of(news.id);
    if (news.id == newest) begun_waiting = false;
    cancelling = false;
    if (race != nullptr) {
        race->running = false;
        race->race.complete = news.status.has_value();
        changed = true;
    }
    if (news.status || news.status.error().kind == ErrorKind::kCancelled) return;
    if (pair && pair->race.id == news.id)
        pair->sentence = news.status.error().message;
    else
        message = news.status.error().message;
}

void RaceBench::State::take(LaunchCounted& news) {
    std::erase(counting, news.launch);
    counted.emplace_back(news.launch, news.counts);
    if (!news.counts) return;
    const auto& [kernel, parameters] = news.launch;
    for (const Contender& contender :
         {Contender{kernel, parameters.tile, parameters.pad}, Contender{kernel}})
        if (small_launch(contender) == news.launch) sized.emplace_back(contender, *news.counts);
}

void RaceBench::State::take(RaceRead& news) {
    --errands;
    if (!news.race) {
        message = news.race.error().message;
        return;
    }
    if (news.purpose == RaceFor::kFirstSight && (shown || begun_waiting)) return;
    Race race = std::move(news.race).value();
    race.recorded = true;
    ShownRace read{.race = std::move(race), .figures = {}, .file = news.path};
    read.figures = figures_of(read.race);
    if (std::ranges::find(files, news.path) == files.end()) files.push_back(news.path);
    if (news.purpose == RaceFor::kComparison)
        compared = std::move(read);
    else
        show(std::move(read));
}

void RaceBench::State::take(RacesScanned& news) {
    --errands;
    if (!pair || pair->race.id != news.id) return;
    pair->looking.clear();
    if (!news.race) {
        pair->sentence =
            (machine ? std::string("This kernel cannot race on this computer") : fault) +
            ", and no recorded race has both kernels";
        return;
    }
    news.race->recorded = true;
    pair->race.race = std::move(*news.race);
    pair_changed = true;
}

void RaceBench::State::take(FileWritten& news) {
    --errands;
    saved(news.path, news.status);
}

// Called once a frame, however many samples have arrived.
void RaceBench::State::refresh() {
    if (changed) {
        if (shown && shown->file.empty()) {
            shown->figures = figures_of(shown->race, shown->running);
            view.lines.suggest(default_lines(shown->race, shown->figures));
        }
        if (own) own->figures = figures_of(own->race, own->running);
    }
    if ((changed || pair_changed) && pair && pair->has_race())
        pair->race.figures = figures_of(pair->race.race, pair->race.running);
    changed = pair_changed = false;
}

}  // namespace tilereel
