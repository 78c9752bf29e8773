#pragma once
// The panels around the stage. Each reads the workbench and returns commands.
//
// Names under which their controls are registered (register_widget):
//   tab.replay tab.race tab.lessons tab.patterns
//   chip.kernel (opens chip.kernel.<id>) chip.extents chip.extents.m .n .k
//   chip.tile chip.pad chip.gpu (each opens <name>.<choice>)
//   bar.theme bar.text_larger bar.full_screen bar.help
//   bar.more: a menu that holds those of the above that did not fit
//   source.introduction source.figure source.code side.inspector side.source
//   transport.start transport.back transport.play transport.forward transport.end
//   unit.phase unit.request unit.wavefront chip.speed (opens chip.speed.<x>) timeline.track
//   chip.go transport.loop view.heat
//   source.barrier.<line>: leaves that barrier out, or puts it back
//   hazards.put_back hazards.find_harm hazards.finding.<n> hazards.more hazards.wrong.<n>
//   order.turns order.warps order.warps_backward order.lanes
//   message.dismiss message.cancel message.fix message.fix.2 (the suggestions) help.close
//   introduction.close introduction.text inspector.phases
//   inspector.lanes.<half>.<column>: the head of a column (lane, element, place or wave)
//   phases.close phases.table phases.phase.<n> phases.warp.<n> (in place of the stage)
//   side.variables locals.<variable> locals.lane.<n> (locals_memory.h)
//   goto goto.field (the prompt for a tick, a line, a block, a warp or a lane)
//   files files.<n> files.field files.close (file_list.h)
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// What the panels remember between frames, such as what was computed once for a recording, and how
// far something is scrolled. What is open is in ViewState.
class PanelMemory {
  public:
    struct Parts;  // app/panels/memory.h
    PanelMemory();
    ~PanelMemory();
    // A sentence shown until it is dismissed or some seconds have passed. With a kernel: once it
    // was dismissed, it is not shown for that kernel again.
    void show_notice(std::string_view text, std::string_view kernel = {});
    void dismiss_notice();
    bool close_notice();  // false: none is shown
    // Which of the suggested sizes Enter takes: the first, until Tab chooses the next.
    [[nodiscard]] std::size_t chosen_suggestion(const SizeSuggestions& suggestions);
    void choose_next_suggestion(const SizeSuggestions& suggestions);
    // Whether the next frames will differ: something moves, or is being computed on another thread.
    [[nodiscard]] bool working(const ViewState& view) const;
    // watch() sets the thread that is watched. take_warp() and take_lane() return the warp and the
    // lane that the user chose in a panel since their last call, if any.
    void watch(std::uint32_t warp, std::uint32_t lane);
    [[nodiscard]] std::optional<std::uint32_t> take_warp();
    [[nodiscard]] std::optional<std::uint32_t> take_lane();
    // show_files() opens or closes the list of files. take_file() returns the file that was chosen
    // there since its last call. `to_compare`: the file is compared with what is watched rather
    // than replacing it.
    void show_files(bool shown, bool to_compare = false);
    [[nodiscard]] bool file_is_to_compare() const;  // the one that take_file() gives next
    [[nodiscard]] bool shows_files() const;
    [[nodiscard]] std::optional<std::filesystem::path> take_file();
    void set_recent_files(std::vector<std::filesystem::path> files);  // the latest first
    void scroll_introduction(float pages);
    void open_go_to();  // the prompt that draw_go_to() draws
    [[nodiscard]] Parts& parts() { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
};

inline constexpr std::string_view kNoBarrier =
    "This kernel has no barrier to leave out; 05 guide_ab_shared and 09 tiled have.";

Commands draw_top_bar(const Look& look, const Rect& rect, const Workbench& workbench,
                      PanelMemory& memory);
Commands draw_source(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& memory);
// The request in flight and the kernel's counters; where one panel has no room for both, one of
// them.
enum class InspectorPart : std::uint8_t { kAll, kRequest, kCounts };
[[nodiscard]] bool inspector_folds(const Look& look, float height);
Commands draw_inspector(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory, InspectorPart part = InspectorPart::kAll);
// Source and inspector behind two tabs, for narrow windows and large text.
Commands draw_side_tabs(const Look& look, const Rect& rect, const Workbench& workbench,
                        PanelMemory& memory);
Commands draw_timeline(const Look& look, const Rect& rect, const Workbench& workbench,
                       PanelMemory& memory);
Commands draw_sentence(const Look& look, const Rect& rect, const Workbench& workbench,
                       PanelMemory& memory);
void draw_sentence_text(const Look& look, const Rect& rect, const Sentence& sentence);
// The variables of the watched thread, and one of them in all lanes of its warp.
Commands draw_locals(const Look& look, const Rect& rect, const Workbench& workbench,
                     PanelMemory& memory);
[[nodiscard]] bool has_locals(const Workbench& workbench);
// The list of files, while it is open: over everything else.
void draw_files(const Look& look, const Rect& screen, PanelMemory& memory);
// What each thread of the watched block does in each phase, in place of the stage.
Commands draw_phase_table(const Look& look, const Rect& rect, const Workbench& workbench,
                          PanelMemory& memory);
// The kernel's idea, what to watch, what comes next, what it needs, where it is from, and the facts
// about it; drawn when asked for.
Commands draw_introduction(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory);
// The Race mode: its views in `room`, what they mean in `sentence`. Control names:
// app/panels/race/race_views.h.
Commands draw_race_mode(const Look& look, const Rect& room, const Rect& sentence,
                        const Workbench& workbench, PanelMemory& memory);
// The Pattern lab: its views in `room`, what they mean in `sentence`. Control names:
// app/panels/patterns/pattern_views.h.
Commands draw_pattern_lab(const Look& look, const Rect& room, const Rect& sentence,
                          const Workbench& workbench, PanelMemory& memory);
// The dialog that asks where to save something of a race, while it is open.
Commands draw_race_dialogs(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory);
// Only the view of the chosen tab (RaceView::tab) and its sentence, for a saved picture.
void draw_race_view(const Look& look, const Rect& room, const Rect& sentence,
                    const Workbench& workbench, PanelMemory& memory);
// Over the stage: the kernel being watched and its counterpart at full speed, beside their
// conflicts.
Commands draw_race_pair(const Look& look, const Rect& stage, const Workbench& workbench);
// The question of "Predict first", over the lower part of the stage. Names: quiz.card quiz.over
Commands draw_quiz(const Look& look, const Rect& stage, const Workbench& workbench);
// The prompt that goes to a tick, a line, a block, a warp or a lane, while it is open: at the foot
// of the window.
Commands draw_go_to(const Look& look, const Rect& foot, const Workbench& workbench,
                    PanelMemory& memory);
Commands draw_help(const Look& look, const Rect& screen, const Workbench& workbench,
                   PanelMemory& memory);
// Errors, notices, offers and the progress of a recording: in place of the sentence in `foot`, and
// as far above it as they need.
Commands draw_message(const Look& look, const Rect& foot, const Workbench& workbench,
                      PanelMemory& memory);

}  // namespace tilereel
