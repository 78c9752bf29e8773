#pragma once
// What a Workbench holds and what it does when asked (workbench_state.cpp), for its own files only.
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/before_column.h"
#include "app/workbench/fit_parameters.h"
#include "app/workbench/played.h"
#include "app/workbench/playhead.h"
#include "app/workbench/recording_worker.h"
#include "app/workbench/workbench.h"

namespace tilereel {

[[nodiscard]] inline bool same_sizes(const KernelParameters& a, const KernelParameters& b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

// What a message is about that is no error.
enum class Notice : std::uint8_t { kSizes, kInputs, kNoPad, kNoGpu, kNoHarm };

// Where a workbench stands that is the other side of a comparison.
struct Led {
    double position = 0, moved_from = 0;  // its own ticks
    double speed = 1;
    bool playing = false, moving = false, scrubbing = false;
};

// A comparison: the other side, and the two in lock-step.
struct Comparing {
    CompareSide asked;
    std::unique_ptr<Workbench> other, next;  // next: being recorded
    std::optional<LockStep> steps;           // then the play head counts its ticks
    std::array<std::uint64_t, 2> replays{};  // Replay::id() of those of `steps`
    std::uint64_t followed = 0;              // Replay::id() whose block the other side watches
    double left_position = 0;                // as of the last frame
};

struct Workbench::State {
    explicit State(WorkbenchOptions options);

    // Records the request; with a trace, only counts that.
    void submit(std::shared_ptr<const Trace> trace = nullptr);
    void take_over();
    void take_over_program();
    void show(FinishedRecording finished);
    void keep_former(const FinishedRecording& finished);
    void note_former_ticks();
    void stay_at(const LogicalPlace& place);  // in a new replay
    void fall_back() {                        // to what is on the screen
        if (!recording) return;
        request = recording->request;
        generation = recording->generation;
    }
    void choose_generation(const std::string& id);
    void choose_recorder(Recorder recorder);
    void choose_kernel(const std::string& kernel_id);
    void ask_for(const std::string& kernel_id, const KernelParameters& parameters);
    // What that asks of the kernel: its own sizes, TILE and PAD where nobody has chosen any. The
    // message says what was changed.
    FittedParameters wanted_of(const KernelInfo& kernel, const KernelParameters& parameters);
    // `changes`: what is not as it was asked for; may be empty.
    void launch(const std::string& kernel_id, const KernelParameters& parameters,
                const std::string& changes = {});
    void ask_for_tile_by_occupancy();
    void take_suggestion(std::size_t number);
    void clear_message() {
        message.clear();
        suggestions.reset();
        told.reset();
    }
    // Says what was done besides what was asked for. Once dismissed, a kernel's notice of this kind
    // is not repeated; errors are.
    void tell(Notice notice, std::string sentence) {
        if (dismissed.contains({request.kernel, notice})) return;
        message = std::move(sentence);
        told = notice;
    }
    void fail(std::string sentence) {
        message = std::move(sentence);
        told.reset();
    }
    void dismiss_message() {
        if (told) dismissed.insert({request.kernel, *told});
        clear_message();
    }
    // Suggestions stand until something else is said.
    [[nodiscard]] const SizeSuggestions* size_suggestions() const {
        return suggestions && suggestions->problem == message ? &*suggestions : nullptr;
    }
    void show_suggestions(std::string problem, std::vector<SizeSuggestion> choices) {
        message = std::move(problem);
        if (!choices.empty())
            suggestions = SizeSuggestions{.problem = message, .choices = std::move(choices)};
    }
    void use_inputs_that_fit(RecordRequest& next);
    void watch(std::uint32_t block);
    void watch_or_record(std::uint32_t block);  // of a program that is recorded in part
    void toggle_pad();
    void remove_barrier(int line);
    void run_in_order(ThreadOrder order, bool find_harm);
    void step(StepUnit unit, int direction) {
        if (replay) head.step(played(), unit, direction);
    }
    void step_part(int direction) {
        if (replay) head.step_part(played(), direction);
    }
    void go_to(Tick tick) {
        if (replay) head.go_to(played(), static_cast<double>(tick));
    }
    void seek(const SeekTo& to);  // own ticks
    void go_back_to_opening();
    // The beat of the lesson that is to be shown; by playing up to it where the replay is there.
    void show_beat();
    void open_lesson(const std::filesystem::path& file, std::size_t scene);
    void step_lesson(int direction);
    void show_mode(WindowMode mode);
    void toggle_quiz();
    void step_quiz();
    void take_lesson_place();  // once its trace is shown
    void show_other_of_scene();
    void show_trace(Trace trace);

    // comparison.cpp
    void compare(const Compare& asked);
    void show_side(const CompareSide& side);
    void make_other();
    void close_comparison();
    void follow_left(const RecordRequest& former, const Generation& rules);
    void advance_other(double seconds);
    void enter_lock_step();
    void leave_lock_step();
    void lead_other();
    [[nodiscard]] const LockStep* lock() const;  // nullptr: none of the replays shown
    [[nodiscard]] double left_position() const;  // own ticks
    [[nodiscard]] Played played();               // there must be a replay

    RecordRequest request;                                 // as last asked for
    const Generation* generation = &default_generation();  // likewise
    bool only_counting = false;                            // what the worker does, when it is busy
    Inputs own_inputs;  // the user's matrices, for the sizes they were given for
    KernelParameters own_inputs_for;

    std::optional<Recording> recording;
    std::optional<Replay> replay;  // after `recording`: it reads its trace
    BeforeLaunch before_launch;
    CountsColumn before;
    std::optional<Recording> before_edit;  // Workbench::former()
    std::optional<Tick> former_ticks;      // Workbench::former_ticks()
    double changed_seconds_ago = std::numeric_limits<double>::infinity();

    // What the program opened with.
    struct Opening {
        RecordRequest request;
        std::shared_ptr<const Trace> trace;  // of an opened file; nullptr: recorded
        std::filesystem::path file;          // that file
        const Generation* generation = &default_generation();
        std::optional<KernelParameters> default_sizes;
    };
    Opening opening;

    std::optional<Comparing> comparing;
    std::optional<Led> led;  // this is the other side of a comparison
    bool record_on_worker = true;
    RecordFunction record;
    std::function<std::unique_ptr<ProgramBench>()> make_programs;

    PlayHead head;
    ViewState view;
    PatternLab lab;
    std::string message;
    std::optional<Notice> told;  // what the message is about; nullopt: an error
    std::set<std::pair<std::string, Notice>> dismissed;  // by kernel
    std::optional<SizeSuggestions> suggestions;          // its problem is the message
    // M, N, K until someone chooses others: then TILE and PAD, too, are as the kernel opens, but
    // for those that someone chose.
    std::optional<KernelParameters> default_sizes;
    bool tile_chosen = false, pad_chosen = false;
    RecordingWorker worker;
    std::unique_ptr<RaceBench> races;
    std::unique_ptr<ProgramBench> programs;
    std::unique_ptr<LessonBench> lessons;
    Quiz quiz;
    // Where a lesson's trace is to be shown that is being counted.
    struct LessonPlace {
        std::shared_ptr<const Trace> trace;
        std::uint32_t block = 0;
        double position = 0;
    };
    std::optional<LessonPlace> lesson_place;
    std::optional<std::uint32_t> wanted_block;   // to watch once the program's trace is shown
    std::shared_ptr<const Trace> program_trace;  // of the program's launch that was read last
    bool shows_program = false;                  // the recording is of one of its launches
    bool was_edited = false;  // the trace to come is of the launch that is shown, edited since
};

}  // namespace tilereel
