#pragma once
// The state of a Workbench and the functions that its commands call. Private to workbench*.cpp,
// comparison.cpp, lesson_state.cpp and exercise_state.cpp.
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/played.h"
#include "app/workbench/playhead.h"
#include "app/workbench/recording/before_column.h"
#include "app/workbench/recording/recording_worker.h"
#include "app/workbench/workbench.h"

namespace tilereel {

[[nodiscard]] inline bool same_sizes(const KernelParameters& a, const KernelParameters& b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

// The subject of a message that is not an error.
enum class Notice : std::uint8_t { kSizes, kInputs, kNoPad, kNoGpu, kNoFailingOrder };

// The position of a workbench that is the other side of a comparison, set by the left side.
struct FollowerState {
    double position = 0, moved_from = 0;  // in its own ticks
    double speed = 1;
    bool playing = false, moving = false, scrubbing = false;
};

// A comparison: the other side, and the two in lock-step.
struct Comparing {
    Subject asked;
    std::shared_ptr<const Trace> trace{};    // of a lesson's scene, in place of `asked`
    bool chose_launch = false;               // of the program that is opened in `next`
    std::unique_ptr<Workbench> other, next;  // next: being recorded
    std::optional<LockStep> steps;           // if set, the play head counts its ticks
    std::array<std::uint64_t, 2> replays{};  // Replay::id() of the two replays in `steps`
    std::uint64_t followed = 0;              // left Replay::id() whose block the other side watches
    double left_position = 0;                // in the last frame
};

struct Workbench::State {
    explicit State(WorkbenchOptions options);

    // workbench_commands.cpp
    void carry_out(const Command& command);
    void carry_out(const PlayCommand& command);
    void carry_out(const LaunchCommand& command);
    void carry_out(const ProgramCommand& command);
    void carry_out(const ViewCommand& command);
    void carry_out(const PictureCommand& command);
    void carry_out(const LearnCommand& command);
    void carry_out(const RaceAction& command);
    void offer_own_kernel();
    void carry_out(const WindowCommand& /*command*/) {}
    void cancel_recording();

    // Records the request; with a trace, only counts that trace.
    void submit(std::shared_ptr<const Trace> trace = nullptr);
    void take_over();
    void take_over_program();
    void show(FinishedRecording finished);
    bool keep_former(const FinishedRecording& finished);
    void note_former_ticks();
    [[nodiscard]] bool records_kernel() const;
    void end_saved_change(double seconds);
    void finish_step();                       // FinishStep
    void stay_at(const LogicalPlace& place);  // in a new replay
    void fall_back() {                        // to the request of the recording on the screen
        if (!recording) return;
        wanted_block.reset();
        request = recording->request;
        generation = recording->generation;
    }
    void choose_generation(const std::string& id);
    void choose_recorder(Recorder recorder);
    void choose_kernel(const std::string& kernel_id);
    void ask_for(const std::string& kernel_id, const KernelParameters& parameters);
    // The parameters for the kernel: its own sizes, TILE and PAD where the user has chosen none.
    // The message says what was changed.
    FittedParameters wanted_of(const KernelInfo& kernel, const KernelParameters& parameters);
    // `changes`: describes changes of the requested parameters; may be empty.
    void launch(const std::string& kernel_id, const KernelParameters& parameters,
                const std::string& changes = {});
    void ask_for_tile_by_occupancy();
    void take_suggestion(std::size_t number);
    void clear_message() {
        message.clear();
        suggestions.reset();
        shown_notice.reset();
    }
    // Shows a notice about a side effect. A dismissed notice of this kind is not repeated for the
    // same kernel; errors are.
    void tell(Notice notice, std::string sentence) {
        if (dismissed.contains({request.kernel, notice})) return;
        message = std::move(sentence);
        shown_notice = notice;
    }
    void fail(std::string sentence) {
        message = std::move(sentence);
        shown_notice.reset();
    }
    void dismiss_message() {
        if (shown_notice) dismissed.insert({request.kernel, *shown_notice});
        clear_message();
    }
    // Suggestions are valid until there is another message.
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
    void watch_or_record(std::uint32_t block);  // records a program's block if necessary
    void toggle_pad();
    void remove_barrier(int line);
    void run_in_order(ThreadOrder order, bool find_failing_order);
    void step(StepUnit unit, int direction) {
        if (replay) head.step(played(), unit, direction);
    }
    void step_part(int direction) {
        if (replay) head.step_part(played(), direction);
    }
    void go_to(Tick tick) {
        if (replay) head.go_to(played(), static_cast<double>(tick));
    }
    void seek(const SeekTo& to);  // in ticks of this side
    void go_back_to_opening();
    // Shows the current beat of the lesson; plays up to it if its replay is shown already.
    void show_beat();
    void open_lesson(const std::filesystem::path& file, std::size_t scene);
    void step_lesson(int direction);
    void note_before_lesson();  // call it before a lesson replaces anything
    void leave_lesson();
    // exercise_state.cpp
    void open_exercise(const std::filesystem::path& file, const std::filesystem::path& copy);
    void show_new_check();  // the moment that the exercise has found, if there is a new one
    void show_check(const CheckMoment& moment);
    void show_what_was_beside();
    void show_mode(WindowMode mode);  // SetMode
    void toggle_quiz();
    void step_quiz();
    void take_lesson_place();  // when its trace is shown
    struct LessonPlace;
    [[nodiscard]] static bool is_of(const LessonPlace& place, const Recording& shown);
    void compare_as_before_lesson();
    void show_other_of_scene();
    void take_request_of(const Trace& trace);  // that records its launch again
    void show_trace(Trace trace);
    void open_trace_file(const std::filesystem::path& file);
    void open_program(const OpenProgram& to);

    // time_state.cpp
    void ask_for_time();

    // comparison.cpp
    void compare(const Compare& asked);
    void show_side(const Subject& side);
    void make_other();
    void close_comparison();
    void follow_left(const RecordRequest& former, const Generation& rules);
    void apply_to_other(const Command& command);
    void advance_other(double seconds);
    [[nodiscard]] bool shows_asked_launch(Workbench& next);
    void enter_lock_step();
    void leave_lock_step();
    void update_follower();
    [[nodiscard]] const LockStep* lock() const;  // nullptr: the shown replays are not in lock-step
    [[nodiscard]] double left_position() const;  // in ticks of the left side
    [[nodiscard]] Played played();               // there must be a replay

    RecordRequest request;                                 // Workbench::request()
    const Generation* generation = &default_generation();  // Workbench::generation()
    bool only_counting = false;                            // the worker only counts a given trace
    Inputs own_inputs;  // the user's matrices, and the sizes to which they belong
    KernelParameters own_inputs_for;

    std::optional<Recording> recording;
    std::optional<Replay> replay;  // declared after `recording`, whose trace it reads
    BeforeLaunch before_launch;
    CountsColumn before;
    std::optional<Recording> before_edit;        // Workbench::former()
    std::optional<Tick> former_ticks;            // Workbench::former_ticks()
    Sentence saved_change;                       // Workbench::saved_change()
    double saved_at = 0, saved_seconds_ago = 0;  // position and time since it is shown
    BarrierGate gate;
    // Workbench::finding_scene() of the moment for which it was asked last.
    struct SceneMoment {
        std::uint64_t recording = 0, replay = 0;
        Tick tick = 0;
        bool tells_advice = true;
        bool operator==(const SceneMoment&) const = default;
    };
    std::optional<SceneMoment> scene_moment;
    std::optional<FindingScene> finding_scene;
    std::optional<SceneMoment> closed_finding;  // whose picture the user has closed
    double changed_seconds_ago = std::numeric_limits<double>::infinity();

    // The initial state, for BackToOpening.
    struct Opening {
        RecordRequest request;
        std::shared_ptr<const Trace> trace;  // of an opened file; nullptr: recorded
        std::filesystem::path file;          // path of that file
        const Generation* generation = &default_generation();
        std::optional<KernelParameters> default_sizes;
    };
    Opening opening;

    std::optional<Comparing> comparing;
    std::optional<FollowerState> follower;  // set if this is the other side of a comparison
    bool record_on_worker = true;
    RecordFunction record;
    std::function<std::unique_ptr<ProgramBench>()> make_programs;

    PlayHead head;
    ViewState view;
    WatchedThread threads;
    StageZoom stage_zoom;
    PatternLab lab;
    std::string message;
    std::optional<Notice> shown_notice;  // the subject of the message; nullopt: an error
    std::set<std::pair<std::string, Notice>> dismissed;  // by kernel
    std::optional<SizeSuggestions> suggestions;          // its problem is the message
    // M, N and K as long as the user has chosen none. TILE and PAD are then also those with which
    // the kernel opens, unless the user has chosen them.
    std::optional<KernelParameters> default_sizes;
    bool tile_chosen = false, pad_chosen = false;
    RecordingWorker worker;
    // What is estimated: the shown launch, and the one before the program was edited.
    struct Timed {
        std::uint64_t recording = 0;  // Recording::id
        std::uint64_t former = 0;     // likewise; 0: none
        int size = -1;                // ViewState::time_size
        bool alone = false;           // without what-ifs
        bool with_l2 = false;
        std::string l2_key{};                    // the last of `keys`; empty: not asked
        std::vector<std::string> keys;           // of TimeBench
        std::optional<RecordRequest> request{};  // Workbench::timed_request()
    };
    Timed timed;
    std::string former_time_key;  // of `before_edit`
    TimeBench times;
    std::unique_ptr<RaceBench> races;
    std::unique_ptr<ProgramBench> programs;
    std::unique_ptr<LessonBench> lessons;
    std::unique_ptr<ExerciseBench> exercises;
    Quiz quiz;
    // The place to show in a trace that is being counted: a lesson's, or the one before the lesson.
    struct LessonPlace {
        std::shared_ptr<const Trace> trace;  // nullptr: the one that is recorded next
        std::uint32_t block = 0;
        double position = 0;
        bool from_request = false;  // Recording::from_request
    };
    std::optional<LessonPlace> lesson_place;
    // What was shown when the lessons were opened, for leave_lesson().
    struct BeforeLesson {
        LessonPlace place;
        RecordRequest request;
        Inputs own_inputs;
        KernelParameters own_inputs_for;
        std::optional<KernelParameters> default_sizes;
        const Generation* generation = &default_generation();
        std::optional<Subject> compared;
        WatchedThread threads;
        StageZoom zoom;
        CountsColumn before;
        // It was still being counted or, without a trace, recorded.
        bool under_way = false;
    };
    std::optional<BeforeLesson> before_lesson;
    std::shared_ptr<const Trace> asked_trace;    // of the newest job; nullptr: it records
    std::shared_ptr<const Trace> scene_trace;    // of the scene that was shown last
    bool scene_opened = false;                   // on the replay page: OpenSceneReplay
    std::optional<std::uint32_t> wanted_block;   // to watch when the next trace is shown
    std::shared_ptr<const Trace> program_trace;  // the last trace of a launch of the program
    bool shows_program = false;                  // the recording is one of the program's launches
    bool starts_at_0 = false;    // the next recording is that of a trace file that was just opened
    bool opens_another = false;  // the next trace of a program is of a file that was just opened
    bool was_edited = false;     // the next trace is the shown launch after an edit of the file
};

}  // namespace tilereel
