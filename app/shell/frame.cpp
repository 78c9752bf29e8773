#include "app/shell/frame.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/panels/lesson/exercise_page.h"
#include "app/panels/lesson/lesson_page.h"
#include "app/panels/overlay/help.h"
#include "app/panels/panel_memory.h"
#include "app/panels/presenter/presenter.h"
#include "app/panels/source/program_panel.h"
#include "app/panels/timeline/former_replay.h"
#include "app/shell/compare_frame.h"
#include "app/shell/shortcuts.h"
#include "app/ui/widgets/controls.h"

namespace tilereel {
namespace {

// A borderless full-screen window in the background colour.
void begin_window(const Look& look, ImVec2 size) {
    style_imgui(look);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("Tilereel", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBackground);
    // fill_rect() clears a large opaque area instead of blending it. On a software renderer
    // blending would take a third of the frame.
    fill_rect({0, 0, size.x, size.y}, look.colors().bg);
}

// Draws the open program at the top of `rect`; returns the rest of `rect`.
Rect below_program(const Look& look, const Rect& rect, const Workbench& workbench,
                   PanelMemory& memory, Commands& commands) {
    const float height = program_height(look, rect.w, rect.h, workbench, memory);
    if (height <= 0) return rect;
    append(commands, draw_program(look, {rect.x, rect.y, rect.w, height}, workbench, memory));
    const float top = height + look.px(8);
    return {rect.x, rect.y + top, rect.w, rect.h - top};
}

// While a file is edited its column is wider. In a narrow window the editor has the panel's place
// and a part of the stage or, with large text, all of the stage and of the timeline.
void make_room_for_editor(const Look& look, FrameLayout& layout) {
    if (look.narrow) {
        constexpr float kLeastStage = 520;  // units
        const Rect all{layout.stage.x, layout.stage.y, layout.side.right() - layout.stage.x,
                       layout.stage.h};
        const float editor = std::round(editor_width(look)), gap = look.px(8);
        layout.side = {all.x, all.y, editor, all.h};
        layout.stage = {layout.side.right() + gap, all.y, all.w - editor - gap, all.h};
        if (layout.stage.w >= look.px(kLeastStage)) return;
        layout.side = {all.x, all.y, all.w, layout.timeline.bottom() - all.y};
        layout.stage = layout.timeline = {};
        return;
    }
    const float most = 0.5f * (layout.stage.right() - layout.source.x);
    const float wider =
        std::max(0.0f, std::round(std::min(editor_width(look), most)) - layout.source.w);
    layout.source.w += wider;
    layout.stage.x += wider;
    layout.stage.w -= wider;
}

Commands draw_replay_mode(const Workbench& workbench, FrameState& state, const Look& look,
                          FrameLayout layout) {
    Commands commands;
    const bool edits = state.panels.editing() && !workbench.view().presenting;
    if (edits) make_room_for_editor(look, layout);
    if (layout.stage.w > 0)
        append(commands, workbench.view().phase_table
                             ? draw_phase_table(look, layout.stage, workbench, state.panels)
                             : draw_stage(look, layout.stage, workbench, state.stage));
    std::vector<Rect> of_replay;
    if (layout.stage.w > 0) of_replay = {layout.stage, layout.timeline};
    if (workbench.view().presenting) {
        // Only the stage is shown.
    } else if (edits && look.narrow) {
        append(commands, draw_source_editor(look, layout.side, workbench, state.panels));
    } else if (look.narrow) {
        const Rect side = below_program(look, layout.side, workbench, state.panels, commands);
        if (workbench.view().tab != SideTab::kSource) of_replay.push_back(side);
        append(commands, draw_side_tabs(look, side, workbench, state.panels));
    } else {
        const Rect source = below_program(look, layout.source, workbench, state.panels, commands);
        append(commands, edits ? draw_source_editor(look, source, workbench, state.panels)
                               : draw_source(look, source, workbench, state.panels));
        append(commands, draw_inspector(look, layout.inspector, workbench, state.panels));
        of_replay.push_back(layout.inspector);
    }
    if (!workbench.view().presenting && layout.timeline.w > 0)
        append(commands, draw_timeline(look, layout.timeline, workbench, state.panels));
    draw_former_replay(look, of_replay, workbench, state.panels);
    draw_sentence(look, layout.sentence, workbench);
    if (layout.stage.w <= 0) return commands;
    append(commands, draw_race_pair(look, layout.stage, workbench));
    append(commands, draw_quiz(look, layout.stage, workbench));
    return commands;
}

// `room`: below the bar.
Commands draw_exercise_mode(const Workbench& workbench, FrameState& state, const Look& look,
                            const FrameLayout& layout, const Rect& room) {
    const float gap = look.px(8);
    ExerciseLayout parts =
        exercise_layout(look, {room.x, room.y, room.w, layout.timeline.y - gap - room.y});
    Commands commands = draw_exercise_head(look, parts.head, workbench);
    // The editor has the timeline's room, too.
    if (state.panels.editing()) parts.column.h = layout.timeline.bottom() - parts.column.y;
    append(commands, draw_exercise_column(look, parts.column, workbench, state.panels));
    if (state.panels.editing()) {
        const float left = parts.column.right() + gap, right = parts.stage.right();
        append(commands,
               draw_source_editor(look, {left, parts.column.y, right - left, parts.column.h},
                                  workbench, state.panels));
        if (shows_judged_run(workbench)) draw_sentence(look, layout.sentence, workbench);
        return commands;
    }
    if (!shows_judged_run(workbench)) {
        const Rect rest{parts.column.right() + gap, parts.stage.y,
                        parts.stage.right() - parts.column.right() - gap,
                        layout.sentence.bottom() - parts.stage.y};
        draw_exercise_waits(look, rest, workbench);
        return commands;
    }
    if (parts.source.w > 0)
        append(commands, draw_source(look, parts.source, workbench, state.panels));
    append(commands, draw_stage(look, parts.stage, workbench, state.stage));
    append(commands, draw_timeline(look, layout.timeline, workbench, state.panels));
    draw_sentence(look, layout.sentence, workbench);
    return commands;
}

// A scene fills the window. The list of lessons, and the mistakes of a lesson, are below the bar.
Commands draw_lessons_mode(const Workbench& workbench, FrameState& state, const Look& look,
                           const Rect& screen, const Rect& room) {
    const LessonPage page = lesson_page(workbench);
    if (page == LessonPage::kMistakes) {
        draw_lesson_mistakes(look, room, *workbench.lessons().lesson());
        return {};
    }
    if (page != LessonPage::kScene) return draw_lesson_list(look, room, workbench, state.panels);
    const LessonLayout layout = lesson_layout(look, screen, workbench);
    Commands commands;
    if (layout.shows_stage) {
        const Rect& picture = layout.picture;
        const LockStep* const steps = workbench.lock_step();
        const bool pair = layout.compares && steps != nullptr && steps->ticks() > 0;
        const float gap = look.px(8), half = std::floor((picture.w - gap) / 2);
        Look smaller = look, heads = look;
        heads.narrow = false;  // each head has two lines and a large figure
        heads.text = std::min(look.text, kLessonStageText);
        const bool wide = (pair ? half : picture.w) >= look.px(kWideLessonStage);
        const float most = !pair  ? (wide ? kWideLessonStageText : kLessonStageText)
                           : wide ? kLessonStageText
                                  : 1.0f;
        smaller.text = std::min(look.text, most);
        if (pair)
            append(commands,
                   draw_compared_pictures(heads, workbench,
                                          {state.stage,
                                           state.other_stage,
                                           smaller,
                                           {picture.x, picture.y, half, picture.h},
                                           {picture.right() - half, picture.y, half, picture.h}}));
        else
            append(commands, draw_stage(smaller, picture, workbench, state.stage));
    }
    draw_lesson_scene(look, screen, workbench, state.panels, state.for_picture);
    return commands;
}

Commands draw_mode(const Workbench& workbench, FrameState& state, const Look& look,
                   const FrameLayout& layout, const Rect& screen) {
    const WindowMode mode = workbench.view().mode;
    if (mode == WindowMode::kReplay) return draw_replay_mode(workbench, state, look, layout);
    const float gap = look.px(8), top = layout.bar.bottom() + gap;
    if (mode == WindowMode::kLessons && workbench.exercises().exercise() != nullptr)
        return draw_exercise_mode(workbench, state, look, layout,
                                  {gap, top, screen.w - 2 * gap, screen.h - top - gap});
    if (mode == WindowMode::kLessons)
        return draw_lessons_mode(workbench, state, look, screen,
                                 {gap, top, screen.w - 2 * gap, screen.h - top - gap});
    const Rect room{gap, top, screen.w - 2 * gap, layout.sentence.y - gap - top};
    if (mode == WindowMode::kPatterns)
        return draw_pattern_lab(look, room, layout.sentence, workbench, state.panels);
    if (mode == WindowMode::kTime)
        return draw_time_page(look, room, layout.sentence, workbench, state.panels);
    return draw_race_mode(look, room, layout.sentence, workbench, state.panels);
}

// Whether only the content is drawn, without bars: in a scene, and while presenting.
bool hides_bar(const Workbench& workbench) {
    const ViewState& view = workbench.view();
    return view.presenting ||
           (view.mode == WindowMode::kLessons && lesson_page(workbench) == LessonPage::kScene);
}

void note(const Commands& commands, const FrameState& state) {
    if (state.log == nullptr) return;
    for (const Command& command : commands) state.log->note(state.commands_at, command);
}

// Whether what the key does depends on the replay's position.
bool asks_where_it_is(const KeyPress& press) {
    constexpr std::u32string_view kCharacters = U"ngeyj";
    return press.key == Key::kJumpBack || press.key == Key::kJumpForward ||
           press.key == Key::kSavePicture || press.key == Key::kCopy ||
           (press.key == Key::kCharacter && kCharacters.find(press.character) != kCharacters.npos);
}

// Alt+Left and Alt+Right. Returns false for other keys.
bool goes_through_jumps(const KeyPress& press, Workbench& workbench, FrameState& state) {
    const bool back = press.key == Key::kJumpBack;
    if (!back && press.key != Key::kJumpForward) return false;
    const bool in_lessons = workbench.view().mode == WindowMode::kLessons;
    if (back && in_lessons) {
        apply_in_frame({LeaveLesson{}}, workbench, state);
        return true;
    }
    if (workbench.view().mode != WindowMode::kReplay || workbench.replay() == nullptr) return true;
    state.panels.leave_moment();
    Commands commands = state.jumps.go(workbench, back ? -1 : 1);
    if (back && commands.empty() && shows_replay_of_scene(workbench))
        commands.push_back(LeaveLesson{});
    note(commands, state);
    workbench.apply(commands);
    if (commands.empty())
        state.panels.show_notice(back ? "No jump to go back from" : "No jump to go forward to");
    return true;
}

// Characters typed while the menu opens go to it.
void open_context(std::optional<ContextMenu> menu, FrameState& state) {
    if (!menu) return;
    state.context = std::move(menu);
    claim_keys("context", KeysOf::kWaiting);
}

}  // namespace

Commands apply_in_frame(const Commands& commands, Workbench& workbench, FrameState& state) {
    note(commands, state);
    if (leaves_the_moment(commands)) state.panels.leave_moment();
    state.jumps.apply(workbench, commands);
    Commands of_window;
    std::ranges::copy_if(commands, std::back_inserter(of_window), &Command::is_of_window);
    return of_window;
}

Commands draw_frame(Workbench& workbench, FrameState& state, const Look& look) {
    Commands of_window;
    state.seconds = look.now_seconds;
    state.commands_at = look.now_seconds - look.frame_seconds;
    const std::span<const KeyPress> keys = keys_of_frame();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool helped = workbench.view().help;
        if (workbench.view().mode == WindowMode::kReplay && asks_where_it_is(keys[i]))
            apply_in_frame({FinishStep{}}, workbench, state);
        if (keys[i].key == Key::kMenu)
            open_context(context_menu_by_key({workbench, state.stage, state.panels}), state);
        else if (!goes_through_jumps(keys[i], workbench, state))
            append(of_window,
                   apply_in_frame(commands_of_key(keys[i], workbench, state.stage, state.panels),
                                  workbench, state));
        if (workbench.view().help && !helped) claim_keys(kHelpFilter, KeysOf::kWaiting);
        if (!keys_claimed()) continue;
        give_back_keys(keys.subspan(i + 1));  // they belong to the control that opens
        break;
    }
    workbench.advance(look.frame_seconds);
    state.commands_at = look.now_seconds;

    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const std::size_t rows =
        rows_of(workbench.replay(), state.panels.parts().timeline.rows).needed();
    const FrameLayout layout = workbench.view().presenting ? layout_presented(look, size.x, size.y)
                                                           : layout_of(look, size.x, size.y, rows);
    const Rect screen{0, 0, size.x, size.y};
    Commands commands;
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    if (takes_pointer(workbench.view())) ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    begin_window(look, size);
    forget_pointed(state.stage, state.panels);
    if (state.race_view_only) {
        const Rect& foot = layout.sentence;
        draw_race_view(look, {foot.x, foot.x, foot.w, foot.y - 2 * foot.x}, foot, workbench,
                       state.panels);
        ImGui::End();
        ImGui::GetIO().MousePos = pointer;
        return of_window;
    }
    if (!hides_bar(workbench))
        append(commands, draw_top_bar(look, layout.bar, workbench, state.panels));
    const LockStep* steps = workbench.lock_step();
    if (workbench.view().mode == WindowMode::kReplay && steps != nullptr && steps->ticks() > 0) {
        const float gap = look.px(8), top = layout.stage.y;
        append(commands,
               draw_compare_mode(look, workbench,
                                 {state.stage,
                                  state.other_stage,
                                  state.panels,
                                  {gap, top, size.x - 2 * gap, layout.timeline.y - gap - top},
                                  layout.timeline,
                                  layout.sentence}));
    } else {
        append(commands, draw_mode(workbench, state, look, layout, screen));
    }
    if (ImGui::IsMouseClicked(1) && ImGui::IsWindowHovered() && !keys_claimed())
        open_context(context_menu_at({workbench, state.stage, state.panels}, pointer), state);
    append(commands, draw_context_menu(look, state.context));
    ImGui::End();
    append(commands, draw_introduction(look, screen, workbench, state.panels));
    append(commands, draw_go_to(look, layout.sentence, workbench, state.panels));
    append(commands, draw_help(look, screen, workbench, state.panels));
    append(commands, draw_race_dialogs(look, screen, workbench, state.panels));
    append(commands, draw_picture_dialog(look, screen, state.panels));
    append(commands, draw_copy_dialog(look, screen, workbench, state.panels));
    append(commands, draw_files(look, screen, workbench, state.panels));
    if (!state.for_picture)
        append(commands, draw_message(look, layout.sentence, workbench, state.panels));
    draw_presenter(look, screen, workbench.view(), pointer, state.panels.parts().presenter);
    ImGui::GetIO().MousePos = pointer;
    append(of_window, apply_in_frame(commands, workbench, state));
    return of_window;
}

}  // namespace tilereel
