// The column of an exercise: task, hints, checks, verdict, and where the learner's file is.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/lesson/exercise_page.h"
#include "app/panels/lesson/term_text.h"
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
        const float height = column_button_height(small_);
        row(height, [&](const Rect& row) {
            const float words =
                draw_text({row.x, row.center().y}, "Task", {Face::kRegular, small_, colors_.ink3});
            lesson({row.x + words + look_.gap(), row.y, row.w - words - look_.gap(), row.h});
        });
        space(look_.tight());
        const std::string& text = exercise_.exercise.task;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find("\n\n", at), text.size());
            explained(text.substr(at, end - at), {Face::kRegular, 1.07f * px_, colors_.ink});
            space(0.4f * px_);
            at = end + 2;
        }
    }

    // A paragraph whose terms have tips.
    void explained(const std::string& text, const TextStyle& style) {
        const TermText words(text, rect_.w, style);
        row(words.height(), [&](const Rect& row) {
            words.draw(look_, row.min());
            for (const TermText::Place& place : words.places(row.min()))
                interact(look_, name_of_word(*place.term), place.rect, place.term->meaning);
        });
    }

    // "exercise.word.sector"; further ones on the page are numbered.
    std::string name_of_word(const Term& term) {
        const auto before = std::ranges::count(named_, &term);
        named_.push_back(&term);
        return "exercise.word." + std::string(term.name) +
               (before == 0 ? "" : "." + std::to_string(before + 1));
    }

    // The lesson's name, at the right of the room.
    void lesson(const Rect& room) {
        if (exercise_.lesson_title.empty()) return;
        const std::string words = "Lesson: " + exercise_.lesson_title;
        const float width =
            std::min(room.w, text_width(words, Face::kSemiBold, small_) + 2 * look_.gap());
        if (!toggle_button(look_, "exercise.lesson", {room.right() - width, room.y, width, room.h},
                           words, small_, false,
                           "Open the lesson that explains it (L); Escape leads back"))
            return;
        commands.push_back(CloseExercise{});
        commands.push_back(OpenLesson{exercise_.exercise.lesson});
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
            if (text_button(
                    look_, "exercise.hint", {row.x, row.y, width, height}, words, false,
                    exercise_.offers_advice() ? "Show the next hint" : "Show the next hint (H)"))
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
        const std::string says = counts && !check.where.empty() ? as_sentence(check.where)
                                 : check.advice.empty()         ? check.sentence
                                                                : as_sentence(check.sentence);
        const std::string advice = check.shows_advice ? as_sentence(check.advice) : "";
        const bool offers = index && !check.advice.empty() && !check.shows_advice;
        const StyledLines figure(pieces, width, px_, 1.2f);
        const TextStyle words{Face::kSemiBold, px_, colors_.ink};
        const TextStyle sentence{Face::kRegular, small_, failed ? colors_.ink : colors_.ink2};
        const TermText title(check.words, width, words), told(says, width, sentence),
            told_advice(advice, width, {Face::kRegular, small_, colors_.ink});
        const float head = title.height();
        const float middle = counts ? figure.height() : 0;
        const float text = says.empty() ? 0 : told.height();
        const float button = offers ? column_button_height(px_) : 0;
        const float below = (offers ? button + look_.tight() : 0) +
                            (advice.empty() ? 0 : told_advice.height() + look_.tight());
        const float top = y_;
        row(head + middle + text + below + 1.5f * pad, [&](const Rect& card) {
            const bool is_chosen = index && exercise_.chosen == index;
            const ImVec2 of_title{card.x + left, card.y + 0.75f * pad};
            const ImVec2 of_text{of_title.x, of_title.y + head + middle};
            const ImVec2 of_advice{of_title.x, of_text.y + text + look_.tight()};
            // The card is clicked above the button that it has.
            const Rect clicked{card.x, card.y, card.w,
                               (offers ? of_advice.y : card.bottom()) - card.y};
            std::string_view tip = title.meaning_at_mouse(of_title);
            if (tip.empty()) tip = told.meaning_at_mouse(of_text);
            if (tip.empty()) tip = told_advice.meaning_at_mouse(of_advice);
            if (tip.empty()) tip = "Show the moment that it is about (Enter)";
            const Interaction touched =
                index ? interact(look_, "exercise.check." + std::to_string(*index), clicked, tip)
                      : Interaction{};
            for (const TermText::Place& term : title.places(of_title)) {
                const std::string name = name_of_word(*term.term);
                if (index)
                    register_seen(name, term.rect);
                else
                    interact(look_, name, term.rect, term.term->meaning);
            }
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
            draw_check_mark(look_, {card.x + pad + 0.9f * px_, card.y + 0.75f * pad + head / 2},
                            0.62f * px_, check.state);
            title.draw(look_, of_title);
            if (counts) figure.draw({of_title.x, of_title.y + head});
            told.draw(look_, of_text);
            told_advice.draw(look_, of_advice);
            if (touched.clicked) commands.push_back(ShowCheck{*index});
            const Rect place{of_advice.x, of_advice.y, button_width(kAdvice, px_), button};
            if (offers &&
                text_button(look_, "exercise.advice." + std::to_string(*index), place, kAdvice,
                            false, is_chosen ? "Show what to do (H)" : "Show what to do"))
                commands.push_back(OpenAdvice{*index});
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

    static constexpr const char* kAdvice = "What to do";

    const Workbench& workbench_;
    const OpenedExercise& exercise_;
    const Palette& colors_;
    const float small_;
    std::vector<const Term*> named_;  // terms with a tip, in the order of the page
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
    const auto advice = static_cast<std::size_t>(
        std::ranges::count(exercise.rows, true, &ExerciseRow::shows_advice));
    const bool reveals = new_verdict || advice > memory.advice ||
                         (exercise.chosen_by_user && memory.chosen != exercise.chosen);
    memory.advice = advice;
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
