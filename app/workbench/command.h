#pragma once
// The commands that panels return. Panels only read models; only the workbench applies commands.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/replay/places/navigation.h"
#include "app/subject/subject.h"
#include "app/workbench/one_of.h"
#include "app/workbench/program/program_bench.h"
#include "app/workbench/race/race_action.h"
#include "app/workbench/view/pattern_lab.h"
#include "app/workbench/view/view_state.h"
#include "instrumentation/program/program.h"
#include "kernels/catalog.h"

namespace tilereel {

struct PlayPause {};
struct StepForward {};  // by the unit that SetUnit chose
struct StepBack {};
struct PartForward {};  // plays up to the next load, barrier, compute, ...
struct PartBack {};
struct PhaseForward {};
struct PhaseBack {};
struct GoToStart {};
struct GoToEnd {};
struct BackToOpening {};  // the kernel, parameters and generation that the program opened with
struct ToggleLoop {};     // repeats the current phase
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
struct ChangeSpeed {
    int steps = 0;
};  // +1, -1: the next or previous of offered_speeds()
// If the block was not recorded, the open program runs again to record it.
struct WatchBlock {
    std::uint32_t x = 0, y = 0;
};
struct SetKernel {
    std::string id;
};
struct SetParameters {
    KernelParameters parameters;
};                             // any of M, N, K, TILE, PAD
struct SetTileByOccupancy {};  // on the chosen generation, for a block size set at launch
struct TakeSuggestion {
    std::size_t number = 0;
};  // of Workbench::size_suggestions()
struct WatchKernel {
    std::string id;
    KernelParameters parameters;
};  // sets kernel and parameters together, and shows the replay
struct SetGeneration {
    std::string id;
};  // Generation::id: counts and replay are computed again, nothing is recorded
struct SetRecorder {
    Recorder recorder = Recorder::kCpu;
};  // records again; if no GPU works, the CPU records, and a message says why
struct RemoveBarrier {
    int line = 0;
};  // line of one of KernelInfo::barriers; 0 restores the barrier
struct SetThreadOrder {
    ThreadOrder order = ThreadOrder::kRoundRobin;
};                           // with a removed barrier
struct FindFailingOrder {};  // with a removed barrier: finds an order that makes C wrong
struct TogglePad {};         // between the first two built-in PADs of the kernel
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
    std::optional<Subject> left;  // nullopt: the watched launch
    Subject right;                // without a kernel and a file: the watched recording
};                                // shows two replays in lock-step
struct CloseComparison {};
struct ShowNextSide {};  // the next of: both sides, the left one large, the right one large
struct AskPattern {
    PatternQuestion question;
};  // of the Pattern lab
struct DismissMessage {};
struct CancelRecording {};  // cancels a recording and the run of a program
struct OpenProgram {
    program::ProgramRequest request;
    NamedProducts products{};
};  // compiles, runs and records it
struct RunProgramAgain {
    bool saved = false;       // because its file has changed on disk
    bool all_blocks = false;  // also those that take long, in this run and in later ones
};                            // runs the open program again
// Adds the files that define what the open program's link missed, and runs it again.
struct AddMissingFiles {};
struct ChooseLaunch {
    std::uint32_t launch = 0;
};  // index into the launches of the open program
struct NameProduct {
    std::optional<NamedProduct> product{};
};  // the product that the shown launch computes; nullopt: the recognised product

struct OpenLesson {
    std::filesystem::path file;
    std::size_t scene = 0;
};
struct ReloadLesson {};  // its file has changed on disk
struct CloseLesson {};   // back to the list of lessons
// To the next or the previous beat of the lesson: Page Down and Page Up.
struct StepLesson {
    int direction = 1;
};
struct GoToLessonScene {
    std::size_t scene = 0;
};
struct ToggleQuiz {};  // "Predict first": asks a question before each new kind of request
struct StepQuiz {};    // shows the answer, or asks the next question
struct ChooseInQuiz {
    std::size_t choice = 0;
};
struct TogglePresenting {};
struct UseTool {
    PresenterTool tool = PresenterTool::kNone;
};  // if this tool is in use, puts it away
struct DrawCurtain {
    Curtain curtain = Curtain::kNone;
};  // if this curtain is drawn, opens it

class Command
    : public OneOf<PlayPause, StepForward, StepBack, PartForward, PartBack, PhaseForward, PhaseBack,
                   GoToStart, GoToEnd, BackToOpening, ToggleLoop, SeekTo, SetUnit, SetSpeed,
                   ChangeSpeed, WatchBlock, SetKernel, SetParameters, SetTileByOccupancy,
                   TakeSuggestion, SetGeneration, SetRecorder, RemoveBarrier, SetThreadOrder,
                   FindFailingOrder, TogglePad, SetTheme, ToggleTheme, SetTextSize, ChangeTextSize,
                   ToggleFullScreen, ToggleHelp, ToggleIntroduction, TogglePhaseTable, SelectTab,
                   SetMode, DismissMessage, CancelRecording, OpenProgram, RunProgramAgain,
                   AddMissingFiles, ChooseLaunch, NameProduct, WatchKernel, AskPattern, SeekBoth,
                   Compare, CloseComparison, ShowNextSide, RaceAction, OpenLesson, ReloadLesson,
                   CloseLesson, StepLesson, GoToLessonScene, ToggleQuiz, StepQuiz, ChooseInQuiz,
                   TogglePresenting, UseTool, DrawCurtain, SetMotion, ShowHeat, SetLineFigure> {
  public:
    using OneOf::OneOf;
};
using Commands = std::vector<Command>;
void append(Commands& commands, Commands more);

}  // namespace tilereel
