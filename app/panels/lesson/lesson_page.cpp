#include "app/panels/lesson/lesson_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string>

#include "app/panels/lesson/lesson_parts.h"
#include "app/panels/panel_memory.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr float kBody = 14;  // the smallest text size that a user can choose, pixels
constexpr std::string_view kFootKeys = "Page Down: next   Space: play   Esc: leave";
constexpr double kRaceSeconds = 1.6;  // time in which the bars of a race grow

// "22:41"
std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 8> text{};
    std::strftime(text.data(), text.size(), "%H:%M", &local);
    return text.data();
}

// A title that is too long gets a smaller font.
void draw_title(const LessonScope& scope, const Rect& rect) {
    const Palette& colors = scope.colors();
    const std::string& lesson = scope.lesson.prepared->reading.lesson.title;
    const float small = scope.measure.type(28);
    const float beside = text_width(lesson, Face::kRegular, small);
    const float room = rect.w - beside - scope.measure.u(48);
    // On the way to the scene's first stop its headline is not true yet.
    const bool comes = scope.on_its_way() && scope.lesson.beat_shown().stop == 0;
    const TextStyle style{comes ? Face::kRegular : Face::kBold, scope.measure.type(48),
                          comes ? colors.ink3 : colors.ink};
    const std::string title = (comes ? "next: " : "") + scope.prepared().title;
    draw_text({rect.x, rect.center().y}, title, shrunk(style, title, room));
    draw_text({rect.right(), rect.center().y}, lesson,
              {Face::kRegular, small, colors.ink2, Align::kRight});
    register_widget("lesson.title", rect);
}

// Notes in `memory` when the lesson and the scene were opened. Returns the progress of the scene's
// animation, from 0 to 1.
float grown(LessonMemory& memory, const Look& look, const OpenedLesson& lesson) {
    if (memory.scene != lesson.scene || memory.file != lesson.file) {
        memory.scene = lesson.scene;
        memory.scene_since = look.now_seconds;
    }
    if (memory.file != lesson.file) {
        memory.file = lesson.file;
        memory.since = look.now_seconds;
    }
    const double share = std::clamp((look.now_seconds - memory.scene_since) / kRaceSeconds, 0., 1.);
    memory.moves = lesson.scene_shown().race && share < 1;
    return static_cast<float>(1 - (1 - share) * (1 - share));
}

// Draws the time of day and the minutes since the lesson began, right-aligned. Returns the left
// edge.
float draw_clock(const LessonScope& scope, const Rect& rect, float px, double minutes) {
    const std::string clock =
        time_of_day() + "  " + std::to_string(static_cast<int>(minutes)) + " min";
    const float wide = text_width(clock, Face::kMono, px);
    draw_text({rect.right(), rect.center().y}, clock,
              {Face::kMono, px, scope.colors().ink2, Align::kRight});
    register_widget("lesson.clock", {rect.right() - wide, rect.y, wide, rect.h});
    return rect.right() - wide - 1.2f * px;
}

// `minutes`: time since the lesson began. nullopt for pictures: no clock and no key hints.
void draw_foot(const LessonScope& scope, const Rect& rect, std::optional<double> minutes) {
    const Palette& colors = scope.colors();
    const float px = scope.measure.type(26), middle = rect.center().y;
    const std::vector<PreparedScene>& scenes = scope.lesson.prepared->scenes;
    const std::string where =
        "scene " + std::to_string(scope.lesson.scene + 1) + " of " + std::to_string(scenes.size());
    const Rect bar{rect.x, middle - scope.measure.u(5), scope.measure.u(300), scope.measure.u(10)};
    draw_share(bar, static_cast<float>(scope.lesson.scene + 1) / static_cast<float>(scenes.size()),
               colors.line, colors.accent, bar.h / 2);
    float left = bar.right() + 0.6f * px;
    left += draw_text({left, middle}, where, {Face::kRegular, px, colors.ink2});
    float right = minutes ? draw_clock(scope, rect, px, *minutes) : rect.right();
    const bool last = scope.lesson.scene + 1 >= scenes.size();
    const int past = scope.lesson.past_end;
    const std::string next = past > 0   ? "This is the last scene. Page Up: back   Esc: leave"
                             : past < 0 ? "This is the first scene. Page Down: next   Esc: leave"
                             : last     ? "the last scene"
                                        : "next: " + scenes[scope.lesson.scene + 1].title;
    left += 1.6f * px;
    const TextStyle style{past != 0 ? Face::kSemiBold : Face::kRegular, px,
                          past != 0 ? colors.accent : colors.ink3};
    const float words = text_width(next, style);
    // The keys are shown in the first scene only. Later they would distract.
    const float keys = text_width(kFootKeys, Face::kRegular, px) + 1.2f * px;
    if (minutes && past == 0 && scope.lesson.scene == 0 && !scope.workbench.view().presenting &&
        right - left > keys + words) {
        draw_text({right, middle}, kFootKeys, {Face::kRegular, px, colors.ink2, Align::kRight});
        right -= keys;
    }
    register_widget("lesson.foot", rect);
    draw_text({left, middle}, next, shrunk(style, next, right - left));
    register_widget("lesson.next", {left, rect.y, right - left, rect.h});
}

// Frames around the parts of the stage that the scene highlights.
void draw_highlights(const LessonScope& scope) {
    if (scope.on_its_way()) return;
    for (const std::string& name : scope.scene().highlight) {
        // The name of a matrix, of a part of the picture, or of a shared array. A shared array with
        // several planes has a widget for each of them.
        const std::string matrix(1, static_cast<char>(name[0] | 0x20)), shared = "stage.shared.";
        std::vector<std::string> widgets = {"stage." + (name.size() == 1 ? matrix : name),
                                            shared + name};
        for (const char* plane : {".0", ".1", ".2"}) widgets.push_back(shared + name + plane);
        if (name == "registers") widgets.emplace_back("stage.fragments");
        for (const std::string& widget : widgets)
            for (const char* side : {"", "right."}) {
                Rect rect;
                if (!find_widget(side + widget, rect)) continue;
                // The text of these widgets begins at their edge, so the frame needs more distance.
                const bool words = name == "registers" || name == "warps" || name == "banks";
                const float apart = scope.measure.u(words ? 10 : 4);
                stroke_rect(rect.inset(-apart), scope.colors().accent, scope.measure.u(4),
                            scope.measure.u(8));
            }
    }
}

}  // namespace

bool LessonScope::on_its_way() const {
    // A comparison that is refused has no other side, ever.
    const bool may_come = workbench.comparing() || replay() == nullptr;
    if (scene().other && workbench.other() == nullptr && may_come) return true;
    const std::size_t stop = lesson.beat_shown().stop;
    return workbench.moving() && stop < prepared().stops.size() &&
           workbench.position() < prepared().stops[stop].position;
}

const Replay* LessonScope::replay() const {
    const Recording* const recording = workbench.recording();
    const bool shown = recording != nullptr && recording->trace == prepared().trace &&
                       recording->generation == &generation_of(scene().launch);
    return shown ? workbench.replay() : nullptr;
}

std::uint32_t step_asked(const LessonScope& scope, const Replay& replay) {
    const double at = scope.prepared().stops.front().position;
    return replay.schedule().step_at(static_cast<Tick>(at));
}

LessonMeasure lesson_measure(const Look& look, const Rect& screen) {
    const float unit = std::min(screen.w / 1920, screen.h / 1080);
    return {unit, (kBody * look.text - kBody) / 2};
}

LessonPage lesson_page(const Workbench& workbench) {
    const OpenedLesson* const lesson = workbench.lessons().lesson();
    if (lesson == nullptr) return LessonPage::kList;
    if (lesson->prepared == nullptr) return LessonPage::kPreparing;
    return lesson->shows_scene() ? LessonPage::kScene : LessonPage::kMistakes;
}

bool shows_replay_of_scene(const Workbench& workbench) {
    const OpenedLesson* const lesson = workbench.lessons().lesson();
    return lesson != nullptr && lesson->shows_scene() && workbench.recording() != nullptr &&
           workbench.recording()->trace == lesson->prepared_scene().trace;
}

LessonLayout lesson_layout(const Look& look, const Rect& screen, const Workbench& workbench) {
    const LessonMeasure measure = lesson_measure(look, screen);
    const OpenedLesson& lesson = *workbench.lessons().lesson();
    const LessonScene& scene = lesson.scene_shown();
    const float side = measure.u(64), gap = measure.u(56);
    LessonLayout layout;
    layout.title = {screen.x + side, screen.y + measure.u(32), screen.w - 2 * side,
                    1.6f * measure.type(48)};
    const float foot = 2.6f * measure.type(26);
    layout.foot = {layout.title.x, screen.bottom() - foot - measure.u(8), layout.title.w, foot};
    const float top = layout.title.bottom() + measure.u(12);
    const float height = layout.foot.y - measure.u(12) - top;
    layout.shows_stage = !scene.race && scene.picture == LessonPicture::kStage;
    layout.compares = scene.other.has_value();
    if (layout.compares) {  // two pictures need the whole width; the text is below
        const float wider = side - measure.u(16);
        const float picture = std::round(0.8f * height);
        layout.picture = {layout.title.x - wider, top, layout.title.w + 2 * wider, picture};
        const float below = layout.picture.bottom() + measure.u(16);
        layout.column = {layout.title.x, below, layout.title.w, top + height - below};
        return layout;
    }
    const float share = layout.shows_stage ? 0.65f : 0.5f;
    layout.picture = {layout.title.x, top, std::round(layout.title.w * share - gap / 2), height};
    if (layout.shows_stage) layout.picture.x -= side - measure.u(16);
    if (layout.shows_stage) layout.picture.w += side - measure.u(16);
    const float from = layout.picture.right() + gap;
    layout.column = {from, top, layout.title.right() - from, height};
    return layout;
}

void draw_lesson_scene(const Look& look, const Rect& screen, const Workbench& workbench,
                       PanelMemory& memory, bool for_picture) {
    const LessonLayout layout = lesson_layout(look, screen, workbench);
    const LessonMeasure measure = lesson_measure(look, screen);
    const OpenedLesson& lesson = *workbench.lessons().lesson();
    LessonMemory& kept = memory.parts().lesson;
    const LessonScope scope{look, measure, workbench, lesson};
    const float share = grown(kept, look, lesson);
    draw_title(scope, layout.title);
    if (scope.scene().race)
        draw_lesson_race(scope, layout.picture, share);
    else if (scope.scene().picture == LessonPicture::kBanks)
        draw_lesson_banks(scope, layout.picture);
    else
        draw_highlights(scope);
    register_widget("lesson.picture", layout.picture);
    draw_lesson_column(scope, layout.column);
    kept.minute = static_cast<int>(std::time(nullptr) / 60);
    const double minutes = (look.now_seconds - kept.since) / 60;
    draw_foot(scope, layout.foot, for_picture ? std::nullopt : std::optional(minutes));
}

}  // namespace tilereel
