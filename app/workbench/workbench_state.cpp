#include "app/workbench/workbench_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ladder/kernel_of_trace.h"
#include "app/replay/schedule/schedule_block.h"
#include "app/workbench/launch/block_by_occupancy.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/launch/variant_limits.h"
#include "app/workbench/recording/saved_change.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "kernels/openings.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

// The request that records the launch of a trace file again, for when a parameter changes.
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
    request.find_failing_order = false;
    request.inputs = {};
    if (launch.seed == 0)
        request.inputs = {.a = matrix_of(trace, MatrixRole::kA).copy(),
                          .b = matrix_of(trace, MatrixRole::kB).copy()};
    else
        request.seed = launch.seed;
    request.inputs.c = matrix_of(trace, MatrixRole::kFirstC).copy();
    return request;
}

// Whether both record the same launch, with the same recorder and matrices of the same origin.
bool same_launch(const RecordRequest& a, const RecordRequest& b) {
    return a.kernel == b.kernel && a.parameters == b.parameters &&
           a.removed_barrier == b.removed_barrier && a.order == b.order &&
           a.recorder == b.recorder && a.inputs.a.empty() == b.inputs.a.empty();
}

}  // namespace

Workbench::State::State(WorkbenchOptions options)
    : request(std::move(options.request)),
      record_on_worker(options.record_on_worker),
      record(options.record),
      make_programs(std::move(options.make_programs)),
      head(options.playing),
      view(options.view),
      worker(options.record_on_worker, std::move(options.record)),
      times(options.record_on_worker, std::move(options.estimate)),
      races(options.races ? std::move(options.races)
                          : std::make_unique<RaceBench>(RaceBenchOptions{})),
      programs(options.programs ? std::move(options.programs)
                                : std::make_unique<ProgramBench>(
                                      ProgramBenchOptions{.on_thread = false, .run = {}})),
      lessons(options.lessons
                  ? std::move(options.lessons)
                  : std::make_unique<LessonBench>(LessonBenchOptions{.on_thread = false})),
      exercises(options.exercises
                    ? std::move(options.exercises)
                    : std::make_unique<ExerciseBench>(ExerciseBenchOptions{.on_thread = false})) {
    if (options.trace)
        if (const auto product = recognise_product(*options.trace))
            name_product(*options.trace, *product);
    if (options.trace) request = request_of(*options.trace, request);
    own_inputs = request.inputs;
    own_inputs_for = request.parameters;
    if (!options.sizes_chosen) default_sizes = request.parameters;
    if (options.trace) opening.trace = std::make_shared<const Trace>(*std::move(options.trace));
    opening.file = std::move(options.trace_file);
    opening.request = request;
    opening.default_sizes = default_sizes;
    submit(opening.trace);
}

void Workbench::State::submit(std::shared_ptr<const Trace> trace) {
    only_counting = trace != nullptr;
    asked_trace = trace;
    const Recording* former = recording ? &*recording : nullptr;
    finish_step();
    const LogicalPlace place =
        replay ? place_at(*replay, static_cast<Tick>(left_position())) : LogicalPlace{};
    request.lanes_may_diverge = generation->independent_lanes;
    if (trace == nullptr && request.order == ThreadOrder::kLanes && !request.lanes_may_diverge)
        request.order = ThreadOrder::kRoundRobin;  // this generation cannot run single lanes
    // Where only some blocks can be recorded, the watched one is among them.
    if (trace == nullptr)
        request.block = wanted_block ? wanted_block
                        : replay     ? std::optional(replay->block())
                                     : std::nullopt;
    BeforePlan plan = plan_before(former, before_launch, before, request, *generation);
    if (std::exchange(was_edited, false))
        plan = {.launch = {.label = "before",
                           .kernel = request.kernel,
                           .generation = generation,
                           .edited = true},
                .counts = former->counts,
                .request = {}};
    worker.submit({.request = request,
                   .trace = std::move(trace),
                   .generation = generation,
                   .before = std::move(plan),
                   .place = place});
    take_over();  // without a worker the result is there at once
}

void Workbench::State::take_over() {
    std::optional<RecordingOutcome> outcome = worker.take();
    if (!outcome) return;
    if (*outcome) {
        FinishedRecording finished = std::move(*outcome).value();
        if (request.find_failing_order && finished.recording.wrong.empty())
            tell(Notice::kNoFailingOrder, "No order of the threads changes C with these matrices");
        request.order = finished.recording.request.order;
        request.find_failing_order = false;
        request.recorder = finished.recording.request.recorder;
        if (!finished.without_gpu.empty())
            tell(Notice::kNoGpu, "Recorded without the GPU: " + finished.without_gpu);
        show(std::move(finished));
        return;
    }
    fail(outcome->error().message);
    fall_back();
}

void Workbench::State::take_over_program() {
    programs->advance();
    if (std::string problem = programs->take_message(); !problem.empty()) {
        clear_message();
        message = std::move(problem);
    }
    std::shared_ptr<const Trace> trace = programs->take_trace();
    if (trace == nullptr) return;
    clear_message();
    if (shows_program && recording) {
        const Trace& former = *recording->trace;
        was_edited = former.launch.kernel == trace->launch.kernel &&
                     former.launch.number == trace->launch.number &&
                     former.source != trace->source && recording->generation == generation;
    }
    request = request_of(*trace, request);
    own_inputs = {};
    default_sizes.reset();
    program_trace = trace;
    wanted_block = programs->take_block();
    submit(std::move(trace));
}

void Workbench::State::show(FinishedRecording finished) {
    finish_step();
    // The same trace, counted by another generation's rules.
    if (recording && recording->trace == finished.recording.trace)
        finished.recording.from_request = recording->from_request;
    const LogicalPlace place =
        replay ? place_at(*replay, static_cast<Tick>(left_position())) : LogicalPlace{};
    const Trace& trace = *finished.recording.trace;
    Replay fresh = std::move(finished.replay);
    // Whether the same block can stay: it is in the same grid, and was recorded. block_at() may
    // return another one, because a LogicalPlace has no third dimension.
    const bool stays = !trace.product && recording && replay && is_chosen(trace, replay->block()) &&
                       recording->trace->launch.grid == trace.launch.grid &&
                       recording->trace->launch.kernel == trace.launch.kernel;
    std::uint32_t block = stays ? replay->block() : block_at(trace, place);
    shows_program = finished.recording.trace == program_trace;
    const bool of_lesson = lesson_place && is_of(*lesson_place, finished.recording);
    if (of_lesson) block = lesson_place->block;
    if (of_lesson) finished.recording.from_request = lesson_place->from_request;
    if (shows_program || finished.recording.from_request) {
        const auto wanted = std::exchange(wanted_block, std::nullopt);
        if (wanted && is_chosen(trace, *wanted)) block = *wanted;
    }
    if (block != fresh.block()) {
        // Another block than the worker's was chosen: by the user meanwhile, a lesson or a program.
        if (Result<Replay> chosen = Replay::of_block(trace, block, *finished.recording.generation))
            fresh = std::move(chosen).value();
    }
    if (recording && recording->counts != finished.recording.counts) changed_seconds_ago = 0;
    const bool edited = keep_former(finished);
    const bool from_program_to_rung = recording &&
                                      find_kernel(recording->trace->launch.kernel) == nullptr &&
                                      find_kernel(trace.launch.kernel) != nullptr;
    replay = std::move(fresh);
    threads.fit(replay->trace().launch);
    if (recording) worker.discard(std::move(*recording));
    recording = std::move(finished.recording);
    before_launch = std::move(finished.before_launch);
    before = std::move(finished.before);
    note_former_ticks();
    const bool from_start = opening.trace == recording->trace && std::exchange(starts_at_0, false);
    if (from_start || from_program_to_rung ||
        (shows_program && std::exchange(opens_another, false)))
        go_to(0);
    else
        stay_at(place);
    saved_change = edited ? tilereel::saved_change(*before_edit, *recording) : Sentence();
    saved_at = left_position();
    saved_seconds_ago = 0;
    quiz.follow(*replay);
    take_lesson_place();
}

void Workbench::State::end_saved_change(double seconds) {
    constexpr double kShownSeconds = 8;
    saved_seconds_ago += seconds;
    const bool moved = left_position() != saved_at;
    if (comparing || (moved && (!head.playing() || saved_seconds_ago > kShownSeconds)))
        saved_change.clear();
}

// Called before `recording` is replaced: keeps it for comparison if the program was edited.
// Returns whether it has just been edited.
bool Workbench::State::keep_former(const FinishedRecording& finished) {
    const bool edited = finished.before_launch.edited && recording;
    const bool edited_now = edited && recording->trace->source != finished.recording.trace->source;
    if (edited && !edited_now) return false;
    if (before_edit) worker.discard(std::move(*before_edit));
    before_edit.reset();
    if (edited_now) {
        before_edit = *recording;
        former_time_key = timed.recording == recording->id && !timed.keys.empty()
                              ? timed.keys.front()
                              : std::string();
    }
    return edited_now;
}

// Notes how long the block with the same blockIdx took in the former run, if its grid had one.
void Workbench::State::note_former_ticks() {
    former_ticks.reset();
    if (!before_edit || !replay || replay->schedule().cycles_per_tick != 0) return;
    const Trace& trace = *before_edit->trace;
    const Dim3 index = index_of(recording->trace->launch.grid, replay->block());
    const Dim3& grid = trace.launch.grid;
    if (index.x >= grid.x || index.y >= grid.y || index.z >= grid.z) return;
    const auto block = static_cast<std::uint32_t>(number_of(grid, index));
    if (is_chosen(trace, block))
        former_ticks = modelled_ticks(trace, block, *before_edit->generation);
}

void Workbench::State::finish_step() {
    const bool other_ticks = comparing && comparing->steps && lock() == nullptr;
    if (replay && !other_ticks) head.finish_step(played());
}

void Workbench::State::stay_at(const LogicalPlace& place) {
    // A replay at its start stays there: a LogicalPlace always names a tick within a step.
    const bool at_start = left_position() < 1.0;
    const Tick tick = at_start ? 0 : tick_of(*replay, place);
    if (comparing) comparing->steps.reset();
    head.seek(*replay, static_cast<double>(tick), head.scrubbing());
}

void Workbench::State::open_program(const OpenProgram& to) {
    const OpenedProgram* const open = programs->program();
    opens_another = recording.has_value() &&
                    (!shows_program || open == nullptr || open->request.file != to.request.file);
    if (opens_another) head.set_speed(1);
    programs->open(to.request, to.products);
}

void Workbench::State::seek(const SeekTo& to) {
    if (!replay || std::isnan(to.tick)) return;
    const LockStep* steps = lock();
    head.seek(played(), steps == nullptr ? to.tick : steps->common_of(Side::kLeft, to.tick),
              to.scrubbing);
}

void Workbench::State::take_request_of(const Trace& trace) {
    request = request_of(trace, request);
    own_inputs = request.inputs;
    own_inputs_for = request.parameters;
    default_sizes.reset();
}

void Workbench::State::show_trace(Trace trace) {
    take_request_of(trace);
    submit(std::make_shared<const Trace>(std::move(trace)));
}

// What opened first is forgotten: BackToOpening goes to this trace.
void Workbench::State::open_trace_file(const std::filesystem::path& file) {
    clear_message();
    Result<Trace> trace = open_trace(file);
    if (!trace) return fail(trace.error().message);
    close_comparison();
    quiz.stop();
    lesson_place.reset();
    view.mode = WindowMode::kReplay;
    view.introduction = view.phase_table = false;
    threads = {};
    stage_zoom = {};
    if (const auto product = recognise_product(*trace)) name_product(*trace, *product);
    take_request_of(*trace);
    opening = {.request = request,
               .trace = std::make_shared<const Trace>(std::move(trace).value()),
               .file = file,
               .generation = generation,
               .default_sizes = {}};
    starts_at_0 = true;
    submit(opening.trace);
}

void Workbench::State::go_back_to_opening() {
    clear_message();
    head.stop();
    watch(0);
    go_to(0);
    const bool there = recording && !worker.busy() && generation == opening.generation &&
                       same_launch(request, opening.request);
    request = opening.request;
    generation = opening.generation;
    default_sizes = opening.default_sizes;
    if (!there) submit(opening.trace);
}

}  // namespace tilereel
