#include "app/workbench/race_bench.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/race/race_csv.h"
#include "app/race/race_file.h"
#include "app/workbench/fit_parameters.h"
#include "instrumentation/base/replacing_file.h"

namespace tilereel {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

// Adds what is not there, takes away what is.
template <class T>
void toggle(std::vector<T>& all, const T& one) {
    const auto found = std::ranges::find(all, one);
    if (found == all.end())
        all.push_back(one);
    else
        all.erase(found);
}

// "race_NVIDIA-H100-80GB-HBM3_2026-11-21T10-00-00Z"
std::string file_stem(const Race& race) {
    std::string stem = "race_" + race.machine.device + "_" + race.date;
    std::ranges::replace_if(
        stem,
        [](char c) {
            const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                               (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.';
            return !plain;
        },
        '-');
    return stem;
}

Status write_text(const std::string& text, const std::filesystem::path& path) {
    Result<ReplacingFile> file = ReplacingFile::open(path);
    if (!file) return file.error();
    if (Status written = file->write(std::as_bytes(std::span(text))); !written) return written;
    return file->commit();
}

std::optional<RacePlot> plot_of(RaceTab tab) {
    switch (tab) {
        case RaceTab::kGflops:
            return RacePlot::kGflops;
        case RaceTab::kSpeedUp:
            return RacePlot::kSpeedUp;
        case RaceTab::kBandwidth:
            return RacePlot::kBandwidth;
        case RaceTab::kSweep:
            return RacePlot::kSweep;
        default:
            return std::nullopt;
    }
}

// A large product that the watched kernel takes, and its twin if it can.
std::optional<ProductSize> twin_size(const Contender& watched, const Contender& twin, bool gpu) {
    const int extent = gpu ? 4096 : 512;
    KernelParameters p{
        .m = extent, .n = extent, .k = extent, .tile = watched.tile, .pad = watched.pad};
    for (const Contender& each : {watched, twin}) {
        if (is_champion(each)) continue;  // takes any
        const KernelInfo* kernel = find_kernel(each.kernel);
        if (kernel == nullptr) return std::nullopt;
        p.tile = each.tile;
        p.pad = each.pad;
        if (const auto fitted = fit_parameters(*kernel, p)) p = fitted->parameters;
    }
    const ProductSize size{p.m, p.n, p.k};
    if (!takes(watched, size) || !takes(twin, size)) return std::nullopt;
    return size;
}

}  // namespace

struct RaceBench::State {
    explicit State(RaceBenchOptions given)
        : options(std::move(given)),
          files(options.recorded),
          worker(std::move(options.runner), options.on_worker) {
        if (!options.shown) return;
        ShownRace first{
            .race = *std::exchange(options.shown, std::nullopt), .figures = {}, .file = {}};
        first.figures = figures_of(first.race);
        show(std::move(first));
    }

    void find_device();
    void start(RaceRequest request);
    void begin_twins(const RaceTwins& asked);
    void race_twins();
    void show(ShownRace race);
    void show_first_recorded();
    void count_for(const RaceRequest& request, bool about_to_race);
    void count(std::vector<CountedLaunch> launches, bool about_to_race);
    [[nodiscard]] RaceWorker::CountWhen count_when(bool about_to_race) const;
    void save(const char* ending, std::function<Status(const Race&, const std::filesystem::path&)>);
    void choose_request_of(const RaceMachine& found);
    ShownRace* race_of(RaceId id);

    void take(DeviceFound& news);
    void take(RaceBegun& news);
    void take(RaceTold& news);
    void take(RaceEnded& news);
    void take(LaunchCounted& news);
    void take(RaceRead& news);
    void take(RacesScanned& news);
    void take(FileWritten& news);
    void refresh();

    RaceBenchOptions options;
    std::vector<std::filesystem::path> files;
    RaceRequest next;
    bool looked = false, looking = false, began_first_sight = false;
    std::optional<RaceMachine> machine;
    std::string fault, why_no_gpu, message;
    std::optional<ShownRace> shown, own, compared;  // own: while another is shown
    std::optional<TwinRace> twins;
    RaceId newest = 0;
    int errands = 0;             // files being read and written
    bool begun_waiting = false;  // a race was asked for and has not begun
    bool changed = false, twins_changed = false;
    RaceView view;
    std::vector<std::pair<CountedLaunch, std::optional<SizedCounts>>> counted;
    std::vector<CountedLaunch> counting;
    std::vector<CountedLaunch> postponed;  // of `counting`: until the device is found
    std::vector<std::pair<Contender, SizedCounts>> sized;
    std::optional<std::filesystem::path> picture;
    RaceWorker worker;  // last: its threads end first
};

void RaceBench::State::find_device() {
    if (looked || looking) return;
    looking = true;
    worker.find_device();
}

// So that there is something to see before anything was raced here, and where nothing can race.
void RaceBench::State::show_first_recorded() {
    if (shown || files.empty() || began_first_sight) return;
    began_first_sight = true;
    ++errands;
    worker.read(files.front(), RaceFor::kFirstSight);
}

void RaceBench::State::start(RaceRequest request) {
    message.clear();
    if (shown && shown->running) {
        message = "A race is running: cancel it first";
        return;
    }
    if (twins && twins->race.running) {
        message = "The two kernels of the stage are racing: wait for them, or close their card";
        return;
    }
    if (begun_waiting) return;
    if (!looked) {
        message = "Still looking for what can race here";
        find_device();
        return;
    }
    if (!machine) {
        message = fault;
        return;
    }
    if (const Status sound = check_request(request); !sound) {
        message = sound.error().message;
        return;
    }
    begun_waiting = true;
    count_for(request, true);
    worker.race(++newest, std::move(request));
}

// A race on the processor must not be disturbed; beside one on a GPU the processor has time.
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
    view.hidden.assign(shown->race.request.contenders.size(), false);
}

// The kernel being watched, as it is raced: the same kernel, TILE and PAD.
void RaceBench::State::begin_twins(const RaceTwins& asked) {
    message.clear();
    const Contender watched = raced_as(asked.kernel, asked.parameters);
    const auto twin = twin_to_race(watched);
    if (!twin) {
        message = title_of(watched) +
                  " has no PAD and is the first rung: there is nothing to race it "
                  "against";
        return;
    }
    if ((shown && shown->running) || begun_waiting || (twins && twins->race.running)) {
        message = "A race is running: cancel it first";
        return;
    }
    TwinRace fresh;
    fresh.watched = watched;
    fresh.twin = *twin;
    fresh.watched_launch = {asked.kernel, asked.parameters};
    KernelParameters p = asked.parameters;
    if (!is_champion(*twin)) p.tile = twin->tile;
    p.pad = twin->pad;
    if (const auto fitted = fit_parameters(*find_kernel(twin->kernel), p)) p = fitted->parameters;
    fresh.twin_launch = {twin->kernel, p};
    fresh.looking = "Looking for what can race here";
    twins = std::move(fresh);
    count({twins->watched_launch, twins->twin_launch}, true);
    if (looked)
        race_twins();
    else
        find_device();
}

void RaceBench::State::race_twins() {
    const KernelInfo* watched = find_kernel(twins->watched.kernel);
    const bool here = machine && watched != nullptr && machine->gpu != watched->on_cpu;
    twins->race.id = ++newest;
    if (here) {
        const auto size = twin_size(twins->watched, twins->twin, machine->gpu);
        if (!size) {
            twins->looking.clear();
            twins->sentence = "No large size suits both kernels";
            return;
        }
        twins->looking = "Measuring at " + name_of(*size);
        twins->race.running = true;
        RaceRequest request;
        request.contenders = {twins->watched, twins->twin};
        request.sizes = {*size};
        request.caches = next.caches;
        worker.race(twins->race.id, std::move(request));
        return;
    }
    twins->looking = "Looking for both in the recorded races";
    ++errands;
    worker.find_race_with(twins->race.id, files, {twins->watched, twins->twin});
}

void RaceBench::State::save(
    const char* ending, std::function<Status(const Race&, const std::filesystem::path&)> write) {
    if (!shown) return;
    const std::filesystem::path path =
        std::filesystem::absolute(options.save_folder / (file_stem(shown->race) + ending));
    ++errands;
    worker.write(
        path, [race = shown->race, path, write = std::move(write)] { return write(race, path); });
}

ShownRace* RaceBench::State::race_of(RaceId id) {
    if (twins && twins->race.id == id) return &twins->race;
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
    if (twins && !twins->has_race() && !twins->race.running) race_twins();
}

void RaceBench::State::take(RaceBegun& news) {
    if (twins && twins->race.id == news.id) {
        twins->race.race = std::move(news.race);
        twins_changed = true;
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

void RaceBench::State::take(RaceTold& news) {
    ShownRace* race = race_of(news.id);
    if (race == nullptr) return;
    add(race->race, news.event);
    changed = true;
}

void RaceBench::State::take(RaceEnded& news) {
    ShownRace* race = race_of(news.id);
    if (news.id == newest) begun_waiting = false;
    if (race != nullptr) {
        race->running = false;
        race->race.complete = news.status.has_value();
        changed = true;
    }
    if (news.status || news.status.error().message == "cancelled") return;
    if (twins && twins->race.id == news.id)
        twins->sentence = news.status.error().message;
    else
        message = news.status.error().message;
}

void RaceBench::State::take(LaunchCounted& news) {
    std::erase(counting, news.launch);
    counted.emplace_back(news.launch, news.counts);
    if (!news.counts) return;
    const Contender contender = raced_as(news.launch.kernel, news.launch.parameters);
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
    if (!twins || twins->race.id != news.id) return;
    twins->looking.clear();
    if (!news.race) {
        twins->sentence =
            (machine ? std::string("This kernel does not run on what races here") : fault) +
            ", and no recorded race has both kernels";
        return;
    }
    news.race->recorded = true;
    twins->race.race = std::move(*news.race);
    twins_changed = true;
}

void RaceBench::State::take(FileWritten& news) {
    --errands;
    if (!news.status) {
        message = news.status.error().message;
        return;
    }
    message = "Saved as " + news.path.string();
    if (news.path.extension() == ".json" && std::ranges::find(files, news.path) == files.end())
        files.push_back(news.path);
}

// Once a frame, however many samples came.
void RaceBench::State::refresh() {
    if (changed) {
        if (shown && shown->file.empty()) shown->figures = figures_of(shown->race, shown->running);
        if (own) own->figures = figures_of(own->race, own->running);
    }
    if ((changed || twins_changed) && twins && twins->has_race())
        twins->race.figures = figures_of(twins->race.race, twins->race.running);
    changed = twins_changed = false;
}

RaceBench::RaceBench(RaceBenchOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
RaceBench::~RaceBench() = default;

void RaceBench::advance() {
    State& s = *state_;
    // What is taken over may ask for more, which without threads has come when it returns.
    for (std::vector<RaceNews> news = s.worker.take(); !news.empty(); news = s.worker.take())
        for (RaceNews& one : news) std::visit([&s](auto& each) { s.take(each); }, one);
    s.refresh();
}

void RaceBench::apply(const RaceAction& command) {
    State& s = *state_;
    RaceView& view = s.view;
    std::visit(
        Overloaded{
            [&](const FindDevice&) { s.find_device(); },
            [&](const ShowFirstRecorded&) { s.show_first_recorded(); },
            [&](const StartRace&) { s.start(s.next); },
            [&](const CancelRace&) { s.worker.cancel_race(); },
            [&](const ChooseContenders& to) { s.next.contenders = to.contenders; },
            [&](const ToggleContender& one) { toggle(s.next.contenders, one.contender); },
            [&](const ToggleSize& one) {
                toggle(s.next.sizes, one.size);
                std::ranges::stable_sort(s.next.sizes, {}, edge_of);
            },
            [&](const SetRepeats& to) { s.next.repeats = std::clamp(to.repeats, 1, kMostRepeats); },
            [&](const SetCaches& to) { s.next.caches = to.caches; },
            [&](const StartSweep& of) {
                RaceRequest sweep = s.next;
                sweep.contenders = sweep_of(of.kernel);
                if (s.shown && this->size())
                    sweep.sizes = {s.shown->race.request.sizes[*this->size()]};
                else if (!sweep.sizes.empty())
                    sweep.sizes = {sweep.sizes.back()};
                view.plot = RacePlot::kSweep;
                s.start(std::move(sweep));
            },
            [&](const ToggleLine& line) {
                if (line.contender < view.hidden.size())
                    view.hidden[line.contender] = !view.hidden[line.contender];
            },
            [&](const SelectPoint& to) {
                if (!s.shown || to.contender >= s.shown->race.request.contenders.size()) return;
                if (to.size && *to.size >= s.shown->race.request.sizes.size()) return;
                const bool again =
                    view.contender == to.contender && (!to.size || view.size == to.size);
                if (again) {
                    view.contender.reset();
                } else {
                    view.contender = to.contender;
                    if (to.size) view.size = to.size;
                }
            },
            [&](const SelectSize& to) {
                if (s.shown && to.size < s.shown->race.request.sizes.size()) view.size = to.size;
            },
            [&](const SetLogarithmic& to) {
                (to.of_sizes ? view.log_sizes : view.log_figures) = to.on;
            },
            [&](const ShowRacePlot& to) { view.plot = to.plot; },
            [&](const ShowRaceSide& to) { view.side = to.side; },
            [&](const ShowRaceTab& to) {
                view.tab = to.tab;
                if (const auto plot = plot_of(to.tab)) view.plot = *plot;
            },
            [&](const SetIntensity& to) { view.recorded_intensity = to.recorded; },
            [&](const OpenRace& file) {
                if (s.shown && s.shown->running) {
                    s.message = "A race is running: cancel it first";
                    return;
                }
                ++s.errands;
                s.worker.read(file.path, RaceFor::kShowing);
            },
            [&](const ShowOwnRace&) {
                if (s.own) s.show(*std::exchange(s.own, std::nullopt));
            },
            [&](const CompareRace& with) {
                s.compared.reset();
                if (!with.path) return;
                ++s.errands;
                s.worker.read(*with.path, RaceFor::kComparison);
            },
            [&](const SaveRace&) { s.save(".json", write_race); },
            [&](const SaveRaceTable&) {
                s.save(".csv", [](const Race& race, const std::filesystem::path& path) {
                    return write_text(race_csv(race), path);
                });
            },
            [&](const SaveRacePicture&) {
                if (s.shown)
                    s.picture = std::filesystem::absolute(s.options.save_folder /
                                                          (file_stem(s.shown->race) + ".png"));
            },
            [&](const PictureSaved& picture) { s.message = picture.sentence; },
            [&](const RaceTwins& asked) { s.begin_twins(asked); },
            [&](const CloseTwins&) {
                if (s.twins && s.twins->race.running) s.worker.cancel_race();
                s.twins.reset();
            },
            [&](const DismissRaceMessage&) { s.message.clear(); },
        },
        command);
    if (!s.options.on_worker) advance();
}

const ShownRace* RaceBench::shown() const { return state_->shown ? &*state_->shown : nullptr; }
const ShownRace* RaceBench::compared() const {
    return state_->compared ? &*state_->compared : nullptr;
}
const TwinRace* RaceBench::twins() const { return state_->twins ? &*state_->twins : nullptr; }
const RaceView& RaceBench::view() const { return state_->view; }
const RaceRequest& RaceBench::next() const { return state_->next; }
bool RaceBench::racing() const {
    const State& s = *state_;
    return (s.shown && s.shown->running) || (s.twins && s.twins->race.running) || s.begun_waiting;
}
bool RaceBench::busy() const {
    const State& s = *state_;
    return racing() || s.looking || s.errands > 0 || !s.counting.empty() || s.picture.has_value();
}
bool RaceBench::has_own() const { return state_->own.has_value(); }
bool RaceBench::looked_for_device() const { return state_->looked; }
const RaceMachine* RaceBench::machine() const {
    return state_->machine ? &*state_->machine : nullptr;
}
const std::string& RaceBench::device_fault() const { return state_->fault; }
const std::string& RaceBench::why_no_gpu() const { return state_->why_no_gpu; }
const std::vector<std::filesystem::path>& RaceBench::files() const { return state_->files; }
const std::string& RaceBench::message() const { return state_->message; }

const SizedCounts* RaceBench::counts(const Contender& contender) const {
    const auto found =
        std::ranges::find(state_->sized, contender, &std::pair<Contender, SizedCounts>::first);
    return found == state_->sized.end() ? nullptr : &found->second;
}

const SizedCounts* RaceBench::counts(const CountedLaunch& launch) const {
    for (const auto& [counted, counts] : state_->counted)
        if (counted == launch && counts) return &*counts;
    return nullptr;
}

std::optional<std::uint32_t> RaceBench::focus() const {
    const State& s = *state_;
    if (!s.shown) return std::nullopt;
    if (s.view.contender) return s.view.contender;
    return telling_padding(s.shown->race, s.shown->figures);
}

std::optional<std::uint32_t> RaceBench::size() const {
    const State& s = *state_;
    if (!s.shown) return std::nullopt;
    if (s.view.size) return s.view.size;
    return telling_size(s.shown->race, s.shown->figures);
}

std::optional<std::filesystem::path> RaceBench::take_picture_request() {
    return std::exchange(state_->picture, std::nullopt);
}

}  // namespace tilereel
