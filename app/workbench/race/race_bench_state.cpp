#include "app/workbench/race/race_bench_state.h"

#include <algorithm>
#include <array>

#include "app/race/files/race_csv.h"
#include "app/race/files/race_file.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/race/kept_races.h"
#include "app/workbench/race/race_sentence.h"
#include "instrumentation/base/files/replacing_file.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

Status write_text(const std::string& text, const std::filesystem::path& path) {
    return replace_file(path, std::as_bytes(std::span(text)));
}

// A large product that both kernels take; nullopt if none is found.
std::optional<ProductSize> pair_size(const Contender& watched, const Contender& counterpart,
                                     bool gpu) {
    const int extent = gpu ? 4096 : 512;
    KernelParameters p{
        .m = extent, .n = extent, .k = extent, .tile = watched.tile, .pad = watched.pad};
    for (const Contender& each : {watched, counterpart}) {
        if (chooses_tiles(each)) continue;  // takes any size
        const KernelInfo* kernel = find_kernel(each.kernel);
        if (kernel == nullptr) return std::nullopt;
        p.tile = each.tile;
        p.pad = each.pad;
        if (const auto fitted = fit_parameters(*kernel, p)) p = fitted->parameters;
    }
    const ProductSize size{p.m, p.n, p.k};
    if (!takes(watched, size) || !takes(counterpart, size)) return std::nullopt;
    return size;
}

}  // namespace

RaceBench::State::State(RaceBenchOptions given)
    : options(std::move(given)),
      files(options.recorded),
      worker(std::move(options.runner), std::move(options.count), options.own, options.on_worker) {
    if (!options.shown) return;
    ShownRace first{.race = *std::exchange(options.shown, std::nullopt), .figures = {}, .file = {}};
    first.figures = figures_of(first.race);
    show(std::move(first));
}

void RaceBench::State::find_device() {
    if (looked || looking) return;
    looking = true;
    worker.find_device();
}

// Shows the first recorded race until something is raced on this computer.
void RaceBench::State::show_first_recorded() {
    if (shown || files.empty() || asked_for_first_recorded) return;
    asked_for_first_recorded = true;
    ++files_pending;
    worker.read(files.front(), RaceFor::kFirstShown);
}

void RaceBench::State::start(RaceRequest request) {
    message.clear();
    if (shown && shown->running) {
        message = "A race is running: cancel it first";
        return;
    }
    if (pair && pair->race.running) {
        message = "The two kernels of the stage are racing: wait for them, or close their card";
        return;
    }
    if (awaiting_begin) return;
    if (!looked) {
        wanted = std::move(request);  // starts when the device is found
        find_device();
        return;
    }
    if (!machine) {
        message = fault;
        return;
    }
    if (std::ranges::any_of(request.contenders, is_own)) return start_own(std::move(request));
    if (const Status sound = check_request(request); !sound) {
        message = sound.error().message;
        return;
    }
    awaiting_begin = true;
    count_for(request, true);
    worker.race(++newest, std::move(request));
}

// When small launches are recorded for their counts. That would disturb a race on the CPU, but not
// one on a GPU.
RaceWorker::CountWhen RaceBench::State::count_when(bool about_to_race) const {
    if (machine && machine->gpu) return RaceWorker::CountWhen::kMeanwhile;
    if (about_to_race) return RaceWorker::CountWhen::kBeforeRaces;
    return machine ? RaceWorker::CountWhen::kBetweenRaces : RaceWorker::CountWhen::kMeanwhile;
}

void RaceBench::State::count(std::vector<CountedLaunch> launches, bool about_to_race) {
    std::erase_if(launches, [&](const CountedLaunch& launch) {
        return std::ranges::find(counting, launch) != counting.end() ||
               std::ranges::any_of(counted, [&](const auto& each) { return each.first == launch; });
    });
    if (launches.empty()) return;
    counting.insert(counting.end(), launches.begin(), launches.end());
    if (looking && !about_to_race)
        postponed.insert(postponed.end(), launches.begin(), launches.end());
    else
        worker.count(std::move(launches), count_when(about_to_race));
}

void RaceBench::State::count_for(const RaceRequest& request, bool about_to_race) {
    std::vector<CountedLaunch> launches;
    for (const Contender& contender : request.contenders)
        if (const auto launch = small_launch(contender);
            launch && std::ranges::find(launches, *launch) == launches.end())
            launches.push_back(*launch);
    count(std::move(launches), about_to_race);
}

void RaceBench::State::show(ShownRace race) {
    count_for(race.race.request, false);
    if (shown && shown->file.empty()) own = std::move(shown);
    shown = std::move(race);
    view.contender.reset();
    view.size.reset();
    view.lines.begin(shown->race.request.contenders.size());
    view.lines.suggest(default_lines(shown->race, shown->figures));
}

// Races the kernel that is watched, with its TILE and PAD, against its counterpart.
void RaceBench::State::begin_pair(const RacePair& asked) {
    message.clear();
    const KernelInfo* const kernel = find_kernel(asked.kernel);
    const KernelParameters& parameters = asked.parameters;
    if (kernel == nullptr) {
        message = "'" + asked.kernel +
                  "' is a kernel of a program; a race is between kernels of the ladder";
        return;
    }
    if (!is_built_in(*kernel, parameters.tile, parameters.pad)) {
        message = std::string(kernel->title) + " is not built in with TILE " +
                  std::to_string(parameters.tile) + " and PAD " + std::to_string(parameters.pad) +
                  ", and only what is built in can race: choose others first";
        return;
    }
    const Contender watched{asked.kernel, asked.parameters.tile, asked.parameters.pad};
    const auto counterpart = counterpart_to_race(watched);
    if (!counterpart) {
        message = title_of(watched) +
                  " has no PAD and is the first rung: there is nothing to race it "
                  "against";
        return;
    }
    if ((shown && shown->running) || awaiting_begin || (pair && pair->race.running)) {
        message = "A race is running: cancel it first";
        return;
    }
    PairRace fresh;
    fresh.watched = watched;
    fresh.counterpart = *counterpart;
    fresh.watched_launch = {asked.kernel, asked.parameters};
    KernelParameters p = asked.parameters;
    if (!chooses_tiles(*counterpart)) p.tile = counterpart->tile;
    p.pad = counterpart->pad;
    if (const auto fitted = fit_parameters(*find_kernel(counterpart->kernel), p))
        p = fitted->parameters;
    fresh.counterpart_launch = {counterpart->kernel, p};
    fresh.looking = "Looking for a device to race on";
    pair = std::move(fresh);
    count({pair->watched_launch, pair->counterpart_launch}, true);
    if (looked)
        race_pair();
    else
        find_device();
}

void RaceBench::State::race_pair() {
    const KernelInfo* watched = find_kernel(pair->watched.kernel);
    const bool here = machine && watched != nullptr && machine->gpu != watched->on_cpu;
    pair->race.id = ++newest;
    if (here) {
        const auto size = pair_size(pair->watched, pair->counterpart, machine->gpu);
        if (!size) {
            pair->looking.clear();
            pair->sentence = "No large size suits both kernels";
            return;
        }
        pair->looking = "Measuring at " + size_text(*size);
        pair->race.running = true;
        RaceRequest request;
        request.contenders = {pair->watched, pair->counterpart};
        request.sizes = {*size};
        request.caches = next.caches;
        worker.race(pair->race.id, std::move(request));
        return;
    }
    pair->looking = "Looking for both in the recorded races";
    ++files_pending;
    worker.find_race_with(pair->race.id, files, {pair->watched, pair->counterpart});
}

void RaceBench::State::describe_files() {
    for (const std::filesystem::path& file : files) {
        if (!summaries.try_emplace(file).second) continue;
        ++files_pending;
        worker.describe(file);
    }
}

void RaceBench::State::choose_lines(LineChoice choice) {
    if (!shown) return;
    std::vector<std::uint32_t> strong;
    if (choice == LineChoice::kDefault) strong = default_lines(shown->race, shown->figures);
    if (choice == LineChoice::kAll)
        for (std::uint32_t c = 0; c < view.lines.size(); ++c) strong.push_back(c);
    view.lines.make_strong(strong);
}

std::filesystem::path RaceBench::State::file_of_shown(RaceExport what) const {
    constexpr std::array kEndings = {".json", ".csv", ".png"};
    return std::filesystem::absolute(
               options.save_folder /
               (file_stem(shown->race) + kEndings[static_cast<std::size_t>(what)]))
        .lexically_normal();
}

void RaceBench::State::save(const SaveRace& to) {
    if (!shown || to.what == RaceExport::kPicture) return;
    const std::filesystem::path path =
        to.path.empty() ? file_of_shown(to.what) : std::filesystem::absolute(to.path);
    ++files_pending;
    worker.write(path, [race = shown->race, path, table = to.what == RaceExport::kTable] {
        return table ? write_text(race_csv(race), path) : write_race(race, path);
    });
}

// Keeps a race that ran here, so that the next race or the end of the program does not lose it.
void RaceBench::State::keep(const Race& race) {
    if (options.kept_folder.empty() || race.recorded || race.samples.empty()) return;
    ++files_pending;
    worker.write(kept_file(race, options.kept_folder),
                 [race, folder = options.kept_folder] { return keep_race(race, folder); });
}

void RaceBench::State::saved(const std::filesystem::path& path, const Status& status) {
    if (!status) {
        message = status.error().message;
        return;
    }
    message = saved_message = "Saved as " + path.string();
    options.save_folder = path.parent_path();
    if (path.extension() == ".json" && std::ranges::find(files, path) == files.end())
        files.push_back(path);
}

}  // namespace tilereel
