#pragma once
// What a panel asks for. Panels read models and return commands; only the workbench applies them.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/replay/navigation.h"
#include "app/workbench/compare_side.h"
#include "app/workbench/pattern_lab.h"
#include "app/workbench/program_bench.h"
#include "app/workbench/race_action.h"
#include "app/workbench/view_state.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/record/record.h"
#include "kernels/catalog.h"

namespace tilereel {

struct PlayPause {};
struct StepForward {};  // by the chosen unit
struct StepBack {};
struct PartForward {};  // to the next load, barrier, compute, ...: plays up to there
struct PartBack {};
struct PhaseForward {};
struct PhaseBack {};
struct GoToStart {};
struct GoToEnd {};
struct BackToOpening {};  // the kernel, parameters and generation that the program opened with
struct ToggleLoop {};     // of the phase that is played
struct SeekTo {
    double tick = 0;
    bool scrubbing = false;
};
struct SeekBoth {
    double tick = 0;  // of LockStep, while two replays are compared
    bool scrubbing = false;
};
struct SetUnit {
    StepUnit unit = StepUnit::kRequest;
};
struct SetSpeed {
    double factor = 1.0;
};
struct FasterSlower {
    int steps = 0;
};  // +1, -1: next of the offered speeds
// A program that is open runs again to record the block if it was not recorded.
struct WatchBlock {
    std::uint32_t x = 0, y = 0;
};
struct SetKernel {
    std::string id;
};
struct SetParameters {
    KernelParameters parameters;
};                             // any of M, N, K, TILE, PAD
struct SetTileByOccupancy {};  // of the generation chosen; for a block set at launch
struct TakeSuggestion {
    std::size_t number = 0;
};  // of Workbench::size_suggestions()
struct WatchKernel {
    std::string id;
    KernelParameters parameters;
};  // both at once, in the replay
struct SetGeneration {
    std::string id;
};  // as Generation::id: counts and replay anew, nothing is recorded
struct SetRecorder {
    Recorder recorder = Recorder::kCpu;
};  // records anew; where no GPU works, the CPU does it and the message says why
struct RemoveBarrier {
    int line = 0;
};  // of the kernel's file, one of KernelInfo::barriers; 0 puts it back
struct SetThreadOrder {
    ThreadOrder order = ThreadOrder::kTurns;
};                    // with a barrier removed
struct FindHarm {};   // with a barrier removed: an order that makes C wrong
struct TogglePad {};  // 0 <-> the kernel's next pad
struct SetTheme {
    bool light = false;
};
struct ToggleTheme {};
struct SetTextSize {
    int px = 14;
};
struct ChangeTextSize {
    int steps = 0;
};
struct SetMotion {
    bool moves = true;
};
struct ShowHeat {
    Heat heat = Heat::kOff;
};
struct SetLineFigure {
    LineFigure figure = LineFigure::kTicks;
};
struct ToggleFullScreen {};
struct ToggleHelp {};
struct ToggleIntroduction {};
struct TogglePhaseTable {};
struct SelectTab {
    SideTab tab = SideTab::kSource;
};
struct SetMode {
    WindowMode mode = WindowMode::kReplay;
};
struct Compare {
    std::optional<CompareSide> left;  // nullopt: what is watched
    CompareSide right;
};  // two replays in lock-step
struct CloseComparison {};
struct ShowNextSide {};  // both sides, the left one large, the right one large
struct AskPattern {
    PatternQuestion question;
};  // of the Pattern lab
struct DismissMessage {};
struct CancelRecording {};  // and what a program is doing
struct OpenProgram {
    plain::ProgramRequest request;
    NamedProducts products{};
};  // compiles, runs and records it
struct RunProgramAgain {
    bool saved = false;  // since its file has changed on disk
};                       // the one that is open
struct ChooseLaunch {
    std::uint32_t launch = 0;
};  // of the program that is open: index into its launches
struct NameProduct {
    std::optional<NamedProduct> product{};
};  // what the launch that is shown computes; nullopt: what it is recognised as

struct OpenLesson {
    std::filesystem::path file;
    std::size_t scene = 0;
};
struct ReloadLesson {};  // its file has changed on disk
struct CloseLesson {};   // back to the list of lessons
// To the next beat of the lesson, or the one before: what Page Down and Page Up do.
struct StepLesson {
    int direction = 1;
};
struct GoToLessonScene {
    std::size_t scene = 0;
};
struct ToggleQuiz {};  // ask before each new kind of request; "Predict first"
struct StepQuiz {};    // the answer, or the next question
struct ChooseInQuiz {
    std::size_t choice = 0;
};
struct TogglePresenting {};
struct UseTool {
    PresenterTool tool = PresenterTool::kNone;
};  // the one in use: none
struct DrawCurtain {
    Curtain curtain = Curtain::kNone;
};  // the one that is drawn: opens it

using Command =
    std::variant<PlayPause, StepForward, StepBack, PartForward, PartBack, PhaseForward, PhaseBack,
                 GoToStart, GoToEnd, BackToOpening, ToggleLoop, SeekTo, SetUnit, SetSpeed,
                 FasterSlower, WatchBlock, SetKernel, SetParameters, SetTileByOccupancy,
                 TakeSuggestion, SetGeneration, SetRecorder, RemoveBarrier, SetThreadOrder,
                 FindHarm, TogglePad, SetTheme, ToggleTheme, SetTextSize, ChangeTextSize,
                 ToggleFullScreen, ToggleHelp, ToggleIntroduction, TogglePhaseTable, SelectTab,
                 SetMode, DismissMessage, CancelRecording, OpenProgram, RunProgramAgain,
                 ChooseLaunch, NameProduct, WatchKernel, AskPattern, SeekBoth, Compare,
                 CloseComparison, ShowNextSide, RaceAction, OpenLesson, ReloadLesson, CloseLesson,
                 StepLesson, GoToLessonScene, ToggleQuiz, StepQuiz, ChooseInQuiz, TogglePresenting,
                 UseTool, DrawCurtain, SetMotion, ShowHeat, SetLineFigure>;
using Commands = std::vector<Command>;
inline void append(Commands& commands, Commands more) {
    commands.insert(commands.end(), more.begin(), more.end());
}

}  // namespace tilereel
