#include "app/workbench/race/race_bench.h"

#include <algorithm>
#include <utility>

#include "app/workbench/overloaded.h"
#include "app/workbench/race/kept_races.h"
#include "app/workbench/race/race_bench_state.h"

namespace tilereel {
namespace {

// Adds `one`, or removes it if it is there.
template <class T>
void toggle(std::vector<T>& all, const T& one) {
    const auto found = std::ranges::find(all, one);
    if (found == all.end())
        all.push_back(one);
    else
        all.erase(found);
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
        case RaceTab::kTime:
            return RacePlot::kTime;
        default:
            return std::nullopt;
    }
}

}  // namespace

RaceBench::RaceBench(RaceBenchOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
RaceBench::~RaceBench() {
    if (state_ == nullptr || state_->options.kept_folder.empty()) return;
    // A race that is cut off by the end of the program is kept as far as it came.
    ShownRace* const shown = state_->shown ? &*state_->shown : nullptr;
    if (shown == nullptr || !shown->running || shown->race.samples.empty()) return;
    shown->race.complete = false;
    static_cast<void>(keep_race(shown->race, state_->options.kept_folder));
}

void RaceBench::advance() {
    State& s = *state_;
    // Taking over a result may start another task. Without threads, its result is there at once.
    for (std::vector<RaceUpdate> updates = s.worker.take(); !updates.empty();
         updates = s.worker.take())
        for (RaceUpdate& one : updates) std::visit([&s](auto& each) { s.take(each); }, one);
    s.refresh();
}

void RaceBench::begin_again(Race race) {
    race.verified.clear();
    race.samples.clear();
    RaceBegun begun{++state_->newest, std::move(race)};
    state_->take(begun);
}

void RaceBench::add_event(const RaceEvent& event) {
    RaceProgressed progress{state_->newest, event};
    state_->take(progress);
}

void RaceBench::end() {
    RaceEnded ended{state_->newest, Done{}};
    state_->take(ended);
}

void RaceBench::apply(const RaceAction& command) {
    State& s = *state_;
    RaceView& view = s.view;
    std::visit(
        Overloaded{
            [&](const FindDevice&) { s.find_device(); },
            [&](const ShowFirstRecorded&) { s.show_first_recorded(); },
            [&](const StartRace&) { s.start(s.next); },
            [&](const CancelRace&) {
                s.wanted.reset();
                s.cancelling = racing();
                s.worker.cancel_race();
            },
            [&](const ChooseContenders& to) { s.next.contenders = to.contenders; },
            [&](const ToggleContender& one) { toggle(s.next.contenders, one.contender); },
            [&](const ToggleSize& one) {
                toggle(s.next.sizes, one.size);
                std::ranges::stable_sort(s.next.sizes, {}, edge_of);
            },
            [&](const RaceOwn&) { s.race_own(); },
            [&](const ToggleOwn&) { s.toggle_own(); },
            [&](const SetOwnCall& to) { s.change_own(&OwnEntry::typed, to.call); },
            [&](const SetOwnValues& to) { s.change_own(&OwnEntry::values, to.values); },
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
            [&](const ToggleLine& line) { view.lines.toggle_hidden(line.contender); },
            [&](const HighlightLine& line) { view.lines.toggle_strong(line.contender); },
            [&](const SoloLine& line) { view.lines.toggle_only(line.contender); },
            [&](const ChooseLines& to) { s.choose_lines(to.choice); },
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
                ++s.files_pending;
                s.worker.read(file.path, RaceFor::kShowing);
            },
            [&](const DescribeRaces&) { s.describe_files(); },
            [&](const ShowOwnRace&) {
                if (s.own) s.show(*std::exchange(s.own, std::nullopt));
            },
            [&](const CompareRace& with) {
                s.compared.reset();
                if (!with.path) return;
                ++s.files_pending;
                s.worker.read(*with.path, RaceFor::kComparison);
            },
            [&](const SaveRace& to) { s.save(to); },
            [&](const PictureSaved& picture) { s.saved(picture.path, picture.status); },
            [&](const RacePair& asked) { s.begin_pair(asked); },
            [&](const ClosePair&) {
                if (s.pair && s.pair->race.running) s.worker.cancel_race();
                s.pair.reset();
            },
            [&](const DismissRaceMessage&) { s.message.clear(); },
        },
        command);
    if (!s.options.on_worker) advance();
}

void RaceBench::offer(OwnOffer offer) {
    state_->offer(std::move(offer));
    if (!state_->options.on_worker) advance();
}

const ShownRace* RaceBench::shown() const { return state_->shown ? &*state_->shown : nullptr; }
const ShownRace* RaceBench::compared() const {
    return state_->compared ? &*state_->compared : nullptr;
}
const PairRace* RaceBench::pair() const { return state_->pair ? &*state_->pair : nullptr; }
const RaceView& RaceBench::view() const { return state_->view; }
const RaceRequest& RaceBench::next() const { return state_->next; }
bool RaceBench::racing() const {
    const State& s = *state_;
    return (s.shown && s.shown->running) || (s.pair && s.pair->race.running) || s.awaiting_begin ||
           s.wanted;
}
bool RaceBench::busy() const {
    const State& s = *state_;
    return racing() || s.looking || s.files_pending > 0 || !s.counting.empty();
}
const OwnEntry* RaceBench::own() const {
    return state_->own_kernel ? &*state_->own_kernel : nullptr;
}
std::string RaceBench::why_own_cannot() const { return state_->why_own_cannot(); }
const std::string& RaceBench::stage() const { return state_->stage; }
bool RaceBench::preparing() const { return state_->awaiting_begin || state_->wanted; }
bool RaceBench::cancelling() const { return state_->cancelling; }
bool RaceBench::has_own() const { return state_->own.has_value(); }
bool RaceBench::looking_for_device() const { return state_->looking; }
bool RaceBench::looked_for_device() const { return state_->looked; }
const RaceMachine* RaceBench::machine() const {
    return state_->machine ? &*state_->machine : nullptr;
}
const std::string& RaceBench::device_fault() const { return state_->fault; }
const std::string& RaceBench::why_no_gpu() const { return state_->why_no_gpu; }
const std::vector<std::filesystem::path>& RaceBench::files() const { return state_->files; }
const std::string& RaceBench::summary(std::size_t file) const {
    static const std::string none;
    const auto found = state_->summaries.find(state_->files[file]);
    return found == state_->summaries.end() ? none : found->second;
}
bool RaceBench::has_summaries() const {
    return std::ranges::all_of(state_->files, [&](const std::filesystem::path& file) {
        return state_->summaries.contains(file);
    });
}
const std::string& RaceBench::message() const { return state_->message; }
bool RaceBench::message_is_error() const {
    const State& s = *state_;
    return !s.message.empty() && s.message != s.saved_message;
}

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
    const std::vector<Contender>& all = s.shown->race.request.contenders;
    if (const auto own = std::ranges::find_if(all, is_own); own != all.end())
        return static_cast<std::uint32_t>(own - all.begin());
    return default_padding(s.shown->race, s.shown->figures);
}

std::optional<std::uint32_t> RaceBench::size() const {
    const State& s = *state_;
    if (!s.shown) return std::nullopt;
    if (s.view.size) return s.view.size;
    return default_size(s.shown->race, s.shown->figures);
}

std::filesystem::path RaceBench::save_path(RaceExport what) const {
    return state_->shown ? state_->file_of_shown(what) : std::filesystem::path();
}

}  // namespace tilereel
