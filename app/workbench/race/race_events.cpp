// Takes over the results of a RaceBench's worker into its state.
#include <algorithm>
#include <utility>

#include "app/workbench/race/race_bench_state.h"

namespace tilereel {

ShownRace* RaceBench::State::race_of(RaceId id) {
    if (pair && pair->race.id == id) return &pair->race;
    if (shown && shown->file.empty() && shown->id == id) return &*shown;
    if (own && own->id == id) return &*own;
    return nullptr;
}

void RaceBench::State::take(DeviceFound& update) {
    looking = false;
    looked = true;
    if (update.machine) {
        machine = *update.machine;
        why_no_gpu = std::move(update.why_no_gpu);
        if (next.contenders.empty()) next = first_request(machine->gpu);
    } else {
        fault = update.machine.error().message;
    }
    // Without contenders, nothing was chosen yet: the first race of the device.
    if (auto asked = std::exchange(wanted, std::nullopt))
        start(asked->contenders.empty() ? next : *std::move(asked));
    if (!postponed.empty()) worker.count(std::exchange(postponed, {}), count_when(false));
    if (pair && !pair->has_race() && !pair->race.running) race_pair();
}

void RaceBench::State::take(RaceBegun& update) {
    if (pair && pair->race.id == update.id) {
        pair->race.race = std::move(update.race);
        pair_changed = true;
        return;
    }
    if (update.id != newest) return;
    awaiting_begin = false;
    stage.clear();
    ShownRace begun{.race = std::move(update.race),
                    .figures = {},
                    .file = {},
                    .running = true,
                    .id = update.id};
    begun.figures = figures_of(begun.race, true);
    own.reset();
    former = shown;
    show(std::move(begun));
}

void RaceBench::State::take(RaceProgressed& update) {
    ShownRace* race = race_of(update.id);
    if (race == nullptr) return;
    add(race->race, update.event);
    changed = true;
}

void RaceBench::State::take(RaceEnded& update) {
    ShownRace* race = race_of(update.id);
    if (update.id == newest) {
        awaiting_begin = false;
        stage.clear();
    }
    cancelling = false;
    if (race != nullptr) {
        race->running = false;
        race->race.complete = update.status.has_value();
        if (!pair || race != &pair->race) keep(race->race);
        changed = true;
    }
    // A race that was cancelled before its first sample leaves what was shown before.
    const bool came_to_nothing = race != nullptr && shown && race == &*shown && !update.status &&
                                 update.status.error().kind == ErrorKind::kCancelled &&
                                 race->race.samples.empty();
    if (came_to_nothing && former) {
        shown.reset();
        show(*std::move(former));
    }
    if (update.id == newest) former.reset();
    if (update.status || update.status.error().kind == ErrorKind::kCancelled) return;
    if (pair && pair->race.id == update.id)
        pair->sentence = update.status.error().message;
    else
        message = update.status.error().message;
}

void RaceBench::State::take(LaunchCounted& update) {
    std::erase(counting, update.launch);
    counted.emplace_back(update.launch, update.counts);
    if (!update.counts) return;
    const auto& [kernel, parameters] = update.launch;
    // The launch also counts for the contender without a TILE if that chooses the same tiles.
    for (const Contender& contender :
         {Contender{kernel, parameters.tile, parameters.pad}, Contender{kernel}})
        if (small_launch(contender) == update.launch) sized.emplace_back(contender, *update.counts);
}

void RaceBench::State::take(RaceRead& update) {
    --files_pending;
    if (!update.race) {
        message = update.race.error().message;
        return;
    }
    if (update.purpose == RaceFor::kFirstShown && (shown || awaiting_begin)) return;
    Race race = std::move(update.race).value();
    race.recorded = true;
    ShownRace read{.race = std::move(race), .figures = {}, .file = update.path};
    read.figures = figures_of(read.race);
    if (std::ranges::find(files, update.path) == files.end()) files.push_back(update.path);
    if (update.purpose == RaceFor::kComparison)
        compared = std::move(read);
    else
        show(std::move(read));
}

void RaceBench::State::take(RacesScanned& update) {
    --files_pending;
    if (!pair || pair->race.id != update.id) return;
    pair->looking.clear();
    if (!update.race) {
        pair->sentence =
            (machine ? std::string("This kernel cannot race on this computer") : fault) +
            ", and no recorded race has both kernels";
        return;
    }
    update.race->recorded = true;
    pair->race.race = std::move(*update.race);
    pair_changed = true;
}

void RaceBench::State::take(RaceDescribed& update) {
    --files_pending;
    summaries[update.path] = std::move(update.summary);
}

void RaceBench::State::take(FileWritten& update) {
    --files_pending;
    summaries.erase(update.path);  // the file may have held another race
    if (options.kept_folder.empty() || update.path.parent_path() != options.kept_folder)
        return saved(update.path, update.status);
    // Nobody has asked for this file, so a failure is not reported.
    if (update.status && std::ranges::find(files, update.path) == files.end())
        files.push_back(update.path);
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
