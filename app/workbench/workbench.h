#pragma once
// The window's model: what is watched, where the replay stands, what plays. Applies commands; knows
// nothing of how it is drawn. Recording runs on a worker thread; the window never waits for it.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/replay/lock_step.h"
#include "app/replay/navigation.h"
#include "app/replay/replay.h"
#include "app/workbench/as_compiled.h"
#include "app/workbench/command.h"
#include "app/workbench/lesson_bench.h"
#include "app/workbench/pattern_lab.h"
#include "app/workbench/program_bench.h"
#include "app/workbench/quiz.h"
#include "app/workbench/race_bench.h"
#include "app/workbench/recording.h"
#include "app/workbench/size_suggestions.h"
#include "app/workbench/view_state.h"
#include "instrumentation/analysis/counters.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/record/record.h"

namespace tilereel {

struct WorkbenchOptions {
    RecordRequest request;               // first recording
    std::optional<Trace> trace;          // or an opened file
    std::filesystem::path trace_file{};  // its path; empty: `trace` is of no file
    // Someone chose M, N and K. Such sizes change only when a suggestion is taken;
    // those that nobody chose follow the kernel (kernels/openings.h) and TILE.
    bool sizes_chosen = true;
    ViewState view{};
    bool playing = true;
    bool record_on_worker = true;        // false: apply() records before it returns (tests, export)
    RecordFunction record{};             // empty: record(); tests bring a GPU of their own
    std::unique_ptr<RaceBench> races{};  // nullptr: nothing can race
    std::unique_ptr<ProgramBench> programs{};  // nullptr: no program can be opened
    std::unique_ptr<LessonBench> lessons{};    // nullptr: no lesson is offered
    // For the other side of a comparison; empty: that can be no program.
    std::function<std::unique_ptr<ProgramBench>()> make_programs{};
};

class Workbench {
  public:
    explicit Workbench(WorkbenchOptions options);
    ~Workbench();

    void apply(const Command& command);
    void apply(const Commands& commands);
    // Moves the play head by `seconds` of play, takes over a finished recording.
    void advance(double seconds);

    [[nodiscard]] const Recording* recording() const;  // nullptr before the first is ready
    [[nodiscard]] const Replay* replay() const;        // at the present tick; nullptr likewise
    [[nodiscard]] double position() const;             // ticks, continuous while playing
    [[nodiscard]] bool playing() const;
    [[nodiscard]] bool moving() const;        // playing, or a step on is under way
    [[nodiscard]] double moved_from() const;  // as PlayHead::moved_from()
    [[nodiscard]] bool looping() const;       // of one phase
    [[nodiscard]] bool scrubbing() const;
    [[nodiscard]] double speed() const;  // x1 is 160 ms a tick
    [[nodiscard]] StepUnit unit() const;
    [[nodiscard]] const CountsColumn& before() const;
    // Of a program whose file was edited: the same launch as it was before; nullptr: there is none.
    [[nodiscard]] const Recording* former() const;
    // How long the former replay of the watched block took; nullopt: it was not recorded.
    [[nodiscard]] std::optional<Tick> former_ticks() const;
    [[nodiscard]] double changed_seconds_ago() const;  // since the counters last changed

    [[nodiscard]] const RecordRequest& request()
        const;  // as last asked for (may still be recording)
    [[nodiscard]] const Generation& generation() const;              // as last asked for
    [[nodiscard]] const RecordProgress* recording_progress() const;  // nullptr when idle
    [[nodiscard]] const std::string& message() const;                // an error to show, or empty
    // Ways out where the kernel cannot run what was asked for; its problem is the message. nullptr:
    // there is none. What was asked for is not taken over: request() is what can run.
    [[nodiscard]] const SizeSuggestions* size_suggestions() const;

    // A comparison: this workbench is its left side, the other one its right side.
    [[nodiscard]] bool comparing() const;                    // the other side may still be recorded
    [[nodiscard]] const CompareSide* compared_with() const;  // as asked for; nullptr: nothing is
    [[nodiscard]] const Workbench* other() const;            // nullptr: there is none, or not yet
    [[nodiscard]] const LockStep* lock_step() const;  // nullptr until both sides have a replay
    [[nodiscard]] double common_position() const;     // in ticks of lock_step()
    void apply_to_other(const Commands& commands);    // what the other side's picture asked for

    // The CUDA program that was opened last; nullptr: none was.
    [[nodiscard]] const OpenedProgram* program() const;
    [[nodiscard]] bool shows_program() const;  // the recording is one of its launches
    // The recording is of a program: of the one that is open, or of a trace file.
    [[nodiscard]] bool is_of_program() const;
    // The trace file that is shown; empty: what is shown was recorded.
    [[nodiscard]] std::filesystem::path shown_file() const;
    // This block was not recorded; WatchBlock runs the program again so that it is.
    [[nodiscard]] bool can_record(std::uint32_t block) const;
    [[nodiscard]] bool program_busy() const;  // it is being compiled, run or read

    [[nodiscard]] const PatternLab& lab() const;
    [[nodiscard]] const RaceBench& races() const;
    [[nodiscard]] RaceBench& races();
    // To a workbench that takes the place of this one, which is of no use any more.
    [[nodiscard]] std::unique_ptr<RaceBench> release_races();
    [[nodiscard]] std::unique_ptr<ProgramBench> release_programs();
    [[nodiscard]] std::unique_ptr<LessonBench> release_lessons();
    [[nodiscard]] const LessonBench& lessons() const;
    [[nodiscard]] const Quiz& quiz() const;

    [[nodiscard]] const ViewState& view() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilereel
