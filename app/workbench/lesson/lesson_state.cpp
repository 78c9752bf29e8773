// The workbench's part of lessons and questions: it shows the place that they are about.
#include <algorithm>
#include <cmath>

#include "app/replay/places/stops.h"
#include "app/workbench/workbench_state.h"

namespace tilereel {
namespace {

// The position of a question about a request: just before the end of the previous request, or
// before the first one.
double just_before(double position) { return position - kBeforeBarrier; }

double position_of(const PreparedScene& scene, const LessonBeat& beat) {
    const double position = scene.stops[beat.stop].position;
    return beat.kind == LessonBeat::Kind::kPrediction ? just_before(position) : position;
}

}  // namespace

void Workbench::State::show_beat() {
    const OpenedLesson* const lesson = lessons->lesson();
    if (lesson == nullptr || !lesson->shows_scene()) return;
    const PreparedScene& scene = lesson->prepared_scene();
    const std::optional<Subject>& other = lesson->scene_shown().other;
    const bool same_pair =
        comparing && scene.other && comparing->trace == scene.other && comparing->asked == *other;
    if (!same_pair) close_comparison();
    if (scene.trace == nullptr) return head.stop();  // a race
    const double position = position_of(scene, lesson->beat_shown());
    const Generation* const wanted = &generation_of(lesson->scene_shown().launch);
    const bool shown = replay && recording && recording->trace == scene.trace && !worker.busy() &&
                       recording->generation == wanted;
    if (shown) {
        watch(scene.block);
        if (const LockStep* steps = lock())
            return head.play_up_to(played(), steps->common_of(Side::kLeft, position));
        // By banks only the scene's own requests say something, so those between are left out.
        const bool plays = lesson->scene_shown().picture == LessonPicture::kStage;
        if (!scene.other && plays) return head.play_up_to(*replay, position);
        head.go_to(*replay, position);  // the other side follows
        return show_other_of_scene();
    }
    head.stop();
    clear_message();
    generation = wanted;
    request = scene.request;
    own_inputs = {};
    default_sizes.reset();
    lesson_place = {.trace = scene.trace, .block = scene.block, .position = position};
    submit(scene.trace);
}

void Workbench::State::take_lesson_place() {
    if (!lesson_place || recording->trace != lesson_place->trace) return;
    head.go_to(*replay, lesson_place->position);
    lesson_place.reset();
    show_other_of_scene();
}

// Shows the second launch of a scene that compares beside the first, which is shown already.
void Workbench::State::show_other_of_scene() {
    const OpenedLesson* const lesson = lessons->lesson();
    if (lesson == nullptr || !lesson->shows_scene()) return;
    const PreparedScene& scene = lesson->prepared_scene();
    if (!scene.other || recording->trace != scene.trace) return;
    comparing.emplace();
    comparing->asked = *lesson->scene_shown().other;
    comparing->trace = scene.other;
    make_other();
}

void Workbench::State::step_lesson(int direction) {
    if (!lessons->step(direction)) return;
    show_beat();
    // A step back jumps, without playing.
    if (direction < 0 && replay && head.moving()) {
        const OpenedLesson& lesson = *lessons->lesson();
        if (lesson.prepared_scene().trace == nullptr) return;
        const double position = position_of(lesson.prepared_scene(), lesson.beat_shown());
        const LockStep* steps = lock();
        head.go_to(played(), steps ? steps->common_of(Side::kLeft, position) : position);
    }
}

void Workbench::State::open_lesson(const std::filesystem::path& file, std::size_t scene) {
    view.mode = WindowMode::kLessons;
    clear_message();
    quiz.stop();
    close_comparison();
    lessons->open(file, scene);
}

void Workbench::State::show_mode(WindowMode mode) {
    view.mode = mode;
    // The replay page may have shown another replay meanwhile.
    if (mode != WindowMode::kLessons) return;
    close_comparison();
    show_beat();
}

void Workbench::State::toggle_quiz() {
    if (quiz.on() || !replay) return quiz.stop();
    close_comparison();
    quiz.start(*replay);
    step_quiz();
}

void Workbench::State::step_quiz() {
    if (!quiz.on() || !replay) return;
    if (quiz.asked() && !quiz.answered()) {
        quiz.answer();
        const Step& step = replay->schedule().steps[quiz.asked()->step];
        return head.play_up_to(*replay, static_cast<double>(step.end()) - kBeforeBarrier);
    }
    const double from =
        quiz.asked() ? static_cast<double>(replay->schedule().steps[quiz.asked()->step].end())
                     : std::ceil(head.position());
    if (quiz.over()) return quiz.stop();
    if (quiz.ask(*replay, from))
        head.play_up_to(
            *replay,
            just_before(static_cast<double>(replay->schedule().steps[quiz.asked()->step].begin)));
}

}  // namespace tilereel
