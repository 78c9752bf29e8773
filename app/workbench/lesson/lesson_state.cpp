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
    if (exercises->exercise() != nullptr) {
        if (const CheckMoment* const shown = exercises->shown_moment()) show_check(*shown);
        return;
    }
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
    scene_trace = scene.trace;
    lesson_place = {.trace = scene.trace, .block = scene.block, .position = position};
    submit(scene.trace);
}

bool Workbench::State::is_of(const LessonPlace& place, const Recording& shown) {
    return place.trace == nullptr ? shown.from_request : shown.trace == place.trace;
}

void Workbench::State::take_lesson_place() {
    if (!lesson_place || !is_of(*lesson_place, *recording)) return;
    head.go_to(*replay, lesson_place->position);
    lesson_place.reset();
    if (before_lesson && is_of(before_lesson->place, *recording))
        show_what_was_beside();
    else
        show_other_of_scene();
}

void Workbench::State::note_before_lesson() {
    scene_opened = false;
    if (recording && recording->trace == scene_trace) return;
    // Still on the way back from a lesson: what was noted then is not shown yet.
    if (before_lesson && lesson_place && lesson_place->trace == before_lesson->place.trace) return;
    before_lesson.reset();
    if (!recording || !replay) return;
    finish_step();
    const bool under_way = worker.busy();
    const bool other = under_way && asked_trace != recording->trace;
    const bool from_request = other ? asked_trace == nullptr : recording->from_request;
    before_lesson = {.place = {.trace = under_way ? asked_trace : recording->trace,
                               .block = replay->block(),
                               .position = left_position(),
                               .from_request = from_request},
                     .request = request,
                     .own_inputs = own_inputs,
                     .own_inputs_for = own_inputs_for,
                     .default_sizes = default_sizes,
                     .generation = generation,
                     .compared = comparing && comparing->trace == nullptr
                                     ? std::optional(comparing->asked)
                                     : std::nullopt,
                     .threads = threads,
                     .zoom = stage_zoom,
                     .before = before,
                     .under_way = under_way};
}

// Back to what was shown before the lessons were opened, at its place.
void Workbench::State::leave_lesson() {
    view.mode = WindowMode::kReplay;
    // Whether a scene is shown, or comes.
    const bool replaced = lesson_place || (recording && recording->trace == scene_trace);
    if (before_lesson && before_lesson->under_way && !replaced) return compare_as_before_lesson();
    if (!before_lesson ||
        (!replaced && (!recording || recording->trace != before_lesson->place.trace)))
        return before_lesson.reset();
    head.stop();
    clear_message();
    close_comparison();
    request = before_lesson->request;
    own_inputs = before_lesson->own_inputs;
    own_inputs_for = before_lesson->own_inputs_for;
    default_sizes = before_lesson->default_sizes;
    generation = before_lesson->generation;
    lesson_place = before_lesson->place;
    if (recording && recording->trace == before_lesson->place.trace && !worker.busy() &&
        recording->generation == generation) {
        watch(lesson_place->block);
        return take_lesson_place();
    }
    submit(lesson_place->trace);
}

void Workbench::State::compare_as_before_lesson() {
    const BeforeLesson was = *std::exchange(before_lesson, std::nullopt);
    if (was.compared) compare(Compare{{}, *was.compared});
}

// The rest of leave_lesson(), when the replay is there.
void Workbench::State::show_what_was_beside() {
    threads = before_lesson->threads;
    threads.fit(replay->trace().launch);
    stage_zoom = before_lesson->zoom;
    before = before_lesson->before;
    compare_as_before_lesson();
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
    if (view.mode != WindowMode::kLessons) note_before_lesson();
    view.mode = WindowMode::kLessons;
    clear_message();
    quiz.stop();
    close_comparison();
    exercises->close();
    lessons->open(file, scene);
}

void Workbench::State::show_mode(WindowMode mode) {
    if (mode == WindowMode::kReplay && view.mode != mode && !scene_opened) return leave_lesson();
    if (mode == WindowMode::kLessons && view.mode != mode) note_before_lesson();
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
