#pragma once
// The state that panels keep from frame to frame. Everything that needs a pass over a whole trace
// or source is computed here once, when the recording, the block or the width changes.
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/changed_lines.h"
#include "app/panels/edit/source_edit.h"
#include "app/panels/inspector/listed_findings.h"
#include "app/panels/overlay/file_list.h"
#include "app/panels/overlay/save_dialog.h"
#include "app/panels/panel_table.h"
#include "app/panels/panels.h"
#include "app/panels/phases/phase_table_memory.h"
#include "app/panels/presenter/presenter.h"
#include "app/panels/source/source_text.h"
#include "app/panels/timeline/timeline_rows.h"
#include "app/panels/timeline/timeline_tracks.h"
#include "app/replay/arrays/locals.h"
#include "app/ui/draw/glide.h"
#include "app/ui/widgets/text_edit.h"
#include "app/workbench/recording/recorded_facts.h"
#include "app/workbench/time/time_quiz.h"
#include "app/workbench/view/shared_form.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {

// What the introduction's facts depend on.
struct FactsKey {
    std::string kernel;
    int tile = 0;
    std::uint64_t recording = 0;  // Recording::id; 0: not recorded yet
    bool operator==(const FactsKey&) const = default;
};

// The text about a recording's findings.
struct HazardTexts {
    std::uint64_t recording = 0;  // Recording::id; 0: none
    const void* run = nullptr;    // folder of the program's run, as an identity; nullptr: none
    std::vector<ListedFinding> findings;
    std::size_t errors = 0, warnings = 0, fresh = 0;  // fresh: the former run did not have them
    std::string why_wrong{};                          // why C is wrong; empty: C is right
    std::uint64_t judged = 0;  // if C is wrong: its elements that were computed
};

struct SourceMemory {
    std::uint64_t counted_replay = 0;        // Replay::id(); 0: none
    std::vector<AccessCounts> by_line;       // counters of the watched block; index = line
    std::set<std::uint32_t> modelled_lines;  // those whose counts hold reads of a wgmma
    SourceText text;
    std::string given;  // the source that `text` was prepared from
    SourceWidth width;
    CodeNames names;
    // The program that is shown: its file, its text, and the edits since the former text.
    std::string program_file, program_text;
    std::map<std::uint32_t, ChangedLine> changes;
    float scroll = 0;        // rows
    double free_until = -1;  // Look::now_seconds until which the user's scrolling has priority
    std::uint32_t pointed_line = 0;  // under the pointer in this frame; 0: none
};

struct ProgramMemory {
    // The tabs: compile errors, launches, output of the program.
    enum class Tab : std::uint8_t { kErrors, kLaunches, kOutput };
    Tab tab = Tab::kLaunches;
    float scroll = 0;       // pixels
    bool low = false;       // the column has no room for a launch below the tabs
    bool opened = false;    // then: the tabs are shown all the same
    std::string started{};  // OpenedProgram::started of the run whose errors were last shown
};

struct InspectorMemory {
    HazardTexts hazards;
    // The figures of a request to shared memory, which count along where its words slide.
    struct Counting {
        std::uint64_t replay = 0;  // Replay::id(); 0: none
        SharedForm form;
        double drawn = -1e9;  // seconds, of Look::now_seconds
        CountingNumbers numbers;
    } counting;
    bool hazards_unfolded = false;
    float scroll = 0;  // pixels
};

struct LocalsMemory {
    std::uint64_t replay = 0;  // Replay::id() that this state belongs to; 0: none
    std::map<std::uint32_t, std::unique_ptr<WarpLocals>> by_warp{};
    // Name of the chosen variable. Empty: the first floating-point one or, without one, the last.
    std::string chosen{};
    float scroll = 0;  // pixels
};

struct TimelineMemory {
    std::uint64_t replay = 0;  // Replay::id() of `tracks`; 0: none
    float width = 0, scale = 0;
    TimelineTracks tracks;
    TimelineRowsMemory rows;
    bool scrubbing = false;
    std::optional<double> pointed_tick;  // under the pointer in this frame
};

// The track of one side of a comparison.
struct CompareTrack {
    std::uint64_t replay = 0;  // Replay::id() of `tracks`; 0: none
    float width = 0;
    TimelineTracks tracks;
    std::vector<TrackInterval> alone;  // steps that have no counterpart on the other side
};

struct CompareMemory {
    std::array<CompareTrack, 2> tracks;
    std::optional<std::size_t> scrubbed;  // the side whose track is dragged
    TableScroll scroll;                   // of the differences
};

// The run whose replay is shown: its folder, its start time, and since when a newer run has failed.
struct FormerReplayMemory {
    const void* run = nullptr;
    const void* failed_after = nullptr;  // the shown run, after which another one failed
    std::string started{};
    double since = -1;   // Look::now_seconds at which the newer run failed; negative: none has
    bool fades = false;  // the dimming animation is running
};

struct RaceMemory {
    TableScroll table, names;
    float running_scroll = 0, side_scroll = 0;  // pixels
    // The dialog that asks for the path of a file: a race, its table or its picture.
    RaceExport saved = RaceExport::kFile;
    std::optional<SaveDialog> save;
    // Editors of the user's own kernel's launch and values; empty while they are not edited.
    std::optional<TextEdit> own_call, own_values;
    std::uint32_t edit_line = 0;  // of the user's file, to be edited; 0: none
    // Where Cancel was clicked, while the pointer rests there, for a second after the race.
    std::optional<Rect> cancelled;
    double cancelled_until = 0;  // seconds
};

struct IntroductionMemory {
    float scroll = 0, page = 0;  // pixels
    FactsKey facts_key;
    std::vector<RecordedFact> facts;
};

struct PatternsMemory {
    std::optional<TextEdit> edit;  // editor of the expression; empty while it is not edited
    // The view that is shown if there is no room for all.
    enum class View : std::uint8_t { kPicture, kLanes, kPatterns, kLayout };
    View view = View::kPicture;
    TableScroll lanes, neighbours;
    float picture_scroll = 0, lines_scroll = 0;  // pixels
    // The lowest lane that wants a word, and the word's number among those that the lane wants.
    using GlidingWord = std::pair<std::uint32_t, std::uint32_t>;
    struct Gliding {                               // patterns/pattern_glide.h
        std::optional<PatternQuestion> asked{};    // that was drawn last
        std::map<GlidingWord, Rect> last, from{};  // the cells of words
        double begun = -1e9;                       // seconds, of Look::now_seconds
        CountingNumbers numbers{};
    } gliding{};
};

struct TimeMemory {
    // The view that is shown if there is no room for all.
    enum class View : std::uint8_t { kTime, kChanges, kLines, kLadder, kL2 };
    View view = View::kTime;
    std::string chosen{};  // TimeChange::what that the keyboard has chosen
    bool reveals = false;  // it has just been chosen: scroll to it
    float scroll = 0, changes_scroll = 0, ladder_scroll = 0, l2_scroll = 0;  // pixels
    std::size_t l2_order = 0;                                                // of LaunchL2::orders
    std::size_t l2_wave = 0;
    std::uint64_t recording = 0;  // that was drawn last
    double edited_at = -1e9;      // Look::now_seconds when a saved edit was first shown
    TimeQuiz quiz{};
};

struct GoToMemory {
    std::optional<TextEdit> edit;  // empty while the prompt is closed
    std::string problem{};         // error of the typed text; empty: none
};

struct HelpMemory {
    std::optional<TextEdit> filter;  // empty while the help is closed
    float scroll = 0;                // pixels
};

// The picture of the whole window.
struct PictureMemory {
    std::optional<SaveDialog> save;
    std::filesystem::path folder;  // of the last picture; empty: the current one
};

struct FilesMemory {
    std::optional<FileList> list;
    bool to_compare = false;  // the chosen file is compared with the watched recording
    std::vector<std::filesystem::path> recent;   // latest first
    std::vector<std::filesystem::path> samples;  // programs that ship
};

// The list of lessons or of exercises.
struct LearnList {
    struct Entry {
        std::string title, about;
    };
    std::vector<std::filesystem::path> listed;  // the files that `entries` were read from
    std::vector<Entry> entries;
    std::size_t chosen = 0;  // index into `entries`
    std::size_t drawn = 0;   // the chosen one, when the list was drawn last
    float scroll = 0;        // pixels
};

struct ExerciseMemory {
    float scroll = 0, page = 0;           // pixels
    std::filesystem::path file;           // the exercise that was drawn last
    std::optional<std::size_t> chosen{};  // the row that was drawn as chosen last
    std::size_t verdicts = 0;             // as the exercise's, when it was drawn last
    std::size_t advice = 0;               // rows whose advice was open when it was drawn last
    bool passed = false;                  // all checks had passed when it was drawn last
};

struct LessonMemory {
    LearnList lessons, exercises;
    bool shows_exercises = false;  // the list
    [[nodiscard]] LearnList& list() { return shows_exercises ? exercises : lessons; }
    std::filesystem::path file;  // the lesson that was drawn last
    double since = 0;            // Look::now_seconds when it was opened
    std::size_t scene = 0;       // the scene that was drawn last
    double scene_since = 0;      // Look::now_seconds when `scene` was opened
    bool moves = false;          // the bars of a race are growing
    int minute = -1;             // minute that the clock shows
};

struct MessageMemory {
    std::string notice, notice_kernel;  // notice_kernel: the kernel of the notice; empty: none
    bool notice_is_error = false;
    std::set<std::pair<std::string, std::string>> dismissed;  // kernel and notice
    double notice_since = -1;  // Look::now_seconds; negative: not shown yet
    double recording_since = -1;
    std::uint64_t replay = 0;   // Replay::id() in the last frame
    std::string suggested_for;  // the problem that `choice` belongs to
    std::size_t choice = 0;
};

// One member for each panel.
struct PanelMemory::Parts {
    SourceMemory source;
    EditMemory edit;
    ProgramMemory program;
    InspectorMemory inspector;
    LocalsMemory locals;
    TimelineMemory timeline;
    FormerReplayMemory former;
    CompareMemory compare;
    PhaseTableMemory phases;
    RaceMemory race;
    PatternsMemory patterns;
    TimeMemory time;
    IntroductionMemory introduction;
    GoToMemory go_to;
    FilesMemory files;
    PictureMemory picture;
    LessonMemory lesson;
    ExerciseMemory exercise;
    PresenterMemory presenter;
    MessageMemory message;
    HelpMemory help;
    bool more_by_key = false;  // a key opened the bar's menu of controls that did not fit
};

// Takes the text of the shown program and computes SourceMemory::changes, the edits since the
// former text.
void note_program_text(SourceMemory& memory, std::string_view file, std::string_view text);

// The counters of the watched block by source line, with the modelled reads of wgmma. Recomputed
// when the replay changes.
const std::vector<AccessCounts>& counts_by_line(SourceMemory& memory, const Replay& replay);

}  // namespace tilereel
