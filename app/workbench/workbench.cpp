#include "app/workbench/workbench.h"

#include "app/workbench/workbench_state.h"

namespace tilereel {
Workbench::Workbench(WorkbenchOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
Workbench::~Workbench() = default;

void Workbench::apply(const Command& command) {
    State& s = *state_;
    if (command.of_right()) return s.apply_to_other(command);
    const bool follows = s.comparing && !command.holds<Compare>();
    const RecordRequest before = follows ? s.request : RecordRequest{};
    const Generation& rules = *s.generation;
    s.carry_out(command);
    if (!s.view.motion && s.replay) s.head.finish_step(s.played());
    if (follows) s.follow_left(before, rules);
    s.advance_other(0);
    s.update_follower();
}

void Workbench::apply(const Commands& commands) {
    for (const Command& command : commands) apply(command);
}

void Workbench::advance(double seconds) {
    State& s = *state_;
    if (seconds > 0) s.changed_seconds_ago += seconds;
    s.take_over_program();
    s.take_over();
    s.advance_other(seconds);
    if (s.view.mode == WindowMode::kRace) s.offer_own_kernel();
    s.races->advance();
    if (s.lessons->advance() && view().mode == WindowMode::kLessons) s.show_beat();
    if (s.exercises->advance() && view().mode == WindowMode::kLessons) s.show_new_check();
    if (s.replay) s.head.advance(s.played(), seconds);
    s.update_follower();
    if (s.replay)
        s.gate.follow(*s.replay,
                      {.position = position(),
                       .moved_from = moved_from(),
                       .speed = speed(),
                       .moving = moving(),
                       .animated = view().motion && !scrubbing()},
                      seconds);
    s.end_saved_change(seconds);
    s.ask_for_time();
}

const Recording* Workbench::recording() const {
    return state_->recording ? &*state_->recording : nullptr;
}
const Replay* Workbench::replay() const { return state_->replay ? &*state_->replay : nullptr; }
double Workbench::position() const {
    return state_->follower ? state_->follower->position : state_->left_position();
}
bool Workbench::playing() const {
    return state_->follower ? state_->follower->playing : state_->head.playing();
}
bool Workbench::moving() const {
    return state_->follower ? state_->follower->moving : state_->head.moving();
}
double Workbench::moved_from() const {
    if (state_->follower) return state_->follower->moved_from;
    const LockStep* steps = state_->lock();
    const double from = state_->head.moved_from();
    return steps == nullptr ? from : steps->position_of(Side::kLeft, from);
}
bool Workbench::comparing() const { return state_->comparing.has_value(); }
bool Workbench::tells_advice() const {
    const OpenedExercise* const exercise = state_->exercises->exercise();
    return exercise == nullptr || exercise->shows_advice();
}
const FindingScene* Workbench::finding_scene() const {
    State& s = *state_;
    if (!s.replay || !s.recording || moving() || s.comparing || s.follower ||
        (s.recording->findings.empty() && s.recording->trace->findings.empty())) {
        s.closed_finding.reset();
        return nullptr;
    }
    const State::SceneMoment now{s.recording->id, s.replay->id(), s.replay->state().tick,
                                 tells_advice()};
    if (s.scene_moment != now) {
        s.closed_finding.reset();
        s.scene_moment = now;
        s.finding_scene =
            finding_scene_of(*s.recording, *s.replay,
                             tells_advice() ? FindingAdvice::kTold : FindingAdvice::kNotTold);
    }
    return s.finding_scene ? &*s.finding_scene : nullptr;
}
bool Workbench::finding_is_closed() const {
    return finding_scene() != nullptr && state_->closed_finding == state_->scene_moment;
}
const Subject* Workbench::compared_with() const {
    const auto& comparing = state_->comparing;
    return comparing && comparing->trace == nullptr ? &comparing->asked : nullptr;
}
const Workbench* Workbench::other() const {
    return state_->comparing ? state_->comparing->other.get() : nullptr;
}
const LockStep* Workbench::lock_step() const { return state_->lock(); }
double Workbench::common_position() const { return state_->head.position(); }
bool Workbench::looping() const { return state_->head.looping(); }
bool Workbench::scrubbing() const {
    return state_->follower ? state_->follower->scrubbing : state_->head.scrubbing();
}
double Workbench::speed() const {
    return state_->follower ? state_->follower->speed : state_->head.speed();
}
StepUnit Workbench::unit() const { return state_->head.unit(); }
const std::optional<BarrierOpening>& Workbench::barrier_opening() const {
    return state_->gate.opening();
}
const CountsColumn& Workbench::before() const { return state_->before; }
bool Workbench::is_of_program() const {
    return state_->shows_program ||
           (state_->recording && find_kernel(state_->recording->trace->launch.kernel) == nullptr);
}
const Recording* Workbench::former() const {
    return state_->before_edit ? &*state_->before_edit : nullptr;
}
const Sentence& Workbench::saved_change() const { return state_->saved_change; }
std::optional<Tick> Workbench::former_ticks() const { return state_->former_ticks; }
double Workbench::changed_seconds_ago() const { return state_->changed_seconds_ago; }
const RecordRequest& Workbench::request() const { return state_->request; }
const Generation& Workbench::generation() const { return *state_->generation; }
const RecordProgress* Workbench::recording_progress() const {
    const RecordProgress* own = state_->worker.progress();
    if (own != nullptr || !state_->comparing || !state_->comparing->next) return own;
    return state_->comparing->next->recording_progress();
}
bool Workbench::message_is_error() const {
    if (state_->message.empty()) return state_->races->message_is_error();
    return !state_->shown_notice;
}
const std::string& Workbench::message() const {
    return state_->message.empty() ? state_->races->message() : state_->message;
}
const OpenedProgram* Workbench::program() const { return state_->programs->program(); }
bool Workbench::shows_program() const { return state_->recording && state_->shows_program; }
std::filesystem::path Workbench::shown_file() const {
    const bool shown = state_->recording && state_->opening.trace != nullptr &&
                       state_->recording->trace == state_->opening.trace;
    return shown ? state_->opening.file : std::filesystem::path();
}
bool Workbench::records_more() const { return shows_program() || state_->records_kernel(); }
bool Workbench::can_record(std::uint32_t block) const {
    const OpenedProgram* const opened = program();
    const bool runs_again =
        state_->records_kernel() || (shows_program() && opened->run && opened->launch);
    return runs_again && block < state_->recording->trace->launch.grid.count() &&
           !is_chosen(*state_->recording->trace, block);
}
bool Workbench::program_busy() const {
    const auto& comparing = state_->comparing;
    return state_->programs->busy() ||
           (comparing && comparing->next && comparing->next->program_busy());
}
std::unique_ptr<ProgramBench> Workbench::release_programs() { return std::move(state_->programs); }
const PatternLab& Workbench::lab() const { return state_->lab; }
const RaceBench& Workbench::races() const { return *state_->races; }
RaceBench& Workbench::races() { return *state_->races; }
std::unique_ptr<RaceBench> Workbench::release_races() { return std::move(state_->races); }
std::unique_ptr<LessonBench> Workbench::release_lessons() { return std::move(state_->lessons); }
const LessonBench& Workbench::lessons() const { return *state_->lessons; }
const ExerciseBench& Workbench::exercises() const { return *state_->exercises; }
const Quiz& Workbench::quiz() const { return state_->quiz; }
const SizeSuggestions* Workbench::size_suggestions() const { return state_->size_suggestions(); }
const ViewState& Workbench::view() const { return state_->view; }
const StageZoom& Workbench::stage_zoom() const { return state_->stage_zoom; }
const WatchedThread& Workbench::watched_thread() const { return state_->threads; }

}  // namespace tilereel
