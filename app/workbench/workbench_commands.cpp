// What each command does to a workbench, family by family.
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

void change_text_size(ViewState& view, std::int64_t px) {
    view.text_px = static_cast<int>(std::clamp<std::int64_t>(px, kSmallestText, kLargestText));
}

// A zoom that the picture can have: what a log of commands says may be anything.
StageZoom fitting(StageZoom zoom) {
    constexpr float kMostZoom = 1e4f, kFarthest = 1e9f;
    zoom.zoom = std::clamp(zoom.zoom, 1.0f, kMostZoom);
    zoom.shared_zoom = std::clamp(zoom.shared_zoom, 1.0f, kMostZoom);
    for (float& first : zoom.pan) first = std::clamp(first, 0.0f, kFarthest);
    for (auto& pan : zoom.shared_pan)
        for (float& first : pan) first = std::clamp(first, 0.0f, kFarthest);
    return zoom;
}

// The next of `count` values; the first one follows the last.
template <class Choice>
Choice next_of(Choice now, int count) {
    return static_cast<Choice>((static_cast<int>(now) + 1) % count);
}

}  // namespace

void Workbench::State::carry_out(const Command& command) {
    std::visit([this](const auto& family) { carry_out(family); }, command.value());
}

void Workbench::State::carry_out(const PlayCommand& command) {
    std::visit(Overloaded{
                   [&](PlayPause) {
                       head.toggle_playing(replay ? std::optional(played()) : std::nullopt);
                   },
                   [&](StepForward) { step(head.unit(), +1); },
                   [&](StepBack) { step(head.unit(), -1); },
                   [&](PartForward) { step_part(+1); },
                   [&](PartBack) { step_part(-1); },
                   [&](PhaseForward) { step(StepUnit::kPhase, +1); },
                   [&](PhaseBack) { step(StepUnit::kPhase, -1); },
                   [&](GoToStart) { go_to(0); },
                   [&](GoToEnd) {
                       head.stop();
                       go_to(replay ? played().ticks() : 0);
                   },
                   [&](ToggleLoop) { head.toggle_looping(); },
                   [&](FinishStep) { finish_step(); },
                   [&](SeekTo to) { seek(to); },
                   [&](SeekBoth to) {
                       if (lock() != nullptr) head.seek(played(), to.tick, to.scrubbing);
                   },
                   [&](SetUnit to) { head.set_unit(to.unit); },
                   [&](SetSpeed to) { head.set_speed(to.factor); },
                   [&](ChangeSpeed by) { head.change_speed(by.steps); },
               },
               command);
}

void Workbench::State::carry_out(const LaunchCommand& command) {
    std::visit(Overloaded{
                   [&](const WatchBlock& block) {
                       if (!recording) return;
                       const Dim3& grid = recording->trace->launch.grid;
                       // The map shows the planes of a grid one below the other.
                       if (block.x < grid.x && block.y < grid.y * grid.z)
                           watch_or_record(block.y * grid.x + block.x);
                   },
                   [&](const SetKernel& to) { choose_kernel(to.id); },
                   [&](const SetParameters& to) { ask_for(request.kernel, to.parameters); },
                   [&](const WatchKernel& to) {
                       view.mode = WindowMode::kReplay;
                       ask_for(to.id, to.parameters);
                   },
                   [&](const SetTileByOccupancy&) { ask_for_tile_by_occupancy(); },
                   [&](const TakeSuggestion& taken) { take_suggestion(taken.number); },
                   [&](const SetGeneration& to) { choose_generation(to.id); },
                   [&](const SetRecorder& to) { choose_recorder(to.recorder); },
                   [&](const RemoveBarrier& from) { remove_barrier(from.line); },
                   [&](const SetThreadOrder& to) { run_in_order(to.order, false); },
                   [&](const FindFailingOrder&) { run_in_order(request.order, true); },
                   [&](const TogglePad&) { toggle_pad(); },
                   [&](const BackToOpening&) { go_back_to_opening(); },
                   [&](const CancelRecording&) { cancel_recording(); },
                   [&](const Compare& asked) {
                       show_mode(WindowMode::kReplay);
                       view.sides = SidesShown::kBoth;
                       compare(asked);
                   },
                   [&](const CloseComparison&) { close_comparison(); },
                   [&](const OpenTrace& to) { open_trace_file(to.file); },
               },
               command);
}

void Workbench::State::carry_out(const ProgramCommand& command) {
    if (!std::holds_alternative<ChooseLaunch>(command)) clear_message();
    std::visit(Overloaded{
                   [&](const OpenProgram& to) {
                       view.mode = WindowMode::kReplay;
                       open_program(to);
                   },
                   [&](const RunProgramAgain& again) {
                       programs->run_again(again.saved, again.all_blocks);
                   },
                   [&](const AddMissingFiles&) { programs->add_missing_files(); },
                   [&](const ChooseLaunch& to) { programs->choose(to.launch); },
                   [&](const NameProduct& named) { programs->name_product(named.product); },
               },
               command);
    take_over_program();
}

void Workbench::State::carry_out(const ViewCommand& command) {
    std::visit(Overloaded{
                   [&](SetTheme to) { view.light = to.light; },
                   [&](ToggleTheme) { view.light = !view.light; },
                   [&](SetTextSize to) { change_text_size(view, to.px); },
                   [&](ChangeTextSize by) {
                       change_text_size(view, view.text_px + std::int64_t{by.steps} * kTextStep);
                   },
                   [&](SetMotion to) { view.motion = to.moves; },
                   [&](ShowHeat to) { view.heat = to.heat; },
                   [&](SetLineFigure to) { view.line_figure = to.figure; },
                   [&](ToggleFullScreen) { view.full_screen = !view.full_screen; },
                   [&](ToggleHelp) { view.help = !view.help; },
                   [&](ToggleIntroduction) { view.introduction = !view.introduction; },
                   [&](TogglePhaseTable) { view.phase_table = !view.phase_table; },
                   [&](SelectTab to) { view.tab = to.tab; },
                   [&](SetMode to) { show_mode(to.mode); },
                   [&](SetTimeSize to) { view.time_size = std::clamp(to.size, 0, 8192); },
                   [&](ShowNextSide) {
                       if (comparing) view.sides = next_of(view.sides, 3);
                   },
                   [&](DismissMessage) {
                       dismiss_message();
                       races->apply(DismissRaceMessage{});
                   },
                   [&](TogglePresenting) { toggle_presenting(view); },
                   [&](UseTool used) {
                       view.tool = view.tool == used.tool ? PresenterTool::kNone : used.tool;
                   },
                   [&](DrawCurtain drawn) {
                       view.curtain =
                           view.curtain == drawn.curtain ? Curtain::kNone : drawn.curtain;
                   },
               },
               command);
}

void Workbench::State::carry_out(const PictureCommand& command) {
    std::visit(Overloaded{
                   [&](ChooseWarp to) {
                       const std::uint32_t warps = replay ? replay->trace().launch.warps() : 0;
                       if (!to.warp || *to.warp < warps) threads.choose_warp(to.warp);
                   },
                   [&](ChooseLane to) {
                       const std::uint32_t threads_of_block =
                           replay ? replay->trace().launch.threads() : 0;
                       if (to.lane < std::min<std::uint32_t>(threads_of_block, kWarpSize))
                           threads.choose_lane(to.lane);
                   },
                   [&](NextWarp by) {
                       if (replay) threads.next_warp(replay->trace().launch.warps(), by.by);
                   },
                   [&](NextLane by) { threads.next_lane(by.by); },
                   [&](const SetZoom& to) { stage_zoom = fitting(to.zoom); },
                   [&](NameElements to) { view.names_elements = to.named; },
                   [&](ShowAsArrays to) { view.product_as_arrays = to.separate; },
                   [&](ShowTensorPicture to) { view.tensor_picture = to.shown; },
                   [&](ChooseTensorProduct to) { view.tensor_product = to.product; },
                   [&](EnlargeFragment to) { view.large_fragment = to.fragment; },
                   [&](CloseFinding) { closed_finding = scene_moment; },
               },
               command);
}

void Workbench::State::carry_out(const LearnCommand& command) {
    std::visit(Overloaded{
                   [&](const OpenLesson& to) { open_lesson(to.file, to.scene); },
                   [&](const ReloadLesson&) { lessons->reload(); },
                   [&](const CloseLesson&) {
                       head.stop();
                       lessons->close();
                   },
                   [&](const OpenSceneReplay&) {
                       if (!recording || recording->trace != scene_trace) return;
                       view.mode = WindowMode::kReplay;
                       scene_opened = true;
                   },
                   [&](const LeaveLesson&) { leave_lesson(); },
                   [&](const StepLesson& by) { step_lesson(by.direction); },
                   [&](const GoToLessonScene& to) {
                       if (lessons->go_to_scene(to.scene)) show_beat();
                   },
                   [&](const ToggleQuiz&) { toggle_quiz(); },
                   [&](const StepQuiz&) { step_quiz(); },
                   [&](const ChooseInQuiz& chosen) { quiz.choose(chosen.choice); },
                   [&](const OpenExercise& to) { open_exercise(to.file, to.copy); },
                   [&](const JudgeExercise&) { exercises->judge(); },
                   [&](const CloseExercise&) {
                       head.stop();
                       exercises->close();
                   },
                   [&](const OpenHint&) { exercises->open_hint(); },
                   [&](const OpenAdvice& to) { exercises->open_advice(to.check); },
                   [&](const ShowCheck& to) { exercises->choose(to.check); },
                   [&](const AskPattern& asked) { lab.ask(asked.question); },
               },
               command);
}

void Workbench::State::carry_out(const RaceAction& command) {
    offer_own_kernel();
    races->apply(command);
}

// The races know which launch of the open program is shown.
void Workbench::State::offer_own_kernel() {
    if (!recording || !shows_program || programs->program() == nullptr) return;
    if (const OwnEntry* const own = races->own(); own && own->offer.recording == recording->id)
        return;
    races->offer({recording->trace, programs->program()->request, recording->id});
}

void Workbench::State::cancel_recording() {
    programs->cancel();
    worker.cancel();
    fall_back();
    if (comparing && comparing->next) comparing->next.reset();
    if (comparing && !comparing->other) close_comparison();
}

}  // namespace tilereel
