#pragma once
// What the panels keep from frame to frame. Everything computed over a whole trace or source is
// computed here once, when the recording, the block or the width changes, never in a frame.
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/changed_lines.h"
#include "app/panels/file_list.h"
#include "app/panels/listed_findings.h"
#include "app/panels/locals_panel.h"
#include "app/panels/panels.h"
#include "app/panels/phase_table.h"
#include "app/panels/source_text.h"
#include "app/panels/timeline_tracks.h"
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
struct HazardWords {
    std::uint64_t recording = 0;  // Recording::id; 0: none
    const void* run = nullptr;    // the folder of the program's run; nullptr: no program is open
    std::vector<ListedFinding> findings;
    std::size_t errors = 0, warnings = 0, fresh = 0;  // fresh: new since the file was edited
    std::string why_wrong{};                          // C is; empty: it is right
};

struct PanelMemory::State {
    std::uint64_t counted_replay = 0;   // Replay::id(); 0: none
    std::vector<AccessCounts> by_line;  // watched block; index = line

    SourceText source;
    std::string source_given;  // what `source` was prepared from
    // Of the program that is shown: its file and text, and what was edited since the text before.
    std::string program_file, program_text;
    std::map<std::uint32_t, ChangedLine> program_changes;
    SourceWidth source_width;
    CodeNames source_names;
    std::uint32_t source_needs = 0;  // columns_needed()
    float source_scroll = 0;         // rows
    double source_free_until = -1;   // seconds: scrolled by hand, so do not follow yet

    std::uint64_t tracks_replay = 0;  // Replay::id(); 0: none
    float tracks_width = 0, tracks_scale = 0;
    TimelineTracks tracks;
    bool scrubbing = false;

    // Where something of the race shown is to be saved, while that is asked.
    struct SaveDialog {
        RaceExport what = RaceExport::kFile;
        TextEdit path;
        std::filesystem::path asked_about{};  // a file that is there: whether to replace it
    };
    std::optional<SaveDialog> save;

    std::uint32_t watched_warp = 0, watched_lane = 0;
    std::optional<std::uint32_t> lane_asked;
    LocalsMemory locals;
    std::optional<FileList> files;
    std::optional<std::filesystem::path> file_asked;
    std::vector<std::filesystem::path> recent_files;  // the latest first

    float program_scroll = 0;  // pixels
    // Launches, what the program printed, why it does not compile.
    enum class ProgramTab : std::uint8_t { kLaunches, kOutput, kErrors };
    ProgramTab program_tab = ProgramTab::kLaunches;
    std::string program_started{};  // OpenedProgram::started of the run whose errors were shown
    // The run whose replay is shown: its folder, when it began, and since when it is a former one.
    const void* replay_run = nullptr;
    std::string replay_started{};
    double former_since = -1;  // seconds; negative: it is not
    bool former_fades = false;

    float race_table_scroll = 0, race_setup_scroll = 0;  // pixels
    HazardWords hazards;
    bool hazards_unfolded = false;

    float inspector_scroll = 0, lanes_scroll = 0;  // pixels
    bool introduction = false;
    float introduction_scroll = 0, introduction_page = 0;  // pixels
    FactsKey facts_key;
    std::vector<RecordedFact> facts;
    PhaseTableMemory phases;
    std::string notice, notice_kernel;                        // the kernel it is about; empty: none
    std::set<std::pair<std::string, std::string>> dismissed;  // kernel and notice
    double notice_since = -1;                                 // seconds; negative: not shown yet
    double recording_since = -1;
    std::string suggested_for;  // the problem that `choice` belongs to
    std::size_t choice = 0;
};

// The text of the program that is shown: tells what was edited since the one before.
void note_program_text(PanelMemory::State& state, std::string_view file, std::string_view text);

// Counts of the watched block by source line; computed anew when the replay changed.
const std::vector<AccessCounts>& counts_by_line(PanelMemory::State& state, const Replay& replay);

}  // namespace tilereel
