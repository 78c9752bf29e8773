#pragma once
// The panels around the stage. Each reads the workbench and returns commands.
//
// Names under which their controls are registered (register_widget):
//   tab.replay tab.race tab.lessons tab.patterns tab.time
//   chip.kernel (opens chip.kernel.<id>) chip.extents chip.extents.m .n .k
//   chip.tile chip.pad chip.gpu (each opens <name>.<choice>)
//   bar.theme bar.text_larger bar.full_screen bar.help
//   bar.more: a menu with the controls of the bar that did not fit
//   source.introduction source.figure source.code side.inspector side.source
//   transport.start transport.back transport.play transport.forward transport.end
//   unit.phase unit.request unit.wavefront chip.speed (opens chip.speed.<x>) timeline.track
//   chip.go transport.loop view.heat
//   source.barrier.<line>: leaves that barrier out, or puts it back
//   hazards.put_back hazards.find_failing_order hazards.finding.<n> hazards.more hazards.wrong.<n>
//   order.round_robin order.warps order.warps_backward order.lanes
//   message.error (an error's card) help.filter
//   message.dismiss message.cancel message.fix message.fix.2 (the suggestions) help.close
//   introduction.close introduction.text inspector.phases
//   inspector.lanes.<half>.<column>: the head of a column (lane, element, place or wave)
//   phases.close phases.table phases.phase.<n> phases.warp.<n> (in place of the stage)
//   side.variables locals.<variable> (is shown in all lanes) locals.lane.<n> (is watched)
//   goto goto.field (the prompt for a tick, a line, a block, a warp or a lane)
//   files files.<n> files.field files.close (file_list.h)
//   source.edit source.edit.text .save .close .question source.find (the editor) source.begin_edit
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/draw/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The state that panels keep between frames, such as values computed once for a recording, and
// scroll positions. What is open is stored in ViewState.
class PanelMemory {
  public:
    struct Parts;  // app/panels/panel_memory.h
    PanelMemory();
    ~PanelMemory();
    // Shows a sentence until it is dismissed or some seconds have passed. If `kernel` is given and
    // the user dismissed this sentence for that kernel before, it is not shown again.
    void show_notice(std::string_view text, std::string_view kernel = {});
    // An error looks different, and a step does not end it.
    void show_error(std::string_view text);
    bool dismiss_notice();  // false: no notice was shown
    void leave_moment();    // the replay has moved on: ends a notice that is no error
    // The suggested size that Enter applies: the first, until Tab chooses the next.
    [[nodiscard]] std::size_t chosen_suggestion(const SizeSuggestions& suggestions);
    void choose_next_suggestion(const SizeSuggestions& suggestions);
    // Whether the next frames will differ: an animation runs, or another thread computes something.
    [[nodiscard]] bool working(const ViewState& view) const;
    // Opens or closes the list of files. `to_compare`: the chosen file is compared with the watched
    // recording instead of replacing it.
    void show_files(bool shown, bool to_compare = false);
    void set_recent_files(std::vector<std::filesystem::path> files);  // latest first
    void set_samples(std::vector<std::filesystem::path> files);       // programs that ship
    // Asks where to save a picture of the window.
    void ask_for_picture(const std::string& name);
    void scroll_introduction(float pages);
    // Edits a file in the place of the source; the caret stands at `line`, from 1 (0: at the
    // begin). Error: it cannot be read as text.
    [[nodiscard]] Status begin_edit(const std::filesystem::path& file, std::uint32_t line);
    void ask_for_copy(const std::string& kernel);  // where to write it as a program to edit
    [[nodiscard]] bool editing() const;
    [[nodiscard]] bool has_unsaved_edit() const;
    void note_saved_source(const Result<SourceSaved>& saved);
    void open_go_to();  // the prompt that draw_go_to() draws
    [[nodiscard]] Parts& parts() { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
};

inline constexpr std::string_view kNoBarrier =
    "This kernel has no barrier to leave out; 05 guide_ab_shared and 09 tiled have some.";

Commands draw_top_bar(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory);
// kTime: on the page "Where the time goes", each line's share of the estimated time; the line with
// the largest is marked. kReplay: the line that runs, and the costs of each.
enum class SourceShows : std::uint8_t { kReplay, kTime };
Commands draw_source(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& memory, SourceShows shows = SourceShows::kReplay);
// The current request and the kernel's counters. If a panel has no room for both, `part` selects
// one.
enum class InspectorPart : std::uint8_t { kAll, kRequest, kCounts };
[[nodiscard]] bool inspector_folds(const Look& look, float height);
Commands draw_inspector(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory, InspectorPart part = InspectorPart::kAll);
// Source and inspector as two tabs, for narrow windows and large text.
Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory);
Commands draw_timeline(const Look& look, const Rect& rect, const Workbench& workbench,
                       PanelMemory& memory);
void draw_sentence(const Look& look, const Rect& rect, const Workbench& workbench);
void draw_sentence_text(const Look& look, const Rect& rect, const Sentence& sentence);
// The editor of the program's own file, while PanelMemory::editing(). In pixels: the width in which
// most lines are seen.
[[nodiscard]] float editor_width(const Look& look);
Commands draw_source_editor(const Look& look, const Rect& rect, const Workbench& workbench,
                            PanelMemory& memory);
Commands draw_copy_dialog(const Look& look, const Rect& screen, const Workbench& workbench,
                          PanelMemory& memory);
// The variables of the watched thread, and one of them in all lanes of its warp.
Commands draw_locals(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& memory);
[[nodiscard]] bool has_locals(const Workbench& workbench);
// The list of files, while it is open. It is drawn over everything else.
Commands draw_files(const Look& look, const Rect& screen, const Workbench& workbench,
                    PanelMemory& memory);
// A table of what each thread of the watched block does in each phase. It replaces the stage.
Commands draw_phase_table(const Look& look, const Rect& rect, const Workbench& workbench,
                          PanelMemory& memory);
// The kernel's idea, what to watch, the next rung, its requirements, its sources, and the facts
// about it. Drawn while ViewState::introduction is set.
Commands draw_introduction(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory);
// The Race mode: its views in `room`, their explanation in `sentence`. Widget names:
// app/panels/race/race_views.h.
Commands draw_race_mode(const Look& look, const Rect& room, const Rect& sentence,
                        const Workbench& workbench, PanelMemory& memory);
// The Pattern lab: its views in `room`, their explanation in `sentence`. Widget names:
// app/panels/patterns/pattern_views.h.
Commands draw_pattern_lab(const Look& look, const Rect& room, const Rect& sentence,
                          const Workbench& workbench, PanelMemory& memory);
// The page "Where the time goes": its views in `room`, what limits the launch in `sentence`. Widget
// names: app/panels/time/time_views.h.
Commands draw_time_page(const Look& look, const Rect& room, const Rect& sentence,
                        const Workbench& workbench, PanelMemory& memory);
// The dialog that asks for the path of a race's file, while it is open.
Commands draw_race_dialogs(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory);
// Only the view of the current tab (RaceView::tab) and its sentence, for a saved picture.
void draw_race_view(const Look& look, const Rect& room, const Rect& sentence,
                    const Workbench& workbench, PanelMemory& memory);
// A card over the stage: the speed of the watched kernel and its counterpart, and their bank
// conflicts.
Commands draw_race_pair(const Look& look, const Rect& stage, const Workbench& workbench);
// The question of "Predict first", over the lower part of the stage. Widget names: quiz.card
// quiz.over
Commands draw_quiz(const Look& look, const Rect& stage, const Workbench& workbench);
// The prompt for a tick, a line, a block, a warp or a lane, while it is open. It is at the foot of
// the window.
Commands draw_go_to(const Look& look, const Rect& foot, const Workbench& workbench,
                    PanelMemory& memory);
// The dialog that asks where to save a picture of the window, while it is open.
Commands draw_picture_dialog(const Look& look, const Rect& screen, PanelMemory& memory);
Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench,
                   PanelMemory& memory);
// Errors, notices, suggestions and the progress of a recording. They replace the sentence in `foot`
// and extend upwards as needed.
Commands draw_message(const Look& look, const Rect& foot, const Workbench& workbench,
                      PanelMemory& memory);

}  // namespace tilereel
