#pragma once
// What the panels keep from frame to frame. Everything computed over a whole trace or source is
// computed here once, when the recording, the block or the width changes, never in a frame.
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/changed_lines.h"
#include "app/panels/inspector/listed_findings.h"
#include "app/panels/inspector/locals_memory.h"
#include "app/panels/overlay/file_list.h"
#include "app/panels/panels.h"
#include "app/panels/phases/phase_table_memory.h"
#include "app/panels/presenter/presenter.h"
#include "app/panels/source/source_text.h"
#include "app/panels/timeline/timeline_tracks.h"
#include "app/ui/text_edit.h"
#include "app/workbench/recorded_facts.h"
#include "instrumentation/analysis/counters.h"

namespace tilereel {

// What the facts of the introduction were read from.
struct FactsKey {
    std::string kernel;
    int tile = 0;
    std::uint64_t recording = 0;  // Recording::id; 0: not recorded yet
    bool operator==(const FactsKey&) const = default;
};

// What is said about a recording's findings.
struct HazardTexts {
    std::uint64_t recording = 0;  // Recording::id; 0: none
    const void* run = nullptr;    // the folder of the program's run; nullptr: no program is open
    std::vector<ListedFinding> findings;
    std::size_t errors = 0, warnings = 0, fresh = 0;  // fresh: new since the file was edited
    std::string why_wrong{};                          // why C is wrong; empty: C is right
};

struct SourceMemory {
    std::uint64_t counted_replay = 0;   // Replay::id(); 0: none
    std::vector<AccessCounts> by_line;  // watched block; index = line
    SourceText text;
    std::string given;  // what `text` was prepared from
    SourceWidth width;
    CodeNames names;
    std::uint32_t needs = 0;  // columns_needed()
    // Of the program that is shown: its file and text, and what was edited since the text before.
    std::string program_file, program_text;
    std::map<std::uint32_t, ChangedLine> changes;
    float scroll = 0;        // rows
    double free_until = -1;  // seconds, of Look::now_seconds: scrolled by hand until then
};

struct ProgramMemory {
    // Launches, what the program printed, why it does not compile.
    enum class Tab : std::uint8_t { kLaunches, kOutput, kErrors };
    Tab tab = Tab::kLaunches;
    float scroll = 0;       // pixels
    std::string started{};  // OpenedProgram::started of the run whose errors were shown
};

struct InspectorMemory {
    HazardTexts hazards;
    bool hazards_unfolded = false;
    float scroll = 0, lanes_scroll = 0;  // pixels
};

struct TimelineMemory {
    std::uint64_t replay = 0;  // Replay::id() of `tracks`; 0: none
    float width = 0, scale = 0;
    TimelineTracks tracks;
    bool scrubbing = false;
};

// The track of one side of a comparison.
struct CompareTrack {
    std::uint64_t replay = 0;  // Replay::id() of `tracks`; 0: none
    float width = 0;
    TimelineTracks tracks;
    std::vector<TrackBlock> alone;  // steps that the other side does not have
};

struct CompareMemory {
    std::array<CompareTrack, 2> tracks;
    std::optional<std::size_t> scrubbed;  // the side whose track is dragged
    float scroll = 0;                     // of the differences, pixels
};

// The run whose replay is shown: its folder, when it began, and since when it is a former one.
struct FormerReplayMemory {
    const void* run = nullptr;
    std::string started{};
    double since = -1;   // seconds, of Look::now_seconds; negative: it is not a former one
    bool fades = false;  // is being dimmed
};

struct RaceMemory {
    float table_scroll = 0, setup_scroll = 0;  // pixels
    // The dialog that asks where to save something of the race that is shown.
    struct SaveDialog {
        RaceExport what = RaceExport::kFile;
        TextEdit path;
        std::filesystem::path asked_about{};  // an existing file: asks whether to replace it
    };
    std::optional<SaveDialog> save;
};

struct IntroductionMemory {
    float scroll = 0, page = 0;  // pixels
    FactsKey facts_key;
    std::vector<RecordedFact> facts;
};

struct PatternsMemory {
    std::optional<TextEdit> edit;  // of the expression, while it is typed
    // The part that is shown where there is no room for all.
    enum class View : std::uint8_t { kPicture, kLanes, kPatterns, kLayout };
    View view = View::kPicture;
};

struct GoToMemory {
    std::optional<TextEdit> edit;  // while the prompt is open
    std::string problem{};         // what is wrong with the text; empty: nothing
};

struct FilesMemory {
    std::optional<FileList> list;
    std::optional<std::filesystem::path> chosen;
    bool to_compare = false;                    // what is chosen is compared with what is watched
    std::vector<std::filesystem::path> recent;  // the latest first
};

struct LessonMemory {
    struct Entry {
        std::string title, about;
    };
    std::vector<std::filesystem::path> listed;  // what `entries` were read from
    std::vector<Entry> entries;
    std::size_t chosen = 0;      // in the list
    std::filesystem::path file;  // of the lesson that was drawn last
    double since = 0;            // seconds, of Look::now_seconds: when it was opened
    std::size_t scene = 0;       // the scene that was drawn last
    double scene_since = 0;      // seconds, of Look::now_seconds: when `scene` was opened
    bool moves = false;          // the bars of a race grow
    int minute = -1;             // of the clock that is shown
};

struct MessageMemory {
    std::string notice, notice_kernel;                        // the kernel it is about; empty: none
    std::set<std::pair<std::string, std::string>> dismissed;  // kernel and notice
    double notice_since = -1;                                 // seconds; negative: not shown yet
    double recording_since = -1;
    std::string suggested_for;  // the problem that `choice` belongs to
    std::size_t choice = 0;
};

// A part for each panel.
struct PanelMemory::Parts {
    SourceMemory source;
    ProgramMemory program;
    InspectorMemory inspector;
    LocalsMemory locals;
    TimelineMemory timeline;
    FormerReplayMemory former;
    CompareMemory compare;
    PhaseTableMemory phases;
    RaceMemory race;
    PatternsMemory patterns;
    IntroductionMemory introduction;
    GoToMemory go_to;
    FilesMemory files;
    LessonMemory lesson;
    PresenterMemory presenter;
    MessageMemory message;
};

// Takes the text of the program that is shown, and notes in SourceMemory::changes what was edited
// since the former text.
void note_program_text(SourceMemory& memory, std::string_view file, std::string_view text);

// Counts of the watched block by source line; computed anew when the replay changed.
const std::vector<AccessCounts>& counts_by_line(SourceMemory& memory, const Replay& replay);

}  // namespace tilereel
