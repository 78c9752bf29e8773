#include "app/workbench/comparison.h"

#include <cmath>
#include <utility>

#include "app/ladder/kernel_of_trace.h"
#include "app/subject/file_kind.h"
#include "app/subject/program_launch.h"
#include "app/subject/rung_launch.h"
#include "app/workbench/workbench_state.h"

namespace tilereel {
namespace {

bool is_program(const std::filesystem::path& file) {
    return has_ending_of(file, FileKind::kProgram);
}

// Whether the right side is a program that is still to be run. A lesson brings its trace.
bool runs_program(const Comparing& comparing) {
    return comparing.trace == nullptr && is_program(comparing.asked.file);
}

std::string kernel_words(const Launch& launch) {
    const KernelInfo* kernel = find_kernel(launch.kernel);
    return kernel == nullptr ? launch.kernel : std::string(kernel->title);
}

std::string size_words(const Launch& launch) {
    return "M N K " + std::to_string(launch.m) + " " + std::to_string(launch.n) + " " +
           std::to_string(launch.k);
}

std::string barrier_words(const Launch& launch) {
    return launch.removed_barrier == 0 ? "with every barrier"
                                       : "without line " + std::to_string(launch.removed_barrier);
}

std::string joined_or(const std::vector<std::string>& texts, const char* none) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
    return all.empty() ? none : all;
}

// Updates a field of the right side after the left side's field changed from `before` to `after`.
// Equal fields stay equal. If the left side takes the right side's value, the two values are
// swapped.
template <class Value>
void follow(Value& own, const Value& before, const Value& after) {
    if (before == after) return;
    if (own == before)
        own = after;
    else if (own == after)
        own = before;
}

}  // namespace

std::optional<Subject> shown_subject(const Workbench& workbench) {
    const Recording* const recording = workbench.recording();
    if (recording == nullptr) return std::nullopt;
    Subject subject;
    const OpenedLesson* const lesson = workbench.lessons().lesson();
    if (const OpenedProgram* const program = workbench.program(); workbench.shows_program()) {
        subject = subject_of(program->request, program->launch.value_or(0));
    } else if (const auto file = workbench.shown_file(); !file.empty()) {
        subject.file = absolute_path(file);
    } else if (find_kernel(recording->request.kernel) != nullptr) {
        subject = subject_of(recording->request);
    } else if (lesson != nullptr && lesson->shows_scene() &&
               lesson->prepared_scene().trace == recording->trace) {
        subject = lesson->scene_shown().launch;
        subject.file = absolute_path(subject.file);
        subject.block_x = subject.block_y = 0;
    } else {
        return std::nullopt;
    }
    subject.generation.clear();
    if (&workbench.generation() != &default_generation())
        subject.generation = workbench.generation().id;
    return subject;
}

Subject side_of(const Workbench& workbench) {
    const RecordRequest& request = workbench.request();
    Subject side;
    if (find_kernel(request.kernel) != nullptr) {
        side = subject_of(request);
        side.order = ThreadOrder::kRoundRobin;
    }
    side.generation = workbench.generation().id;
    return side;
}

std::array<std::string, 2> side_labels(const Workbench& left, const Workbench& right) {
    const std::array<const Recording*, 2> sides = {left.recording(), right.recording()};
    std::array<std::string, 2> labels;
    const auto add = [&](auto&& words) {
        const std::array<std::string, 2> both = {words(*sides[0]), words(*sides[1])};
        if (both[0] == both[1]) return;
        for (std::size_t i = 0; i < 2; ++i) labels[i] += (labels[i].empty() ? "" : ", ") + both[i];
    };
    add([](const Recording& r) { return kernel_words(r.trace->launch); });
    add([](const Recording& r) { return size_words(r.trace->launch); });
    add([](const Recording& r) { return "TILE " + std::to_string(r.trace->launch.tile); });
    add([](const Recording& r) { return "PAD " + std::to_string(r.trace->launch.pad); });
    add([](const Recording& r) { return barrier_words(r.trace->launch); });
    add([](const Recording& r) { return std::string(r.generation->title); });
    if (left.shows_program() && right.shows_program()) {
        const std::array both = {left.program(), right.program()};
        const auto add_words = [&](const std::string& a, const std::string& b) {
            if (a == b) return;
            labels[0] += (labels[0].empty() ? "" : ", ") + a;
            labels[1] += (labels[1].empty() ? "" : ", ") + b;
        };
        const auto add_texts = [&](const char* none, auto&& texts) {
            add_words(joined_or(texts(both[0]->request), none),
                      joined_or(texts(both[1]->request), none));
        };
        add_words(both[0]->name(), both[1]->name());
        add_texts("no macro", [](const auto& request) { return request.defines; });
        add_texts("no argument", [](const auto& request) { return request.arguments; });
        add([](const Recording& r) { return "launch " + std::to_string(r.trace->launch.number); });
    }
    if (labels[0].empty()) labels = {"left", "right"};
    return labels;
}

void Workbench::State::compare(const Compare& asked) {
    clear_message();
    if (asked.left) show_side(*asked.left);
    comparing.emplace();
    comparing->asked = asked.right;
    comparing->asked.generation = generation_of(asked.right).id;
    make_other();
}

// Shows `side` as the left side: records its kernel, or opens its file.
void Workbench::State::show_side(const Subject& side) {
    generation = &generation_of(side);
    if (is_program(side.file)) {
        programs->open(program_request(side), {});
        return take_over_program();
    }
    if (!side.file.empty()) {
        Result<Trace> trace = open_trace(side.file);
        if (!trace) return fail(trace.error().message);
        return show_trace(std::move(trace).value());
    }
    default_sizes.reset();
    request = record_request(side, std::move(request));
    use_inputs_that_fit(request);
    submit();
}

// Starts a new right side. The former one is shown until the new one is recorded.
void Workbench::State::make_other() {
    const Subject& side = comparing->asked;
    WorkbenchOptions options;
    options.request = request;
    options.record_on_worker = record_on_worker;
    options.record = record;
    options.playing = false;
    if (comparing->trace) {
        options.trace = *comparing->trace;
    } else if (runs_program(*comparing)) {
        if (make_programs) options.programs = make_programs();
        if (recording) options.trace = *recording->trace;  // until the program is recorded
    } else if (!side.file.empty()) {
        Result<Trace> trace = open_trace(side.file);
        if (!trace) {
            comparing.reset();
            return fail(trace.error().message);
        }
        options.trace = std::move(trace).value();
    } else if (is_rung(side)) {
        options.request = record_request(side, request);
        if (!same_sizes(options.request.parameters, request.parameters) ||
            options.request.seed != request.seed)
            options.request.inputs = {};
    } else if (recording) {
        options.trace = *recording->trace;  // the same trace, counted by another generation's rules
    }
    comparing->chose_launch = false;
    comparing->next = std::make_unique<Workbench>(std::move(options));
    comparing->next->apply(SetGeneration{std::string(generation_of(side).id)});
    if (runs_program(*comparing)) comparing->next->apply(OpenProgram{program_request(side), {}});
}

void Workbench::State::close_comparison() {
    if (!comparing) return;
    leave_lock_step();
    comparing.reset();
}

// After a change of the left side: what both sides had in common stays common.
void Workbench::State::follow_left(const RecordRequest& former, const Generation& rules) {
    if (!comparing || !comparing->asked.file.empty() || comparing->trace) return;
    Subject side = comparing->asked;
    if (is_rung(side)) {
        KernelParameters p = parameters_of(side);
        follow(side.kernel, former.kernel, request.kernel);
        follow(p.m, former.parameters.m, request.parameters.m);
        follow(p.n, former.parameters.n, request.parameters.n);
        follow(p.k, former.parameters.k, request.parameters.k);
        follow(p.tile, former.parameters.tile, request.parameters.tile);
        follow(p.pad, former.parameters.pad, request.parameters.pad);
        side.m = p.m, side.n = p.n, side.k = p.k, side.tile = p.tile, side.pad = p.pad;
        follow(side.removed_barrier, former.removed_barrier, request.removed_barrier);
    }
    follow(side.generation, std::string(rules.id), std::string(generation->id));
    if (side == comparing->asked) return;
    comparing->asked = side;
    make_other();
}

// Whether the program on the right side shows the launch that was asked for. Chooses it first.
bool Workbench::State::shows_asked_launch(Workbench& next) {
    const std::uint32_t launch = comparing->asked.launch;
    if (launch == 0 || next.program()->launch == launch) return true;
    if (next.program()->running || std::exchange(comparing->chose_launch, true)) return false;
    const std::size_t count = next.program()->listed().size();
    if (launch < count)
        next.apply(ChooseLaunch{launch});
    else
        next.state_->fail("The program has " + std::to_string(count) +
                          " launches; launch = 0 is the first of them");
    return next.program()->launch == launch && next.recording_progress() == nullptr;
}

// A command from the right side's picture.
void Workbench::State::apply_to_other(const Command& command) {
    if (!comparing || !comparing->other) return;
    const auto& theirs = comparing->other->state_->recording;
    const bool same_grid =
        recording && theirs && recording->trace->launch.grid == theirs->trace->launch.grid;
    const LockStep* const steps = lock();
    // Both sides watch the same block if both have it, and both stop and move together.
    if (const auto* const to = command.get_if<SeekTo>(); to != nullptr && steps != nullptr)
        carry_out(PlayCommand(SeekBoth{steps->common_of(Side::kRight, to->tick), to->scrubbing}));
    else if ((command.holds<WatchBlock>() && same_grid) || command.holds<PlayPause>())
        carry_out(command);
    else
        comparing->other->state_->carry_out(command);
    enter_lock_step();
    update_follower();
}

// Advances the right side, and takes over a new right side once it is recorded.
void Workbench::State::advance_other(double seconds) {
    if (!comparing) return;
    if (comparing->other) comparing->other->advance(seconds);
    if (!comparing->next) return enter_lock_step();
    Workbench& next = *comparing->next;
    next.advance(seconds);
    const bool program = runs_program(*comparing);
    const bool shown = next.recording() != nullptr && (!program || next.shows_program()) &&
                       next.recording_progress() == nullptr;
    const bool ready = shown && (!program || shows_asked_launch(next));
    if (ready) {
        leave_lock_step();
        comparing->other = std::move(comparing->next);
        comparing->followed = 0;
    } else if (!next.message().empty()) {
        message = next.message();
        comparing->next.reset();
        if (!comparing->other) comparing.reset();
    }
    if (comparing) enter_lock_step();
}

const LockStep* Workbench::State::lock() const {
    if (!comparing || !comparing->steps || !replay) return nullptr;
    const std::optional<Replay>& other = comparing->other->state_->replay;
    const bool current = other && comparing->replays == std::array{replay->id(), other->id()};
    return current ? &*comparing->steps : nullptr;
}

double Workbench::State::left_position() const {
    if (const LockStep* steps = lock()) return steps->position_of(Side::kLeft, head.position());
    return comparing && comparing->steps ? comparing->left_position : head.position();
}

// From now on the play head counts the left side's own ticks.
void Workbench::State::leave_lock_step() {
    if (!comparing || !comparing->steps) return;
    finish_step();
    const double position = left_position();
    comparing->steps.reset();
    if (replay) head.go_to(*replay, position);
}

// From now on the play head counts the common ticks of both sides.
void Workbench::State::enter_lock_step() {
    if (lock() != nullptr || !replay || !comparing->other || !comparing->other->state_->replay)
        return;
    finish_step();
    leave_lock_step();
    State& other = *comparing->other->state_;
    const LogicalPlace place = place_at(*replay, static_cast<Tick>(head.position()));
    const Trace& theirs = *other.recording->trace;
    const std::uint32_t block = recording->trace->launch.grid == theirs.launch.grid
                                    ? replay->block()
                                    : block_at(theirs, place);
    if (comparing->followed != replay->id() && is_chosen(theirs, block)) other.watch(block);
    comparing->followed = replay->id();
    comparing->steps.emplace(*replay, *other.replay);
    comparing->replays = {replay->id(), other.replay->id()};
    head.go_to(played(), comparing->steps->common_of(Side::kLeft, head.position()));
    update_follower();
}

Played Workbench::State::played() {
    const LockStep* steps = lock();
    if (steps == nullptr) return {*replay};
    return {*steps, *replay, *comparing->other->state_->replay};
}

// Moves the right side's replay to where the play head stands.
void Workbench::State::update_follower() {
    if (comparing && comparing->other) {  // both sides look alike
        ViewState& right = comparing->other->state_->view;
        right.heat = view.heat;
        right.motion = view.motion;
        right.mode = view.mode;
        right.presenting = view.presenting;
    }
    const LockStep* steps = lock();
    if (steps == nullptr) return;
    comparing->left_position = steps->position_of(Side::kLeft, head.position());
    comparing->other->state_->follower =
        FollowerState{.position = steps->position_of(Side::kRight, head.position()),
                      .moved_from = steps->position_of(Side::kRight, head.moved_from()),
                      .speed = head.speed(),
                      .playing = head.playing(),
                      .moving = head.moving(),
                      .scrubbing = head.scrubbing()};
}

}  // namespace tilereel
