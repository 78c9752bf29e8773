#include "app/workbench/workbench.h"

#include <algorithm>

#include "app/workbench/overloaded.h"
#include "app/workbench/workbench_state.h"

namespace tilereel {
namespace {

constexpr int kSmallestText = 14, kLargestText = 32, kTextStep = 2;  // pixels

void toggle_presenting(ViewState& view) {
    view.presenting = view.full_screen = !view.presenting;
    view.tool = PresenterTool::kNone;
    view.curtain = Curtain::kNone;
}

void use_tool(ViewState& view, PresenterTool tool) {
    view.tool = view.tool == tool ? PresenterTool::kNone : tool;
}

void draw_curtain(ViewState& view, Curtain curtain) {
    view.curtain = view.curtain == curtain ? Curtain::kNone : curtain;
}

}  // namespace

Workbench::Workbench(WorkbenchOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
Workbench::~Workbench() = default;

void Workbench::apply(const Command& command) {
    State& s = *state_;
    PlayHead& head = s.head;
    ViewState& view = s.view;
    const bool follows = s.comparing && !command.holds<Compare>();
    const RecordRequest before = follows ? s.request : RecordRequest{};
    const Generation& rules = *s.generation;
    command.visit(Overloaded{
        [&](const PlayPause&) {
            head.toggle_playing(s.replay ? std::optional(s.played()) : std::nullopt);
        },
        [&](const StepForward&) { s.step(head.unit(), +1); },
        [&](const StepBack&) { s.step(head.unit(), -1); },
        [&](const PartForward&) { s.step_part(+1); },
        [&](const PartBack&) { s.step_part(-1); },
        [&](const PhaseForward&) { s.step(StepUnit::kPhase, +1); },
        [&](const PhaseBack&) { s.step(StepUnit::kPhase, -1); },
        [&](const GoToStart&) { s.go_to(0); },
        [&](const GoToEnd&) {
            head.stop();
            s.go_to(s.replay ? s.played().ticks() : 0);
        },
        [&](const BackToOpening&) { s.go_back_to_opening(); },
        [&](const ToggleLoop&) { head.toggle_looping(); },
        [&](const SeekTo& to) { s.seek(to); },
        [&](const SeekBoth& to) {
            if (s.lock() != nullptr) head.seek(s.played(), to.tick, to.scrubbing);
        },
        [&](const Compare& asked) {
            s.show_mode(WindowMode::kReplay);
            view.sides = SidesShown::kBoth;
            s.compare(asked);
        },
        [&](const CloseComparison&) { s.close_comparison(); },
        [&](const ShowNextSide&) {
            if (s.comparing)
                view.sides = static_cast<SidesShown>((static_cast<int>(view.sides) + 1) % 3);
        },
        [&](const SetUnit& to) { head.set_unit(to.unit); },
        [&](const SetSpeed& to) { head.set_speed(to.factor); },
        [&](const ChangeSpeed& by) { head.change_speed(by.steps); },
        [&](const WatchBlock& block) {
            if (!s.recording) return;
            const Dim3& grid = s.recording->trace->launch.grid;
            // The map shows the planes of a grid one below the other.
            if (block.x < grid.x && block.y < grid.y * grid.z)
                s.watch_or_record(block.y * grid.x + block.x);
        },
        [&](const SetKernel& to) { s.choose_kernel(to.id); },
        [&](const SetParameters& to) { s.ask_for(s.request.kernel, to.parameters); },
        [&](const SetTileByOccupancy&) { s.ask_for_tile_by_occupancy(); },
        [&](const TakeSuggestion& taken) { s.take_suggestion(taken.number); },
        [&](const SetGeneration& to) { s.choose_generation(to.id); },
        [&](const SetRecorder& to) { s.choose_recorder(to.recorder); },
        [&](const RemoveBarrier& from) { s.remove_barrier(from.line); },
        [&](const SetThreadOrder& to) { s.run_in_order(to.order, false); },
        [&](const FindFailingOrder&) { s.run_in_order(s.request.order, true); },
        [&](const TogglePad&) { s.toggle_pad(); },
        [&](const SetTheme& to) { view.light = to.light; },
        [&](const ToggleTheme&) { view.light = !view.light; },
        [&](const SetTextSize& to) {
            view.text_px = std::clamp(to.px, kSmallestText, kLargestText);
        },
        [&](const ChangeTextSize& by) {
            const std::int64_t px = view.text_px + std::int64_t{by.steps} * kTextStep;
            view.text_px =
                static_cast<int>(std::clamp<std::int64_t>(px, kSmallestText, kLargestText));
        },
        [&](const SetMotion& to) { view.motion = to.moves; },
        [&](const ShowHeat& to) { view.heat = to.heat; },
        [&](const SetLineFigure& to) { view.line_figure = to.figure; },
        [&](const ToggleFullScreen&) { view.full_screen = !view.full_screen; },
        [&](const ToggleHelp&) { view.help = !view.help; },
        [&](const ToggleIntroduction&) { view.introduction = !view.introduction; },
        [&](const TogglePhaseTable&) { view.phase_table = !view.phase_table; },
        [&](const SelectTab& to) { view.tab = to.tab; },
        [&](const SetMode& to) { s.show_mode(to.mode); },
        [&](const DismissMessage&) {
            s.dismiss_message();
            s.races->apply(DismissRaceMessage{});
        },
        [&](const WatchKernel& to) {
            view.mode = WindowMode::kReplay;
            s.ask_for(to.id, to.parameters);
        },
        [&](const AskPattern& asked) { s.lab.ask(asked.question); },
        [&](const RaceAction& asked) { s.races->apply(asked); },
        [&](const OpenProgram& to) {
            view.mode = WindowMode::kReplay;
            s.clear_message();
            s.open_program(to);
            s.take_over_program();
        },
        [&](const RunProgramAgain& again) {
            s.clear_message();
            s.programs->run_again(again.saved, again.all_blocks);
            s.take_over_program();
        },
        [&](const AddMissingFiles&) {
            s.clear_message();
            s.programs->add_missing_files();
            s.take_over_program();
        },
        [&](const ChooseLaunch& to) {
            s.programs->choose(to.launch);
            s.take_over_program();
        },
        [&](const NameProduct& named) {
            s.clear_message();
            s.programs->name_product(named.product);
            s.take_over_program();
        },
        [&](const OpenLesson& to) { s.open_lesson(to.file, to.scene); },
        [&](const ReloadLesson&) { s.lessons->reload(); },
        [&](const CloseLesson&) {
            head.stop();
            s.lessons->close();
        },
        [&](const StepLesson& by) { s.step_lesson(by.direction); },
        [&](const GoToLessonScene& to) {
            if (s.lessons->go_to_scene(to.scene)) s.show_beat();
        },
        [&](const ToggleQuiz&) { s.toggle_quiz(); },
        [&](const StepQuiz&) { s.step_quiz(); },
        [&](const ChooseInQuiz& chosen) { s.quiz.choose(chosen.choice); },
        [&](const TogglePresenting&) { toggle_presenting(view); },
        [&](const UseTool& used) { use_tool(view, used.tool); },
        [&](const DrawCurtain& drawn) { draw_curtain(view, drawn.curtain); },
        [&](const CancelRecording&) {
            s.programs->cancel();
            s.worker.cancel();
            s.fall_back();
            if (s.comparing && s.comparing->next) s.comparing->next.reset();
            if (s.comparing && !s.comparing->other) s.close_comparison();
        },
    });
    if (!view.motion && s.replay) head.finish_step(s.played());
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
    s.races->advance();
    if (s.lessons->advance() && view().mode == WindowMode::kLessons) s.show_beat();
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
const FindingScene* Workbench::finding_scene() const {
    State& s = *state_;
    if (!s.replay || !s.recording || moving() || s.comparing || s.follower ||
        (s.recording->findings.empty() && s.recording->trace->findings.empty()))
        return nullptr;
    const State::SceneMoment now{s.recording->id, s.replay->id(), s.replay->state().tick};
    if (s.scene_moment != now) {
        s.scene_moment = now;
        s.finding_scene = finding_scene_of(*s.recording, *s.replay);
    }
    return s.finding_scene ? &*s.finding_scene : nullptr;
}
const Subject* Workbench::compared_with() const {
    const auto& comparing = state_->comparing;
    return comparing && comparing->trace == nullptr ? &comparing->asked : nullptr;
}
const Workbench* Workbench::other() const {
    return state_->comparing ? state_->comparing->other.get() : nullptr;
}
const LockStep* Workbench::lock_step() const { return state_->lock(); }
void Workbench::finish_step() { state_->finish_step(); }
double Workbench::common_position() const { return state_->head.position(); }
void Workbench::apply_to_other(const Commands& commands) {
    if (other() == nullptr) return;
    const Recording* own = recording();
    const Recording* theirs = other()->recording();
    const bool same_grid = own != nullptr && theirs != nullptr &&
                           own->trace->launch.grid == theirs->trace->launch.grid;
    for (const Command& command : commands) {
        const LockStep* steps = lock_step();
        const SeekTo* to = command.get_if<SeekTo>();
        // Both sides watch the same block if both have it, and both stop and move together.
        if (to != nullptr && steps != nullptr)
            apply(SeekBoth{steps->common_of(Side::kRight, to->tick), to->scrubbing});
        else if ((command.holds<WatchBlock>() && same_grid) || command.holds<PlayPause>())
            apply(command);
        else
            state_->comparing->other->apply(command);
    }
    state_->enter_lock_step();
}
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
const Quiz& Workbench::quiz() const { return state_->quiz; }
const SizeSuggestions* Workbench::size_suggestions() const { return state_->size_suggestions(); }
const ViewState& Workbench::view() const { return state_->view; }

}  // namespace tilereel
