// The workbench's part of exercises: it shows the moment of the judged run that a check is about.
#include "app/workbench/workbench_state.h"

namespace tilereel {

void Workbench::State::open_exercise(const std::filesystem::path& file,
                                     const std::filesystem::path& copy) {
    if (view.mode != WindowMode::kLessons) note_before_lesson();
    view.mode = WindowMode::kLessons;
    clear_message();
    quiz.stop();
    close_comparison();
    head.stop();
    lessons->close();
    exercises->open(file, copy);
}

void Workbench::State::show_new_check() {
    if (const std::optional<CheckMoment> moment = exercises->take_moment()) show_check(*moment);
}

void Workbench::State::show_check(const CheckMoment& moment) {
    close_comparison();
    head.stop();
    const bool of_exercise = recording && recording->trace == scene_trace;
    scene_trace = moment.trace;
    generation = &default_generation();  // by whose rules the checks are judged
    const bool shown = replay && recording && recording->trace == moment.trace && !worker.busy() &&
                       recording->generation == generation;
    if (shown) {
        watch(moment.block);
        return head.go_to(*replay, moment.position);
    }
    clear_message();
    if (of_exercise) {  // the same launch before the last edit
        const Trace& former = *recording->trace;
        was_edited = former.launch.kernel == moment.trace->launch.kernel &&
                     former.launch.number == moment.trace->launch.number &&
                     former.source != moment.trace->source && recording->generation == generation;
    }
    take_request_of(*moment.trace);
    lesson_place = {.trace = moment.trace, .block = moment.block, .position = moment.position};
    submit(moment.trace);
}

}  // namespace tilereel
