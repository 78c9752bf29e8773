#include "app/workbench/workbench.h"

#include <algorithm>
#include <limits>

#include "app/workbench/before_column.h"
#include "app/workbench/block_by_occupancy.h"
#include "app/workbench/fit_parameters.h"
#include "app/workbench/playhead.h"
#include "app/workbench/recording_worker.h"

namespace tilereel {
namespace {

constexpr int kSmallestText = 14, kLargestText = 32, kTextStep = 2;  // pixels

// What a trace file was recorded from, so that changing a parameter can record it anew.
RecordRequest request_of(const Trace& trace, const RecordRequest& given) {
    RecordRequest request = given;
    const Launch& launch = trace.launch;
    request.kernel = launch.kernel;
    request.parameters = {.m = static_cast<int>(launch.m),
                          .n = static_cast<int>(launch.n),
                          .k = static_cast<int>(launch.k),
                          .tile = static_cast<int>(launch.tile),
                          .pad = static_cast<int>(launch.pad)};
    request.removed_barrier = launch.removed_barrier;
    request.order = launch.order;
    request.find_harm = false;
    request.inputs = {};
    if (launch.seed == 0)
        request.inputs = {.a = trace.a, .b = trace.b};
    else
        request.seed = launch.seed;
    return request;
}

bool same_sizes(const KernelParameters& a, const KernelParameters& b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

void set_sizes(KernelParameters& of, const KernelParameters& from) {
    of.m = from.m;
    of.n = from.n;
    of.k = from.k;
}

}  // namespace

struct Workbench::State {
    explicit State(WorkbenchOptions options)
        : request(std::move(options.request)),
          head(options.playing),
          worker(options.record_on_worker, std::move(options.record)),
          races(options.races ? std::move(options.races)
                              : std::make_unique<RaceBench>(RaceBenchOptions{})) {
        if (options.trace) request = request_of(*options.trace, request);
        own_inputs = request.inputs;
        own_inputs_for = request.parameters;
        if (!options.sizes_chosen) default_sizes = request.parameters;
        submit(options.trace ? std::make_shared<const Trace>(*std::move(options.trace)) : nullptr);
    }

    // Records the request; with a trace, only counts that.
    void submit(std::shared_ptr<const Trace> trace = nullptr);
    void take_over();
    void show(FinishedRecording finished);
    void stay_at(const LogicalPlace& place);  // in a new replay
    void fall_back() {                        // to what is on the screen
        if (!recording) return;
        request = recording->request;
        generation = recording->generation;
    }
    void choose_generation(const std::string& id);
    void choose_recorder(Recorder recorder);
    void ask_for(const std::string& kernel_id, const KernelParameters& parameters);
    void launch(const std::string& kernel_id, const KernelParameters& parameters);
    void ask_for_tile_by_occupancy();
    void take_way_out(std::size_t way);
    void clear_message() {
        message.clear();
        offer.reset();
    }
    // An offer stands until something else is said.
    [[nodiscard]] const Offer* standing_offer() const {
        return offer && offer->problem == message ? &*offer : nullptr;
    }
    void make_offer(std::string problem, std::vector<WayOut> ways) {
        message = std::move(problem);
        if (!ways.empty()) offer = Offer{.problem = message, .ways = std::move(ways)};
    }
    void use_inputs_that_fit(RecordRequest& next);
    void watch(std::uint32_t block);
    void toggle_pad();
    void remove_barrier(int line);
    void run_in_order(ThreadOrder order, bool find_harm);
    void step(Replay::Unit unit, int direction) {
        if (replay) head.step(*replay, unit, direction);
    }
    void go_to(Tick tick) {
        if (replay) head.go_to(*replay, tick);
    }

    RecordRequest request;                                 // as last asked for
    const Generation* generation = &default_generation();  // likewise
    bool only_counting = false;                            // what the worker does, when it is busy
    Inputs own_inputs;  // the user's matrices, for the sizes they were given for
    KernelParameters own_inputs_for;

    std::optional<Recording> recording;
    std::optional<Replay> replay;  // after `recording`: it reads its trace
    BeforeLaunch before_launch;
    CountsColumn before;
    double changed_seconds_ago = std::numeric_limits<double>::infinity();

    PlayHead head;
    View view;
    std::string message;
    std::optional<Offer> offer;                     // its problem is the message
    std::optional<KernelParameters> default_sizes;  // M, N, K until someone chooses others
    RecordingWorker worker;
    std::unique_ptr<RaceBench> races;
};

void Workbench::State::submit(std::shared_ptr<const Trace> trace) {
    only_counting = trace != nullptr;
    const Recording* former = recording ? &*recording : nullptr;
    const LogicalPlace place =
        replay ? replay->place(static_cast<Tick>(head.position())) : LogicalPlace{};
    request.lanes_may_part = generation->independent_lanes;
    if (trace == nullptr && request.order == ThreadOrder::kLanes && !request.lanes_may_part)
        request.order = ThreadOrder::kTurns;  // as it was recorded for another generation
    BeforePlan plan = plan_before(former, before_launch, before, request, *generation);
    worker.submit({.request = request,
                   .trace = std::move(trace),
                   .generation = generation,
                   .before = std::move(plan),
                   .place = place});
    take_over();  // at once, where there is no worker
}

void Workbench::State::take_over() {
    std::optional<RecordingOutcome> outcome = worker.take();
    if (!outcome) return;
    if (*outcome) {
        FinishedRecording finished = std::move(*outcome).value();
        if (request.find_harm && finished.recording.wrong.empty())
            message = "No order of the threads changes C with these matrices";
        request.order = finished.recording.request.order;
        request.find_harm = false;
        request.recorder = finished.recording.request.recorder;
        if (!finished.without_gpu.empty())
            message = "Recorded by the emulator: " + finished.without_gpu;
        show(std::move(finished));
        return;
    }
    message = outcome->error().message;
    fall_back();
}

void Workbench::State::show(FinishedRecording finished) {
    const LogicalPlace place =
        replay ? replay->place(static_cast<Tick>(head.position())) : LogicalPlace{};
    const Trace& trace = *finished.recording.trace;
    Replay fresh = std::move(finished.replay);
    if (const std::uint32_t block = Replay::block_at(trace, place); block != fresh.block()) {
        // The user chose another block while this was being recorded.
        if (Result<Replay> chosen = Replay::of_block(trace, block, *finished.recording.generation))
            fresh = std::move(chosen).value();
    }
    if (recording && recording->counts != finished.recording.counts) changed_seconds_ago = 0;
    replay = std::move(fresh);
    if (recording) worker.discard(std::move(*recording));
    recording = std::move(finished.recording);
    before_launch = std::move(finished.before_launch);
    before = std::move(finished.before);
    stay_at(place);
}

void Workbench::State::stay_at(const LogicalPlace& place) {
    // The very start stays the start: a place names the middle of a step.
    const bool at_start = head.position() < 1.0;
    const Tick tick = at_start ? 0 : replay->find(place);
    head.seek(*replay, static_cast<double>(tick), head.scrubbing());
}

void Workbench::State::ask_for(const std::string& kernel_id, const KernelParameters& parameters) {
    clear_message();
    const KernelInfo* kernel = find_kernel(kernel_id);
    if (kernel == nullptr) {
        message = "There is no kernel \"" + kernel_id + "\"; choose one from the list";
        return;
    }
    KernelParameters wanted = parameters;
    if (!same_sizes(wanted, request.parameters)) default_sizes.reset();
    if (default_sizes) set_sizes(wanted, *default_sizes);
    const Result<FittedParameters> fitted = fit_parameters(*kernel, wanted);
    if (!fitted) {
        make_offer(fitted.error().message, ways_out(*kernel, wanted));
        return;
    }
    if (same_sizes(fitted->parameters, wanted) || default_sizes) {
        message = fitted->message;
        launch(kernel_id, fitted->parameters);
        return;
    }
    KernelParameters as_wanted = fitted->parameters;  // its TILE and PAD, with the sizes wanted
    set_sizes(as_wanted, wanted);
    make_offer(validate(*kernel, as_wanted).error().message, ways_out(*kernel, wanted));
}

void Workbench::State::launch(const std::string& kernel_id, const KernelParameters& parameters) {
    RecordRequest next = request;
    next.kernel = kernel_id;
    next.parameters = parameters;
    if (next.kernel != request.kernel) {
        next.removed_barrier = 0;
        next.order = ThreadOrder::kTurns;
        next.find_harm = false;
    }
    const bool asked_already =
        next.kernel == request.kernel && next.parameters == request.parameters;
    if (asked_already && worker.busy()) return;
    use_inputs_that_fit(next);
    request = std::move(next);
    submit();
}

void Workbench::State::ask_for_tile_by_occupancy() {
    clear_message();
    const KernelInfo* kernel = find_kernel(request.kernel);
    if (kernel == nullptr) return;
    KernelParameters next = request.parameters;
    const Result<BlockByOccupancy> block = block_by_occupancy(*kernel, next.pad, *generation);
    if (!block) {
        message = block.error().message;
        return;
    }
    next.tile = block->tile;
    ask_for(request.kernel, next);
    if (standing_offer() == nullptr && request.parameters.tile == block->tile)
        message = sentence_of(*block, *generation) + (message.empty() ? "" : ". " + message);
}

void Workbench::State::take_way_out(std::size_t way) {
    if (standing_offer() == nullptr || way >= offer->ways.size()) return;
    const WayOut chosen = offer->ways[way];
    clear_message();
    launch(chosen.kernel, chosen.parameters);
}

void Workbench::State::choose_generation(const std::string& id) {
    const Generation* const chosen = find_generation(id);
    if (chosen == nullptr) {
        message = "There is no GPU generation \"" + id + "\"; choose one from the list";
        return;
    }
    if (chosen == generation) return;
    generation = chosen;
    const bool recorded = recording && (only_counting || !worker.busy());
    submit(recorded ? recording->trace : nullptr);
}

void Workbench::State::choose_recorder(Recorder recorder) {
    if (recorder == request.recorder) return;
    clear_message();
    request.recorder = recorder;
    submit();
}

void Workbench::State::use_inputs_that_fit(RecordRequest& next) {
    if (own_inputs.a.empty()) return;
    const KernelParameters& p = next.parameters;
    const bool fit = p.m == own_inputs_for.m && p.n == own_inputs_for.n && p.k == own_inputs_for.k;
    next.inputs = fit ? own_inputs : Inputs{};
    if (!fit && message.empty())
        message = "Random numbers stand in for your matrices, which have other sizes";
}

void Workbench::State::watch(std::uint32_t block) {
    if (!replay || block == replay->block()) return;
    Result<Replay> chosen = Replay::of_block(*recording->trace, block, *recording->generation);
    if (!chosen) {
        message = chosen.error().message;
        return;
    }
    const LogicalPlace place = replay->place(static_cast<Tick>(head.position()));
    replay = std::move(chosen).value();
    stay_at(place);
}

void Workbench::State::toggle_pad() {
    const KernelInfo* kernel = find_kernel(request.kernel);
    if (kernel == nullptr || kernel->pads.size() < 2) {
        const std::string name = kernel == nullptr ? request.kernel : std::string(kernel->title);
        message = name + " has no PAD to change";
        return;
    }
    KernelParameters next = request.parameters;
    next.pad = next.pad == kernel->pads[0] ? kernel->pads[1] : kernel->pads[0];
    ask_for(request.kernel, next);
}

void Workbench::State::remove_barrier(int line) {
    const KernelInfo* kernel = find_kernel(request.kernel);
    const bool known = kernel != nullptr && std::ranges::any_of(kernel->barriers, [&](auto& b) {
                           return b.line == line;
                       });
    if (line != 0 && !known) {
        message = "Line " + std::to_string(line) + " has no barrier to remove";
        return;
    }
    clear_message();
    request.removed_barrier = static_cast<std::uint32_t>(line);
    request.order = ThreadOrder::kTurns;
    request.find_harm = false;
    submit();
}

void Workbench::State::run_in_order(ThreadOrder order, bool find_harm) {
    if (request.removed_barrier == 0) {
        message = "The order of the threads matters only without a barrier: remove one first";
        return;
    }
    if (order == ThreadOrder::kLanes && !generation->independent_lanes) {
        message =
            "This GPU generation runs the lanes of a warp together: choose one of compute "
            "capability 7.0 or later";
        return;
    }
    clear_message();
    request.order = order;
    request.find_harm = find_harm;
    submit();
}

Workbench::Workbench(WorkbenchOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
Workbench::~Workbench() = default;

namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

}  // namespace

void Workbench::apply(const Command& command) {
    State& s = *state_;
    PlayHead& head = s.head;
    View& view = s.view;
    std::visit(Overloaded{
                   [&](const PlayPause&) { head.toggle_playing(s.replay ? &*s.replay : nullptr); },
                   [&](const StepForward&) { s.step(head.unit(), +1); },
                   [&](const StepBack&) { s.step(head.unit(), -1); },
                   [&](const PhaseForward&) { s.step(Replay::Unit::kPhase, +1); },
                   [&](const PhaseBack&) { s.step(Replay::Unit::kPhase, -1); },
                   [&](const GoToStart&) { s.go_to(0); },
                   [&](const GoToEnd&) {
                       head.stop();
                       s.go_to(s.replay ? s.replay->ticks() : 0);
                   },
                   [&](const SeekTo& to) {
                       if (s.replay) head.seek(*s.replay, to.tick, to.scrubbing);
                   },
                   [&](const SetUnit& to) { head.set_unit(to.unit); },
                   [&](const SetSpeed& to) { head.set_speed(to.factor); },
                   [&](const FasterSlower& by) { head.change_speed(by.steps); },
                   [&](const WatchBlock& block) {
                       if (!s.recording) return;
                       const Dim3& grid = s.recording->trace->launch.grid;
                       if (block.x < grid.x && block.y < grid.y)
                           s.watch(block.y * grid.x + block.x);
                   },
                   [&](const SetKernel& to) { s.ask_for(to.id, s.request.parameters); },
                   [&](const SetParameters& to) { s.ask_for(s.request.kernel, to.parameters); },
                   [&](const SetTileByOccupancy&) { s.ask_for_tile_by_occupancy(); },
                   [&](const TakeWayOut& taken) { s.take_way_out(taken.way); },
                   [&](const SetGeneration& to) { s.choose_generation(to.id); },
                   [&](const SetRecorder& to) { s.choose_recorder(to.recorder); },
                   [&](const RemoveBarrier& from) { s.remove_barrier(from.line); },
                   [&](const SetThreadOrder& to) { s.run_in_order(to.order, false); },
                   [&](const FindHarm&) { s.run_in_order(s.request.order, true); },
                   [&](const TogglePad&) { s.toggle_pad(); },
                   [&](const ToggleTheme&) { view.light = !view.light; },
                   [&](const ChangeTextSize& by) {
                       const std::int64_t px = view.text_px + std::int64_t{by.steps} * kTextStep;
                       view.text_px = static_cast<int>(
                           std::clamp<std::int64_t>(px, kSmallestText, kLargestText));
                   },
                   [&](const ToggleFullScreen&) { view.full_screen = !view.full_screen; },
                   [&](const ToggleHelp&) { view.help = !view.help; },
                   [&](const SelectTab& to) { view.tab = std::clamp(to.tab, 0, 1); },
                   [&](const SetMode& to) { view.mode = std::clamp(to.mode, 0, 3); },
                   [&](const DismissMessage&) {
                       s.clear_message();
                       s.races->apply(DismissRaceMessage{});
                   },
                   [&](const WatchKernel& to) {
                       view.mode = 0;
                       s.ask_for(to.id, to.parameters);
                   },
                   [&](const RaceAction& asked) { s.races->apply(asked); },
                   [&](const CancelRecording&) {
                       s.worker.cancel();
                       s.fall_back();
                   },
               },
               command);
}

void Workbench::apply(const Commands& commands) {
    for (const Command& command : commands) apply(command);
}

void Workbench::advance(double seconds) {
    State& s = *state_;
    if (seconds > 0) s.changed_seconds_ago += seconds;
    s.take_over();
    s.races->advance();
    if (s.replay) s.head.advance(*s.replay, seconds);
}

const Recording* Workbench::recording() const {
    return state_->recording ? &*state_->recording : nullptr;
}
const Replay* Workbench::replay() const { return state_->replay ? &*state_->replay : nullptr; }
double Workbench::position() const { return state_->head.position(); }
bool Workbench::playing() const { return state_->head.playing(); }
bool Workbench::scrubbing() const { return state_->head.scrubbing(); }
double Workbench::speed() const { return state_->head.speed(); }
Replay::Unit Workbench::unit() const { return state_->head.unit(); }
const CountsColumn& Workbench::before() const { return state_->before; }
double Workbench::changed_seconds_ago() const { return state_->changed_seconds_ago; }
const RecordRequest& Workbench::request() const { return state_->request; }
const Generation& Workbench::generation() const { return *state_->generation; }
const RecordProgress* Workbench::recording_progress() const { return state_->worker.progress(); }
const std::string& Workbench::message() const {
    return state_->message.empty() ? state_->races->message() : state_->message;
}
const RaceBench& Workbench::races() const { return *state_->races; }
RaceBench& Workbench::races() { return *state_->races; }
std::unique_ptr<RaceBench> Workbench::release_races() { return std::move(state_->races); }
const Offer* Workbench::offer() const { return state_->standing_offer(); }
const Workbench::View& Workbench::view() const { return state_->view; }
Workbench::View& Workbench::view() { return state_->view; }

}  // namespace tilereel
