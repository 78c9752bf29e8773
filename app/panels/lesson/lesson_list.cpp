// The list of lessons and of exercises, and the errors of a lesson that was opened.
#include <algorithm>
#include <array>
#include <string>

#include "app/exercise/read_exercise.h"
#include "app/panels/lesson/lesson_page.h"
#include "app/panels/lesson/lesson_parts.h"
#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/panels/tab_row.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

// Titles and descriptions are read once for each list of files, not in every frame. `read(file)`:
// the lesson or the exercise.
template <class Read>
void read_titles(LearnList& list, const std::vector<std::filesystem::path>& files, Read&& read) {
    if (list.listed == files) return;
    list.listed = files;
    list.entries.clear();
    for (const std::filesystem::path& file : files) {
        const auto listed = read(file);
        list.entries.push_back(
            {listed.title.empty() ? file.stem().string() : listed.title, listed.about});
    }
}

class ListColumn : public Column {
  public:
    // `titles_w`: if not 0, the description stands beside the title, so that both can be larger.
    ListColumn(const Look& look, const Rect& rect, float px, float titles_w)
        : Column(look, rect, px), titles_w_(titles_w) {}

    // True when clicked. `mark`: a word at the right; may be empty.
    bool entry(const std::string& name, const LearnList::Entry& entry, bool chosen,
               std::string_view mark) {
        const float pad = 0.6f * px_, room = rect_.w - 2 * pad;
        const TextStyle style = about_style(look_, px_);
        const bool beside = titles_w_ > 0;
        const float height =
            beside ? 1.8f * px_ : paragraph_height(entry.about, room, style) + 2.4f * px_;
        bool clicked = false;
        row(height, [&](const Rect& row) {
            const Palette& colors = look_.colors();
            const Interaction touched = interact(look_, name, row, "");
            fill_rect(row, colors.panel, look_.corner());
            draw_row_mark(look_, row, chosen, touched.hovered);
            const float y = beside ? row.center().y : row.y + 1.1f * px_;
            draw_text({row.x + pad, y}, entry.title, {Face::kSemiBold, px_, colors.ink});
            const float marked =
                mark.empty() ? 0
                             : draw_text({row.right() - pad, y}, mark,
                                         {Face::kSemiBold, 0.85f * px_, colors.c, Align::kRight}) +
                                   px_;
            if (beside)
                draw_text_fit({row.x + pad + titles_w_, y}, room - titles_w_ - marked, entry.about,
                              style);
            else
                draw_paragraph({row.x + pad, row.y + 1.8f * px_}, room, entry.about, style);
            clicked = touched.clicked;
        });
        space((beside ? 0.3f : 0.4f) * px_);
        return clicked;
    }
    static TextStyle about_style(const Look& look, float px) {
        return {Face::kRegular, 0.85f * px, look.colors().ink2};
    }

  private:
    float titles_w_;
};

// The width of the titles and the gap after them.
float width_of_titles(const std::vector<LearnList::Entry>& entries, float px) {
    float widest = 0;
    for (const LearnList::Entry& entry : entries)
        widest = std::max(widest, text_width(entry.title, Face::kSemiBold, px));
    return widest + px;
}

// The largest size up to `most` at which title and description of each entry fit beside each other,
// and a mark after them.
float px_beside(const Look& look, const std::vector<LearnList::Entry>& entries, const Rect& rect,
                float most, bool marks) {
    constexpr float kSpare = 1.02f;  // widths of letters are whole pixels
    if (entries.empty()) return 0;
    const TextStyle style = ListColumn::about_style(look, most);
    float about = 0;
    for (const LearnList::Entry& entry : entries)
        about = std::max(about, text_width(entry.about, style));
    if (marks) about += text_width("passed", Face::kSemiBold, style.px) + most;
    const float wide = kSpare * (width_of_titles(entries, most) + about + 1.2f * most);
    const float tall = 2.1f * most * static_cast<float>(entries.size());
    return most * std::min({1.0f, rect.w / wide, rect.h / tall});
}

// Two tabs, where exercises ship. Returns the room below them.
Rect draw_list_tabs(const Look& look, const Rect& rect, LessonMemory& kept) {
    constexpr std::array<TabWord, 2> kLists = {
        {{"Lessons", "lessons", "What a lecturer shows (Left, Right)"},
         {"Exercises", "exercises", "What a learner changes, and what is checked (Left, Right)"}}};
    const float px = type_px(look, 22), height = 1.8f * px;
    const int clicked = draw_tabs(look, "learn", {rect.x, rect.y, rect.w, height}, kLists,
                                  kept.shows_exercises ? 1 : 0, {px, look.px(32)});
    if (clicked >= 0) kept.shows_exercises = clicked == 1;
    return {rect.x, rect.y + height + 0.6f * px, rect.w, rect.h - height - 0.6f * px};
}

// "passed" or "begun"; empty for a lesson and for an exercise that is new.
std::string_view mark_of(const LessonMemory& kept, const ExerciseProgress& progress,
                         const std::filesystem::path& file) {
    if (!kept.shows_exercises) return {};
    const auto known = progress.find(progress_name(file));
    if (known == progress.end()) return {};
    return known->second.passed ? "passed" : "begun";
}

// The entries in the largest font with which all of them fit or, where that is too small, scrolled.
// Returns the one that is clicked.
std::optional<std::size_t> draw_entries(const Look& look, const Rect& rect,
                                        const Workbench& workbench, LessonMemory& kept) {
    LearnList& list = kept.list();
    const ExerciseProgress& progress = workbench.exercises().progress();
    const std::string names = kept.shows_exercises ? "exercises." : "lessons.";
    std::optional<std::size_t> clicked;
    Rect chosen;  // from the top of the list
    const auto draw_all = [&](const Rect& place, float px, bool beside) {
        ListColumn column(look, place, px, beside ? width_of_titles(list.entries, px) : 0);
        for (std::size_t i = 0; i < list.entries.size(); ++i) {
            const float from = column.height();
            if (column.entry(names + list.listed[i].stem().string(), list.entries[i],
                             i == list.chosen, mark_of(kept, progress, list.listed[i])))
                clicked = i;
            if (i == list.chosen) chosen = {0, from, rect.w, column.height() - from};
        }
        return column.height();
    };
    // Lessons are chosen before a class, which reads along: the list does not scroll.
    const float most = type_px(look, 19), least = kept.shows_exercises ? type_px(look, 17) : 0;
    const float below =
        fitting_px(most, rect.h, [&](float px) { return draw_all(rect, px, false); });
    const float beside = px_beside(look, list.entries, rect, most, kept.shows_exercises);
    const float px = std::max(below, beside);
    if (px >= least) {
        draw_all(rect, px, beside > below);
        return clicked;
    }
    scrolled(look, rect, list.scroll,
             [&](const Rect& place) { return draw_all(place, least, false); });
    // The entry that a key has just chosen is scrolled to, in the next frame.
    if (list.drawn != list.chosen)
        list.scroll = std::clamp(list.scroll, std::max(0.0f, chosen.bottom() - rect.h), chosen.y);
    list.drawn = list.chosen;
    return clicked;
}

}  // namespace

Commands draw_lesson_list(const Look& look, const Rect& room, const Workbench& workbench,
                          PanelMemory& memory) {
    const Palette& colors = look.colors();
    LessonMemory& kept = memory.parts().lesson;
    const auto lesson_in = [](const std::filesystem::path& file) {
        return read_lesson(file).lesson;
    };
    const auto exercise_in = [](const std::filesystem::path& file) {
        return read_exercise(file).exercise;
    };
    read_titles(kept.lessons, workbench.lessons().offered(), lesson_in);
    read_titles(kept.exercises, workbench.exercises().offered(), exercise_in);
    if (kept.exercises.entries.empty()) kept.shows_exercises = false;
    const bool preparing = lesson_page(workbench) == LessonPage::kPreparing;
    const bool tabs = !preparing && !kept.exercises.entries.empty();
    const float width = std::min(room.w - look.px(32), look.px(860) + 20 * extra_px(look));
    const float x = room.x + (room.w - width) / 2;
    const float head = type_px(look, 28), hint = 2 * type_px(look, 16);
    const float from = room.y + (tabs ? 0.5f : 2.2f) * head;
    Rect rect{x, from, width, room.bottom() - from - hint};
    if (tabs) {
        rect = draw_list_tabs(look, rect, kept);
    } else {
        const char* const title = preparing ? "Preparing the lesson\xe2\x80\xa6"
                                  : kept.lessons.entries.empty() ? "No lesson is installed"
                                                                 : "Lessons";
        draw_text({x, room.y + 1.2f * head}, title, {Face::kBold, head, colors.ink});
    }
    if (preparing) return {};
    const std::optional<std::size_t> clicked = draw_entries(look, rect, workbench, kept);
    const char* const words =
        kept.shows_exercises
            ? "Up, Down and Enter open one. With a file of your own: tilereel exercise NAME FILE"
            : "Up, Down and Enter open one. One of your own: tilereel lesson FILE";
    draw_text_fit({x, room.bottom() - hint / 2}, width, words,
                  {Face::kRegular, 0.7f * type_px(look, 19), colors.ink3});
    if (!clicked) return {};
    const std::filesystem::path& file = kept.list().listed[*clicked];
    return kept.shows_exercises ? Commands{OpenExercise{file}} : Commands{OpenLesson{file}};
}

void draw_lesson_mistakes(const Look& look, const Rect& room, const OpenedLesson& lesson) {
    const LessonReading& reading = lesson.prepared->reading;
    const Palette& colors = look.colors();
    const float px = type_px(look, 20);
    const float width = std::min(room.w - look.px(48), look.px(1100) + 24 * extra_px(look));
    const Rect rect{room.x + (room.w - width) / 2, room.y + 2 * px, width, room.h - 4 * px};
    Column column(look, rect);
    const std::size_t count = reading.mistakes.size();
    column.paragraph(
        lesson.file.filename().string() +
            (count == 1 ? " has a mistake" : " has " + std::to_string(count) + " mistakes"),
        {Face::kBold, 1.4f * px, colors.ink});
    column.space(0.6f * px);
    for (std::size_t i = 0; i < count && column.height() < rect.h - 9 * px; ++i) {
        const LessonMistake& mistake = reading.mistakes[i];
        const float top = column.y();
        const std::string line =
            mistake.line > 0 ? "Line " + std::to_string(mistake.line) + ": " : "";
        column.paragraph(line + mistake.sentence, {Face::kSemiBold, px, colors.ink}, 0.8f * px);
        fill_rect({rect.x, top + 0.2f * px, 0.2f * px, column.y() - top - 0.4f * px}, colors.accent,
                  0.1f * px);
        register_widget("lesson.mistake." + std::to_string(i),
                        {rect.x, top, rect.w, column.y() - top});
        if (const std::string_view text = line_of_text(reading.text, mistake.line); !text.empty())
            column.paragraph(text, {Face::kMono, 0.9f * px, colors.ink2}, 0.8f * px);
        column.space(0.5f * px);
    }
    column.space(0.4f * px);
    column.paragraph("Save the file, and it is read again. Esc leads to the list of lessons.",
                     {Face::kRegular, px, colors.ink2});
}

}  // namespace tilereel
