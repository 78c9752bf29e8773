#pragma once
// The parts of a scene, each drawn into the place that it is given.
#include <optional>

#include "app/lesson/prediction.h"
#include "app/panels/lesson/lesson_measure.h"
#include "app/panels/panels.h"

namespace tilereel {

struct LessonScope {
    const Look& look;
    ImDrawList* list = nullptr;
    const LessonMeasure& measure;
    const Workbench& workbench;
    const OpenedLesson& lesson;
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] const LessonScene& scene() const { return lesson.scene_shown(); }
    [[nodiscard]] const PreparedScene& prepared() const { return lesson.prepared_scene(); }
    // The replay, where it shows what the scene is about; nullptr while that is being counted.
    [[nodiscard]] const Replay* replay() const;
};

// The shared array of the request in flight: a column of the picture is a bank.
void draw_lesson_banks(const LessonScope& scope, const Rect& rect);
// A bar for each kernel of a race, as long as it is fast. `grown`: 0 to 1, of their full length.
void draw_lesson_race(const LessonScope& scope, const Rect& rect, float grown);
// What is said: text, source line, lanes, figure, question; as large as fits.
void draw_lesson_column(const LessonScope& scope, const Rect& rect);
// Frames around the parts of the stage that the scene highlights.
void draw_lesson_highlights(const LessonScope& scope);
// `minutes` since the lesson began; without them, neither a clock nor keys: for pictures.
void draw_lesson_foot(const LessonScope& scope, const Rect& rect, std::optional<double> minutes);

// A question with its choices; the right one is marked once it is answered. Returns the height;
// `list`: nullptr only measures. Clicks: index of the choice, -1: none.
struct PredictionCard {
    const Prediction& asked;
    std::optional<std::size_t> chosen{};
    bool answered = false;
    bool clickable = false;
};
float draw_prediction(const Look& look, ImDrawList* list, ImVec2 at, float width, float px,
                      const PredictionCard& card, int* clicked = nullptr);
// Words on the accent's tint, with its edge at the left.
float draw_accent_card(const Look& look, ImDrawList* list, ImVec2 at, float width, float px,
                       std::string_view strong, std::string_view plain);

}  // namespace tilereel
