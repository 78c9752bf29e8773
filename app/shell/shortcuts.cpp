#include "app/shell/shortcuts.h"

#include <algorithm>
#include <cctype>

#include "app/panels/source/source_barriers.h"
#include "app/panels/source/source_place.h"
#include "app/panels/tab_row.h"
#include "app/panels/time/time_keys.h"
#include "app/panels/timeline/show_moment.h"
#include "app/shell/lecture_keys.h"
#include "app/shell/shown_view.h"
#include "app/stage/matrices/finding_picture.h"
#include "app/stage/tensor/tensor_picture.h"
#include "app/ui/widgets/controls.h"
#include "app/workbench/view/pattern_keys.h"

namespace tilereel {
namespace {

// Keys that move the replay. They act while it is on the screen.
Commands replay_command(const KeyPress& press) {
    switch (press.key) {
        case Key::kLeft:
            if (press.shift) return {PhaseBack{}};
            return {StepBack{}};
        case Key::kRight:
            if (press.shift) return {PhaseForward{}};
            return {StepForward{}};
        case Key::kPageUp:
            if (press.shift) return {PhaseBack{}};
            return {PartBack{}};
        case Key::kPageDown:
            if (press.shift) return {PhaseForward{}};
            return {PartForward{}};
        case Key::kHome:
            return {GoToStart{}};
        case Key::kEnd:
            return {GoToEnd{}};
        default:
            break;
    }
    switch (press.character) {
        case U' ':
            if (press.repeat) return {};
            return {PlayPause{}};
        case U'[':
            return {ChangeSpeed{-1}};
        case U']':
            return {ChangeSpeed{1}};
        case U'p':
            if (press.repeat) return {};
            return {TogglePad{}};
        case U'a':
            if (press.repeat) return {};
            return {ToggleLoop{}};
        default:
            return {};
    }
}

// Keys that go to the next conflict, barrier or finding; with Shift to the previous one.
std::optional<JumpTarget> jump_target_of(const KeyPress& press) {
    switch (press.character) {
        case U'n':
            return JumpTarget::kConflict;
        case U'g':
            return JumpTarget::kBarrier;
        case U'e':
            return JumpTarget::kFinding;
        default:
            return std::nullopt;
    }
}

Commands jump_command(const KeyPress& press, JumpTarget target, const Workbench& workbench,
                      PanelMemory& panels) {
    const int direction = press.shift ? -1 : 1;
    if (const std::string why = findings_to_come_text(workbench);
        target == JumpTarget::kFinding && !why.empty()) {
        panels.show_notice(why);
        return {};
    }
    Commands commands = jump_to(workbench, target, direction);
    // The only finding stands on the screen already, and its sentence is not to be covered.
    const bool is_shown = target == JumpTarget::kFinding && stage::shows_finding(workbench) &&
                          jump_to(workbench, target, -direction).empty();
    if (commands.empty() && workbench.replay() != nullptr && !is_shown)
        panels.show_notice(no_jump_target_text(workbench, target, direction));
    return commands;
}

// The next of `count` values; the first one follows the last.
template <class Choice>
Choice next_of(Choice now, int count) {
    return static_cast<Choice>((static_cast<int>(now) + 1) % count);
}

// Goes to the next or the previous request of the chosen warp or lane.
Commands follow_command(int direction, const Workbench& workbench, PanelMemory& panels) {
    const Replay& replay = *workbench.replay();
    const WatchedThread& watched = workbench.watched_thread();
    const FollowedThread thread{watched.warp(replay.state(), replay), watched.chosen_lane()};
    Commands commands = go_to_request_of(workbench, thread, direction);
    if (commands.empty()) panels.show_notice(no_request_text(thread, direction));
    return commands;
}

// Keys of the picture of fragments.
Commands tensor_command(const KeyPress& press, const Workbench& workbench, PanelMemory& panels) {
    const ViewState& view = workbench.view();
    if (press.repeat || (press.character != U'm' && press.character != U'x')) return {};
    if (!stage::has_tensor_picture(workbench)) {
        panels.show_notice("No fragments here: M and X act where a warp works for tensor cores");
        return {};
    }
    if (press.character == U'm' && press.shift) return {ShowTensorPicture{!view.tensor_picture}};
    if (!stage::shows_tensor(workbench)) {
        panels.show_notice("Shift+M shows the fragments");
        return {};
    }
    if (press.character == U'm')
        return {EnlargeFragment{(view.large_fragment.value_or(0) + 1) % 3}};
    if (press.character == U'x') return {ChooseTensorProduct{view.tensor_product + 1}};
    return {};
}

// Shows the tab of the thread's variables, or goes back to the request.
Commands variables_command(const Workbench& workbench, PanelMemory& panels) {
    if (!has_locals(workbench)) {
        panels.show_notice("No variables were recorded here: V shows those of a program's threads");
        return {};
    }
    const bool shown = workbench.view().tab == SideTab::kVariables;
    return {SelectTab{shown ? SideTab::kRequest : SideTab::kVariables}};
}

// Goes to the program's next or previous launch that was recorded.
Commands launch_command(const Workbench& workbench, int direction, PanelMemory& panels) {
    const OpenedProgram* program = workbench.program();
    if (program == nullptr || (!program->running && !workbench.shows_program())) return {};
    const std::vector<program::LaunchSummary>& launches = program->listed();
    const auto count = static_cast<int>(launches.size());
    const std::optional<std::uint32_t> launch = program->listed_launch();
    const int shown = launch ? static_cast<int>(*launch) : direction > 0 ? -1 : count;
    for (int at = shown + direction; at >= 0 && at < count; at += direction)
        if (!launches[static_cast<std::size_t>(at)].trace.empty())
            return {ChooseLaunch{static_cast<std::uint32_t>(at)}};
    panels.show_notice(direction > 0 ? "No recorded launch after this one"
                                     : "No recorded launch before this one");
    return {};
}

// The keys of the card "Show as a product", which does not cover the window: Enter shows the
// product, Escape closes the card, and Tab goes to its first list.
bool takes_product_key(const KeyPress& press, const Workbench& workbench, StageView& stage) {
    auto& card = stage.general.product_card;
    const ViewState& view = workbench.view();
    if (!card || view.mode != WindowMode::kReplay || view.help || view.introduction) return false;
    if (press.key == Key::kEscape) card.reset();
    if (press.key == Key::kEnter && !press.repeat) card->taken = true;
    if (press.key == Key::kTab) focus_control("stage.product.a");
    return press.key == Key::kEscape || press.key == Key::kEnter || press.key == Key::kTab;
}

// "09_tiled_tick_120", or the name of the page.
std::string picture_name(const Workbench& workbench) {
    const Recording* const recording = workbench.recording();
    if (workbench.view().mode == WindowMode::kRace) return "race";
    if (workbench.view().mode == WindowMode::kPatterns) return "patterns";
    if (workbench.view().mode == WindowMode::kTime) return "time";
    if (workbench.view().mode == WindowMode::kLessons) return "lesson";
    if (recording == nullptr) return "tilereel";
    std::string name = recording->trace->launch.kernel.substr(0, 40);
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name + "_tick_" +
           std::to_string(static_cast<std::uint64_t>(std::max(workbench.position(), 0.0)) + 1);
}

// The chip that a key opens; nullptr: none.
const char* chip_of(const KeyPress& press, const Workbench& workbench) {
    if (press.character == U'd') return "chip.gpu";
    if (press.character != U'k') return nullptr;
    if (!workbench.is_of_program()) return "chip.kernel";
    return press.shift ? "chip.program" : "chip.block";
}

// Escape ends what is seen, no more: a comparison is not on the Race page.
Commands escape_command(const Workbench& workbench) {
    const ViewState& view = workbench.view();
    const bool in_replay = view.mode == WindowMode::kReplay;
    if (in_replay && workbench.program() != nullptr && workbench.program()->running)
        return {CancelRecording{}};
    if (in_replay && workbench.races().pair() != nullptr) return {RaceAction{ClosePair{}}};
    if (in_replay && workbench.comparing()) return {CloseComparison{}};
    if (in_replay && view.phase_table) return {TogglePhaseTable{}};
    if (view.mode == WindowMode::kRace && workbench.races().racing())
        return {RaceAction{CancelRace{}}};
    if (in_replay && stage::shows_finding(workbench)) return {CloseFinding{}};
    if (view.full_screen) return {ToggleFullScreen{}};
    return in_replay ? Commands{ChooseWarp{}} : Commands{};
}

// Shows the launch of the user's own kernel, to be changed.
Commands edit_own_call(const Workbench& workbench) {
    if (workbench.races().own() == nullptr) return {};
    focus_control("race.own.call");
    return {RaceAction{ShowRaceSide{RaceSide::kSetup}},
            RaceAction{ShowRaceTab{RaceTab::kNextRace}}};
}

// Keys of the Race mode.
Commands race_command(const KeyPress& press, const Workbench& workbench) {
    if (press.repeat) return {};
    if (press.key == Key::kEnter) return {RaceAction{StartRace{}}};
    if (press.character == U'l') focus_control("race.lines");
    if (press.character == U'r') return {RaceAction{RaceOwn{}}};
    if (press.character == U'c') return edit_own_call(workbench);
    return {};
}

// Letters of the Pattern lab. nullopt: another letter, or nothing to do.
std::optional<PatternQuestion> question_of_letter(char32_t letter, const PatternLab& lab) {
    const PatternQuestion& now = lab.question();
    switch (letter) {
        case U'a':
        case U'A':
            return with_next_operation(now);
        case U'n':
        case U'N':
            if (!now.of_matrices()) return std::nullopt;
            return with_next_matrices(now);
        case U'p':
        case U'P':
            return with_least_pad(lab);
        case U'l':
        case U'L':
            return with_least_swizzle(lab);
        default:
            return std::nullopt;
    }
}

// Keys of the Pattern lab.
Commands patterns_command(const KeyPress& press, const PatternLab& lab) {
    PatternQuestion next = lab.question();
    RowLayout& layout = next.layout;
    const std::int64_t step = pad_step(next.operation, next.width_bytes);
    switch (press.key) {
        case Key::kLeft:
            layout.pad = std::max<std::int64_t>(layout.pad - step, 0);
            break;
        case Key::kRight:
            layout.pad += step;
            break;
        case Key::kUp:
            layout.swizzle *= 2;
            break;
        case Key::kDown:
            layout.swizzle = std::max<std::int64_t>(layout.swizzle / 2, 1);
            break;
        case Key::kPageUp:
        case Key::kPageDown:
            next = next_preset(lab.question(), press.key == Key::kPageDown ? 1 : -1);
            break;
        case Key::kEnter:
        case Key::kTab:
            focus_control("patterns.expression");
            return {};
        default:
            if (const auto question = question_of_letter(press.character, lab))
                return {AskPattern{*question}};
            return {};
    }
    return {AskPattern{next}};
}

// Keys that change the window: they act everywhere.
Commands window_command(const KeyPress& press, const ViewState& view) {
    switch (press.character) {
        case U'+':
        case U'=':  // the same key on a US keyboard, without shift
            return {ChangeTextSize{1}};
        case U'-':
            return {ChangeTextSize{-1}};
        default:
            break;
    }
    if (press.repeat) return {};  // a key that is held down switches only once
    if (press.key == Key::kF11) return {ToggleFullScreen{}};
    if (press.key == Key::kF1) return {ToggleHelp{}};
    if (press.key == Key::kRunAgain) return {RunProgramAgain{}};
    switch (press.character) {
        case U't':
            return {ToggleTheme{}};
        case U'z':
            return {SetMotion{!view.motion}};
        case U'f':
            return {ToggleFullScreen{}};
        case U'?':
            return {ToggleHelp{}};
        case U'1':
            return {SetMode{WindowMode::kReplay}};
        case U'2':
            return {SetMode{WindowMode::kRace}};
        case U'4':
            return {SetMode{WindowMode::kPatterns}};
        case U'5':
            return {SetMode{WindowMode::kTime}};
        case U'3':
            return {SetMode{WindowMode::kLessons}};
        default:
            return {};
    }
}

// Hands the shown file and its line to the user's own editor.
Commands open_in_editor(const Workbench& workbench, PanelMemory& panels) {
    const auto place = source_place(workbench);
    if (place) return {OpenInEditor{place->file, place->line}};
    panels.show_notice(
        "A kernel that ships has no file of yours; tilereel new writes it as a program");
    return {};
}

// Edits the shown file in the window. Of a kernel that ships it asks where a copy is written.
Commands edit_source(const Workbench& workbench, PanelMemory& panels) {
    const ViewState& view = workbench.view();
    const bool exercise =
        view.mode == WindowMode::kLessons && workbench.exercises().exercise() != nullptr;
    if ((view.mode != WindowMode::kReplay && !exercise) || view.help || view.introduction ||
        view.presenting)
        return {};
    if (workbench.comparing()) {
        panels.show_notice("End the comparison first (Esc): one file is edited at a time");
        return {};
    }
    if (const auto place = source_place(workbench)) {
        if (const Status begun = panels.begin_edit(place->file, place->line); !begun)
            panels.show_error(begun.error().message);
        else if (workbench.playing())
            return {PlayPause{}};
    } else if (find_kernel(workbench.request().kernel) != nullptr && !workbench.is_of_program()) {
        panels.ask_for_copy(workbench.request().kernel);
    } else {
        panels.show_notice("A trace has no file to edit");
    }
    return {};
}

// The distance that a key scrolls the text being read, in pages.
float scroll_of(const KeyPress& press) {
    switch (press.key) {
        case Key::kUp:
            return -0.15f;
        case Key::kDown:
            return 0.15f;
        case Key::kPageUp:
            return -1;
        case Key::kPageDown:
            return 1;
        default:
            return 0;
    }
}

}  // namespace

Commands commands_of_key(const KeyPress& press, const Workbench& workbench, StageView& stage,
                         PanelMemory& panels) {
    if (press.key == Key::kEditor)
        return press.repeat ? Commands{} : open_in_editor(workbench, panels);
    if (press.key == Key::kF2) return press.repeat ? Commands{} : edit_source(workbench, panels);
    if (auto commands = lecture_command(press, workbench, panels)) return *std::move(commands);
    if (takes_product_key(press, workbench, stage)) return {};
    if (press.key == Key::kEscape) {
        if (workbench.view().introduction) return {ToggleIntroduction{}};
        if (panels.dismiss_notice()) return {};
        if (workbench.view().help) return {ToggleHelp{}};
        if (!workbench.message().empty()) return {DismissMessage{}};
        return escape_command(workbench);
    }
    if (const SizeSuggestions* suggestions = workbench.size_suggestions();
        suggestions != nullptr && !press.repeat) {
        if (press.key == Key::kEnter)
            return {TakeSuggestion{panels.chosen_suggestion(*suggestions)}};
        if (press.key == Key::kTab) panels.choose_next_suggestion(*suggestions);
    } else if (press.key == Key::kTab && workbench.view().mode == WindowMode::kReplay &&
               !workbench.view().help && !workbench.view().introduction) {
        focus_control(workbench.is_of_program() ? "chip.launch" : "chip.extents.m");
        return {};
    }
    if (press.key == Key::kF10 && !press.repeat) {
        focus_first_control();
        return {};
    }
    if (press.key == Key::kNextTab || press.key == Key::kPreviousTab) {
        ask_for_tab(press.key == Key::kNextTab ? 1 : -1);
        return {};
    }
    if (press.key == Key::kOpen && !press.repeat) {
        panels.show_files(true);
        return {};
    }
    if (press.key == Key::kSavePicture && !press.repeat) {
        panels.ask_for_picture(picture_name(workbench));
        return {};
    }
    if (press.key == Key::kCopyPicture && !press.repeat) {
        return {CopyPicture{}};
    }
    if (press.key == Key::kCopy && !press.repeat) {
        panels.show_notice(copy_view(workbench));
        return {};
    }
    if (workbench.view().introduction && press.key == Key::kEnter) return {ToggleIntroduction{}};
    if (workbench.view().introduction && scroll_of(press) != 0) {
        panels.scroll_introduction(scroll_of(press));
        return {};
    }
    if (press.character == U't' && press.shift && workbench.program() != nullptr &&
        workbench.program()->request.in_sandbox)
        return press.repeat ? Commands{} : Commands{TrustFolder{}};
    if (Commands commands = window_command(press, workbench.view()); !commands.empty())
        return commands;
    if (workbench.view().help) return {};
    if (workbench.view().mode == WindowMode::kRace) return race_command(press, workbench);
    if (workbench.view().mode == WindowMode::kPatterns)
        return patterns_command(press, workbench.lab());
    if (workbench.view().mode == WindowMode::kLessons) return {};
    if (workbench.view().mode == WindowMode::kTime) {
        const char* const chip = chip_of(press, workbench);
        if (chip == nullptr || press.repeat)
            return workbench.size_suggestions() == nullptr
                       ? commands_of_time_key(press, workbench, panels)
                       : Commands{};
        focus_control(std::string_view(chip) == "chip.block" ? "chip.launch" : chip);
        return {};
    }
    if (press.key == Key::kEnter && !press.repeat && workbench.program() != nullptr &&
        !workbench.program()->missing_files().empty())
        return {AddMissingFiles{}};
    if (press.character == U'r' && !press.repeat && workbench.shows_program())
        return {SetMode{WindowMode::kRace}, RaceAction{RaceOwn{}}};
    if (press.character == U'r' && !press.repeat)
        return {RaceAction{RacePair{workbench.request().kernel, workbench.request().parameters}}};
    if (press.character == U'c' && !press.repeat) {
        if (workbench.comparing()) return {ShowNextSide{}};
        focus_control("chip.compare");
        return {};
    }
    if (press.character == U'j' && !press.repeat) {
        panels.open_go_to();
        return {};
    }
    if (press.character == U'u' && !press.repeat)
        return press.shift
                   ? Commands{SetLineFigure{next_of(workbench.view().line_figure, kLineFigures)}}
                   : Commands{CloseFinding{}, ShowHeat{next_of(workbench.view().heat, 3)}};
    if (press.character == U'h' && !press.repeat) return {TogglePhaseTable{}};
    if (press.character == U'v' && !press.repeat) return variables_command(workbench, panels);
    if (press.character == U',' || press.character == U'.')
        return launch_command(workbench, press.character == U'.' ? 1 : -1, panels);
    if (const char* chip = chip_of(press, workbench); chip != nullptr && !press.repeat) {
        focus_control(chip);
        return {};
    }
    if (press.character == U'i' && !press.repeat) return {ToggleIntroduction{}};
    // A presenter's remote sends a plain B to darken the screen, so B without Shift must do
    // nothing.
    if (press.character == U'b' && press.shift && !press.repeat) {
        Commands commands = next_barrier_left_out(workbench);
        if (commands.empty()) panels.show_notice(kNoBarrier, workbench.request().kernel);
        return commands;
    }
    if (workbench.replay() != nullptr) {
        const int direction = press.shift ? -1 : 1;
        if (Commands commands = tensor_command(press, workbench, panels); !commands.empty())
            return commands;
        if (press.character == U'w') return {NextWarp{direction}};
        if (press.character == U'l') return {NextLane{direction}};
        if (press.character == U'y') return follow_command(direction, workbench, panels);
        if (press.character == U'o')
            return {NameElements{!workbench.view().names_elements.value_or(stage.any_moved)}};
    }
    if (press.character == U'0' && !press.repeat) return show_all_or_watched(stage);
    if (press.key == Key::kHome && press.shift) {
        return {SetZoom{}, ChooseWarp{}, BackToOpening{}};
    }
    if (const auto target = jump_target_of(press))
        return jump_command(press, *target, workbench, panels);
    return replay_command(press);
}

}  // namespace tilereel
