#pragma once
// The parts of a scene. Each is drawn into a given rectangle.
#include <optional>

#include "app/lesson/prediction.h"
#include "app/panels/panels.h"
#include "app/panels/paragraph.h"

namespace tilereel {

// Lengths and font sizes of a scene. A scene fills the window, so its units are pixels of a window
// of 1920 x 1080.
struct LessonMeasure {
    float unit = 1;       // pixels
    float more_type = 0;  // units that the user's text size adds
    [[nodiscard]] float u(float units) const { return unit * units; }
    [[nodiscard]] float type(float units) const { return unit * (units + more_type); }
};
[[nodiscard]] LessonMeasure lesson_measure(const Look& look, const Rect& screen);

struct LessonScope {
    const Look& look;
    const LessonMeasure& measure;
    const Workbench& workbench;
    const OpenedLesson& lesson;
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] const LessonScene& scene() const { return lesson.scene_shown(); }
    [[nodiscard]] const PreparedScene& prepared() const { return lesson.prepared_scene(); }
    // The replay of the scene's launch. nullptr while the launch is being recorded or counted.
    [[nodiscard]] const Replay* replay() const;
    // The replay still plays up to the stop that is shown, or the other side of a comparison is not
    // there yet. What is said of the stop waits for it.
    [[nodiscard]] bool on_its_way() const;
};
// The step whose cost the question asks for. An index after the last step: none.
[[nodiscard]] std::uint32_t step_asked(const LessonScope& scope, const Replay& replay);

// Draws the shared array of the current request. Each column of the picture is a bank.
void draw_lesson_banks(const LessonScope& scope, const Rect& rect);
// Draws a bar for each kernel of a race; its length is the kernel's speed. `grown`: the drawn share
// of the full length, from 0 to 1.
void draw_lesson_race(const LessonScope& scope, const Rect& rect, float grown);
// Draws text, source line, lanes, figure and question in the largest font that fits.
void draw_lesson_column(const LessonScope& scope, const Rect& rect);
// Draws a question with its choices. The right choice is marked after an answer. Returns the
// height. `clicked` receives the index of the clicked choice, or -1.
struct PredictionCard {
    const Prediction& asked;
    std::optional<std::size_t> chosen{};
    bool answered = false;
    bool clickable = false;
};
float draw_prediction(const Look& look, ImVec2 at, float width, float px,
                      const PredictionCard& card, int* clicked = nullptr);
// Draws text on the accent's tint, with an accent line at the left.
float draw_accent_card(const Look& look, ImVec2 at, float width, float px, std::string_view strong,
                       std::string_view plain);

}  // namespace tilereel
