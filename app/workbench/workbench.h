#pragma once
// The window's model: the watched launch, the position of the replay, playback. It applies commands
// and does not depend on drawing. Recording runs on a worker thread; the window never waits for it.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/ladder/record_request.h"
#include "app/replay/places/lock_step.h"
#include "app/replay/places/navigation.h"
#include "app/replay/replay.h"
#include "app/workbench/command.h"
#include "app/workbench/exercise/exercise_bench.h"
#include "app/workbench/launch/barrier_opening.h"
#include "app/workbench/launch/size_suggestions.h"
#include "app/workbench/lesson/lesson_bench.h"
#include "app/workbench/lesson/quiz.h"
#include "app/workbench/program/program_bench.h"
#include "app/workbench/race/race_bench.h"
#include "app/workbench/recording/finding_scene.h"
#include "app/workbench/recording/recording.h"
#include "app/workbench/tables/as_compiled.h"
#include "app/workbench/time/time_bench.h"
#include "app/workbench/view/pattern_lab.h"
#include "app/workbench/view/stage_zoom.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/view/watched_thread.h"
#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel {

struct WorkbenchOptions {
    RecordRequest request;               // first recording
    std::optional<Trace> trace;          // or an opened file
    std::filesystem::path trace_file{};  // its path; empty: `trace` is not from a file
    // true: the user chose M, N and K; they change only when the user takes a suggestion. false:
    // they follow the kernel (kernels/openings.h) and TILE.
    bool sizes_chosen = true;
    ViewState view{};
    bool playing = true;
    bool record_on_worker = true;        // false: apply() records before it returns (tests, export)
    RecordFunction record{};             // empty: the usual recorder; tests pass a fake GPU
    EstimateLaunch estimate{};           // empty: estimate_launch()
    std::unique_ptr<RaceBench> races{};  // nullptr: nothing can race
    std::unique_ptr<ProgramBench> programs{};    // nullptr: no program can be opened
    std::unique_ptr<LessonBench> lessons{};      // nullptr: no lesson is offered
    std::unique_ptr<ExerciseBench> exercises{};  // nullptr: no exercise is offered
    // Makes the ProgramBench of a comparison's other side; empty: that side cannot be a program.
    std::function<std::unique_ptr<ProgramBench>()> make_programs{};
};

class Workbench {
  public:
    explicit Workbench(WorkbenchOptions options);
    ~Workbench();

    void apply(const Command& command);
    void apply(const Commands& commands);
    // Moves the play head by `seconds` of play and takes over a finished recording.
    void advance(double seconds);

    [[nodiscard]] const Recording* recording() const;  // nullptr before the first one is ready
    [[nodiscard]] const Replay* replay() const;        // at the present tick; nullptr: none yet
    [[nodiscard]] double position() const;             // ticks, continuous while playing
    [[nodiscard]] bool playing() const;
    [[nodiscard]] bool moving() const;        // playing, or animating a forward step
    [[nodiscard]] double moved_from() const;  // PlayHead::moved_from()
    [[nodiscard]] bool looping() const;       // repeats one phase
    [[nodiscard]] bool scrubbing() const;
    [[nodiscard]] double speed() const;  // factor; 1 is 160 ms per tick
    [[nodiscard]] StepUnit unit() const;
    // The barrier that has just opened; nullopt if none has, and without motion.
    [[nodiscard]] const std::optional<BarrierOpening>& barrier_opening() const;
    [[nodiscard]] const CountsColumn& before() const;
    // The same launch of the program before its file was edited; nullptr if there is none.
    [[nodiscard]] const Recording* former() const;
    // The duration of the former replay of the watched block; nullopt: it was not recorded.
    [[nodiscard]] std::optional<Tick> former_ticks() const;
    // What the saved edit of the program has changed, for a sentence of its own: until the next
    // step, or for a few seconds of a replay that plays. Empty if there is nothing to say.
    [[nodiscard]] const Sentence& saved_change() const;
    // The finding that happens at the shown moment; nullptr if there is none, while the replay
    // moves, and in a comparison.
    [[nodiscard]] const FindingScene* finding_scene() const;
    // Whether the replay says what to do about a finding. Not in an exercise before its learner has
    // opened the advice.
    [[nodiscard]] bool tells_advice() const;
    [[nodiscard]] bool finding_is_closed() const;      // the user has closed its picture
    [[nodiscard]] double changed_seconds_ago() const;  // since the counters last changed

    [[nodiscard]] const RecordRequest& request()
        const;  // the last request (may still be recording)
    [[nodiscard]] const Generation& generation() const;              // the last one chosen
    [[nodiscard]] const RecordProgress* recording_progress() const;  // nullptr when idle
    [[nodiscard]] const std::string& message() const;                // an error or notice, or empty
    [[nodiscard]] bool message_is_error() const;
    // Suggestions if the kernel cannot run the requested sizes; message() is then their `problem`.
    // nullptr: none. request() keeps the last request that can run.
    [[nodiscard]] const SizeSuggestions* size_suggestions() const;

    // A comparison: this workbench is its left side, the other one its right side.
    [[nodiscard]] bool comparing() const;  // the other side may still be recorded
    // nullptr: there is no comparison, or it is of a lesson's scene.
    [[nodiscard]] const Subject* compared_with() const;
    [[nodiscard]] const Workbench* other() const;     // nullptr: there is none, or not yet
    [[nodiscard]] const LockStep* lock_step() const;  // nullptr until both sides have a replay
    [[nodiscard]] double common_position() const;     // in ticks of lock_step()

    // The last opened CUDA program; nullptr if there is none.
    [[nodiscard]] const OpenedProgram* program() const;
    [[nodiscard]] bool shows_program() const;  // the recording is one of its launches
    // Whether the recording belongs to a program: the open one, or that of a trace file.
    [[nodiscard]] bool is_of_program() const;
    // The shown trace file; empty if the launch was recorded.
    [[nodiscard]] std::filesystem::path shown_file() const;
    // Whether WatchBlock records a block that was not recorded, and whether it would record this
    // one.
    [[nodiscard]] bool records_more() const;
    [[nodiscard]] bool can_record(std::uint32_t block) const;
    [[nodiscard]] bool program_busy() const;  // compiles, runs, or reads a trace

    // The estimated time of the shown launch, while a page or the source shows it. nullptr: none
    // yet.
    [[nodiscard]] const TimeAnswer* time_answer() const;
    // That of the program's launch before its file was edited; nullptr: there is none.
    [[nodiscard]] const TimeAnswer* former_time_answer() const;
    // EstimatedLaunch::l2 or why_no_l2 of the launch of time_answer(); nullptr: not yet.
    [[nodiscard]] const EstimatedLaunch* l2_answer() const;
    // The launch of the ladder that is estimated, with its M, N and K; nullptr: the recording is.
    [[nodiscard]] const RecordRequest* timed_request() const;
    [[nodiscard]] bool estimating() const;

    [[nodiscard]] const PatternLab& lab() const;
    [[nodiscard]] const RaceBench& races() const;
    [[nodiscard]] RaceBench& races();
    // Move the benches out, for a workbench that replaces this one. Do not use this one afterwards.
    [[nodiscard]] std::unique_ptr<RaceBench> release_races();
    [[nodiscard]] std::unique_ptr<ProgramBench> release_programs();
    [[nodiscard]] std::unique_ptr<LessonBench> release_lessons();
    [[nodiscard]] const LessonBench& lessons() const;
    [[nodiscard]] const ExerciseBench& exercises() const;
    [[nodiscard]] const Quiz& quiz() const;

    [[nodiscard]] const ViewState& view() const;
    [[nodiscard]] const WatchedThread& watched_thread() const;
    [[nodiscard]] const StageZoom& stage_zoom() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilereel
