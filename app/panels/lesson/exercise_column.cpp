// The column of an exercise: task, hints, checks, verdict, and where the learner's file is.
#include <algorithm>
#include <array>
#include <string>

#include "app/panels/lesson/exercise_page.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/tab_row.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"
#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

using State = ExerciseRow::State;

class ExerciseColumn : public Column {
  public:
    ExerciseColumn(const Look& look, const Rect& rect, const Workbench& workbench)
        : Column(look, rect),
          workbench_(workbench),
          exercise_(*workbench.exercises().exercise()),
          colors_(look.colors()),
          small_(type_px(look, 13)) {}

    float draw() {
        for (const FileMistake& mistake : exercise_.mistakes)
            paragraph("The exercise's own file, line " + std::to_string(mistake.line) + ": " +
                          mistake.sentence,
                      Face::kRegular, colors_.conflict);
        verdict();
        task();
        hints();
        rule();
        space(look_.wide());
        checks();
        file();
        return height();
    }

    Commands commands;
    Rect chosen{};  // where the chosen row is; empty: none is

  private:
    void label(std::string_view words) {
        caption(words, {Face::kRegular, small_, colors_.ink3}, 0.7f * small_, 1.6f * small_);
    }

    // What has changed, and the next exercise. Only once all checks pass.
    void verdict() {
        if (!exercise_.all_passed() || exercise_.judging) return;
        const std::string more =
            exercise_.changes.empty()
                ? ""
                : " Since the file that was handed out: " + exercise_.changes + ".";
        const auto next = workbench_.exercises().beside(1);
        const float pad = look_.wide(), width = rect_.w - 2 * pad;
        const std::array<StyledText, 2> pieces = {
            StyledText{"All checks pass.", Face::kBold, colors_.ink},
            StyledText{more, Face::kRegular, colors_.ink}};
        const StyledLines lines(pieces, width, px_);
        const float button = next ? column_button_height(px_) + look_.gap() : 0;
        row(lines.height() + button + 2 * look_.gap(), [&](const Rect& card) {
            draw_box(card, colors_.c_tint, colors_.c, look_.frame(), look_.corner());
            lines.draw({card.x + pad, card.y + look_.gap()});
            if (!next) return;
            const float h = column_button_height(px_);
            const std::string words = "Next exercise";
            const Rect place{card.x + pad, card.bottom() - look_.gap() - h,
                             button_width(words, px_), h};
            if (text_button(look_, "exercise.next", place, words, false,
                            "Open " + next->stem().string() + " (Enter or N)"))
                commands.push_back(OpenExercise{*next});
        });
        space(look_.wide());
    }

    void task() {
        label("Task");
        const std::string& text = exercise_.exercise.task;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find("\n\n", at), text.size());
            paragraph(text.substr(at, end - at), {Face::kRegular, 1.07f * px_, colors_.ink});
            space(0.4f * px_);
            at = end + 2;
        }
    }

    void hints() {
        const std::vector<std::string>& all = exercise_.exercise.hints;
        for (std::size_t i = 0; i < exercise_.hints; ++i) {
            styled({{"Hint " + std::to_string(i + 1) + ". ", Face::kSemiBold, colors_.accent},
                    {all[i], Face::kRegular, colors_.ink}},
                   px_);
            space(0.2f * px_);
        }
        if (exercise_.hints >= all.size()) return space(look_.gap());
        space(look_.tight());
        const std::string words = exercise_.hints == 0 ? "Hint" : "Next hint";
        const float height = column_button_height(px_), width = button_width(words, px_);
        row(height, [&](const Rect& row) {
            if (text_button(look_, "exercise.hint", {row.x, row.y, width, height}, words, false,
                            "Show the next hint (H)"))
                commands.push_back(OpenHint{});
            draw_text_fit({row.x + width + look_.wide(), row.center().y},
                          row.w - width - look_.wide(),
                          std::to_string(exercise_.hints + 1) + " of " +
                              std::to_string(all.size()) + ", costs nothing",
                          {Face::kRegular, small_, colors_.ink3});
        });
        space(look_.wide());
    }

    [[nodiscard]] std::string state_text() const {
        if (exercise_.judging) return "Checking\xe2\x80\xa6";
        if (exercise_.judged_at.empty()) return {};
        return "checked " + exercise_.judged_at + " in " +
               printed(exercise_.seconds < 9.95 ? "%.1f s" : "%.0f s", exercise_.seconds);
    }

    [[nodiscard]] std::string points_text() const {
        if (exercise_.most_points == 0) return {};
        return ", " + std::to_string(exercise_.points) + " of " +
               std::to_string(exercise_.most_points) +
               (exercise_.most_points == 1 ? " point" : " points");
    }

    void checks() {
        const std::string passed = exercise_.refused || !exercise_.judged()
                                       ? ""
                                       : std::to_string(exercise_.passed()) + " of " +
                                             std::to_string(exercise_.rows.size()) + " passed" +
                                             points_text();
        row(1.8f * px_, [&](const Rect& row) {
            const float words = draw_text({row.right(), row.center().y}, passed,
                                          {Face::kSemiBold, px_, colors_.ink, Align::kRight});
            draw_text_fit({row.x, row.center().y}, row.w - words - look_.gap(),
                          exercise_.refused ? "Why it was not checked" : "Checks",
                          {Face::kRegular, small_, colors_.ink3});
        });
        if (!exercise_.problem.empty())
            paragraph(exercise_.problem, Face::kRegular, colors_.conflict);
        if (!exercise_.judged() && exercise_.problem.empty())
            for (const Requirement& each : exercise_.exercise.checks)
                check({.words = each.words, .sentence = {}, .counted = {}, .wanted = {}}, {});
        for (std::size_t i = 0; i < exercise_.rows.size(); ++i) check(exercise_.rows[i], i);
        if (!exercise_.moment_problem.empty())
            paragraph("Its moment cannot be shown: " + exercise_.moment_problem + ".",
                      Face::kRegular, colors_.ink2);
        status();
    }

    void status() {
        const std::string words = state_text();
        const float height = column_button_height(px_);
        space(look_.tight());
        row(height, [&](const Rect& row) {
            const float button = button_width("Check", px_);
            if (text_button(look_, "exercise.judge", {row.right() - button, row.y, button, height},
                            "Check", false, "Check your file now (J); saving it does the same"))
                commands.push_back(JudgeExercise{});
            draw_text_fit(
                {row.x, row.center().y}, row.w - button - look_.gap(), words,
                {Face::kSemiBold, small_, exercise_.judging ? colors_.accent : colors_.ink2});
        });
        if (exercise_.judged() && !exercise_.refused) {
            const std::string sizes =
                (exercise_.sizes.empty() ? "" : "Shown: " + exercise_.sizes + ". ") +
                "Sizes and inputs are drawn with seed " + std::to_string(exercise_.seed) + ".";
            paragraph(sizes, {Face::kRegular, small_, colors_.ink3});
        }
        space(look_.wide());
    }

    // The mark of a row: a filled disc with a tick, or a dashed ring.
    void mark(ImVec2 center, State state) const {
        const float radius = 0.62f * px_;
        if (state == State::kPassed) {
            draw_list()->AddCircleFilled(center, radius, colors_.c, 24);
            draw_icon(Icon::kDone, center, 1.1f * radius, colors_.on, look_.hair());
            return;
        }
        const ImU32 color = state == State::kFailed ? colors_.ink : colors_.ink3;
        constexpr int kDashes = 8;
        constexpr float kTurn = 6.28318531f;
        for (int i = 0; i < kDashes; ++i) {
            const float from = kTurn * static_cast<float>(i) / kDashes;
            draw_list()->PathArcTo(center, radius, from, from + 0.6f * kTurn / kDashes, 4);
            draw_list()->PathStroke(color, 0, look_.frame());
        }
    }

    // `index`: of the row; nullopt: the check was not judged yet.
    void check(const ExerciseRow& check, std::optional<std::size_t> index) {
        const float pad = look_.gap(), left = 2.1f * px_ + pad;
        const float width = rect_.w - left - pad;
        const bool failed = check.state == State::kFailed;
        std::vector<StyledText> pieces;
        if (failed && !check.counted.empty()) {
            pieces.push_back({check.counted, Face::kBold, colors_.conflict, 1.5f * px_});
            pieces.push_back({"  " + check.wanted, Face::kRegular, colors_.ink2});
        }
        const bool counts = !pieces.empty();
        const std::string says =
            counts && !check.where.empty() ? as_sentence(check.where) : check.sentence;
        const StyledLines figure(pieces, width, px_, 1.2f);
        const TextStyle words{Face::kSemiBold, px_, colors_.ink};
        const TextStyle sentence{Face::kRegular, small_, failed ? colors_.ink : colors_.ink2};
        const float head = paragraph_height(check.words, width, words);
        const float middle = counts ? figure.height() : 0;
        const float text = says.empty() ? 0 : paragraph_height(says, width, sentence);
        const float top = y_;
        row(head + middle + text + 1.5f * pad, [&](const Rect& card) {
            const bool is_chosen = index && exercise_.chosen == index;
            const Interaction touched =
                index ? interact(look_, "exercise.check." + std::to_string(*index), card,
                                 "Show the moment that it is about (Enter)")
                      : Interaction{};
            const ImU32 fill = check.state == State::kPassed ? colors_.c_tint
                               : touched.hovered             ? colors_.raised
                                                             : colors_.panel;
            fill_rect(card, fill, look_.corner());
            if (check.state == State::kPassed)
                stroke_rect(card, colors_.c, look_.frame(), look_.corner());
            else
                dashed_rect(card, failed ? colors_.ink2 : colors_.line, look_.frame(),
                            look_.tight());
            if (is_chosen) {
                stroke_rect(card, colors_.accent, look_.hair(), look_.corner());
                fill_rect({card.x, card.y, look_.tight(), card.h}, colors_.accent, look_.hair());
                chosen = card;
            }
            mark({card.x + pad + 0.9f * px_, card.y + 0.75f * pad + head / 2}, check.state);
            float y = card.y + 0.75f * pad;
            y += draw_paragraph({card.x + left, y}, width, check.words, words);
            if (counts) figure.draw({card.x + left, y});
            y += middle;
            if (!says.empty()) draw_paragraph({card.x + left, y}, width, says, sentence);
            if (touched.clicked) commands.push_back(ShowCheck{*index});
        });
        if (measures() && index && exercise_.chosen == index)
            chosen = {rect_.x, top, rect_.w, y_ - top};
        space(look_.snug());
    }

    void file() {
        label("Your file; save it, and it is checked");
        const float height = column_button_height(px_);
        paragraph(exercise_.copy.string(), {Face::kMono, small_, colors_.ink2});
        space(look_.tight());
        row(height, [&](const Rect& row) {
            register_widget("exercise.path", row);
            const float button = button_width("Copy path", px_);
            if (text_button(look_, "exercise.copy", {row.x, row.y, button, height}, "Copy path",
                            false, "Copy the path of your file (C)"))
                ImGui::SetClipboardText(exercise_.copy.c_str());
        });
        if (!exercise_.exercise.rung.empty() && exercise_.all_passed())
            paragraph("On the ladder: " + exercise_.exercise.rung + ".",
                      {Face::kRegular, small_, colors_.ink3});
        space(look_.gap());
    }

    const Workbench& workbench_;
    const OpenedExercise& exercise_;
    const Palette& colors_;
    const float small_;
};

Commands draw_task(const Look& look, const Rect& rect, const Workbench& workbench,
                   ExerciseMemory& memory) {
    const OpenedExercise& exercise = *workbench.exercises().exercise();
    const Rect room = rect.inset(look.wide());
    register_widget("exercise.column", room);
    Commands commands;
    if (memory.file != exercise.file) memory = {.file = exercise.file};
    memory.page = room.h;
    // The verdict comes at the top.
    if (exercise.all_passed() && !memory.passed) memory.scroll = 0;
    memory.passed = exercise.all_passed();
    // So does the check that fails after a save; the first verdict leaves the task in view.
    const bool new_verdict =
        memory.verdicts > 0 && memory.verdicts != exercise.verdicts && !exercise.all_passed();
    const bool reveals =
        new_verdict || (exercise.chosen_by_user && memory.chosen != exercise.chosen);
    memory.chosen = exercise.chosen;
    memory.verdicts = exercise.verdicts;
    Rect chosen;
    float top = room.y;
    scrolled(look, room, memory.scroll, [&](const Rect& place) {
        ExerciseColumn column(look, place, workbench);
        const float height = column.draw();
        append(commands, column.commands);
        chosen = column.chosen;
        top = place.y;
        return height;
    });
    // A row that was just chosen is scrolled to, in the next frame.
    if (reveals && chosen.h > 0) {
        const float from = chosen.y - top, until = from + chosen.h;
        memory.scroll = std::clamp(memory.scroll, std::max(0.0f, until - room.h + look.gap()),
                                   std::max(0.0f, from - look.gap()));
    }
    return commands;
}

}  // namespace

Commands draw_exercise_column(const Look& look, const Rect& rect, const Workbench& workbench,
                              PanelMemory& memory) {
    draw_card(look, rect);
    // Escape leads to the list, where this exercise is chosen.
    LessonMemory& list = memory.parts().lesson;
    list.shows_exercises = true;
    list.exercises.chosen = workbench.exercises().number().value_or(0);
    if (!look.narrow) return draw_task(look, rect, workbench, memory.parts().exercise);
    constexpr std::array<PanelTab, 2> kTabs = {
        {{{"Exercise", "exercise", "Task, hints and checks (S)"}, SideTab::kRequest},
         {{"Source", "source", "Your file as it was checked last (S)"}, SideTab::kSource}}};
    Commands commands;
    const bool source = workbench.view().tab == SideTab::kSource;
    const Rect room =
        draw_tab_row(look, rect, kTabs, source ? SideTab::kSource : SideTab::kRequest, commands);
    if (source && shows_judged_run(workbench))
        append(commands, draw_source(look, room, workbench, memory));
    else
        append(commands, draw_task(look, room, workbench, memory.parts().exercise));
    return commands;
}

}  // namespace tilereel
