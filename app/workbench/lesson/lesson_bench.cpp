#include "app/workbench/lesson/lesson_bench.h"

#include <algorithm>
#include <utility>

#include "app/workbench/lesson/lesson_times.h"

namespace tilereel {

// What the thread has prepared last.
struct LessonBench::Outcome {
    std::mutex mutex;
    std::uint64_t number = 0;                        // guarded by mutex
    std::shared_ptr<const PreparedLesson> prepared;  // likewise
};

std::vector<LessonBeat> beats_of(const LessonScene& scene) {
    using Kind = LessonBeat::Kind;
    std::vector<LessonBeat> beats;
    if (scene.predict) beats.push_back({Kind::kPrediction, 0});
    const std::size_t stops = std::max<std::size_t>(1, scene.stops.size());
    for (std::size_t i = 0; i < stops; ++i) beats.push_back({Kind::kStop, i});
    if (!scene.question.empty()) {
        beats.push_back({Kind::kQuestion, stops - 1});
        beats.push_back({Kind::kAnswer, stops - 1});
    }
    return beats;
}

LessonBeat OpenedLesson::beat_shown() const {
    const std::vector<LessonBeat> beats = beats_of(scene_shown());
    return beats[std::min(beat, beats.size() - 1)];
}

LessonBench::LessonBench(LessonBenchOptions options)
    : offered_(std::move(options.offered)),
      tools_(with_estimates(std::move(options.tools))),
      outcome_(std::make_shared<Outcome>()),
      thread_(options.on_thread) {}

LessonBench::~LessonBench() { close(); }

void LessonBench::open(const std::filesystem::path& file, std::size_t scene) {
    close();
    lesson_ = OpenedLesson{.file = file, .scene = scene};
    prepare();
}

void LessonBench::reload() {
    if (lesson_) prepare();
}

void LessonBench::close() {
    if (cancel_) *cancel_ = true;
    lesson_.reset();
}

void LessonBench::prepare() {
    if (cancel_) *cancel_ = true;
    cancel_ = std::make_shared<std::atomic<bool>>(false);
    lesson_->preparing = true;
    const std::uint64_t number = ++newest_;
    thread_.submit([number, file = lesson_->file, tools = tools_, cancel = cancel_,
                    outcome = outcome_]() mutable {
        tools.cancel = cancel.get();
        auto prepared =
            std::make_shared<const PreparedLesson>(prepare_lesson(read_lesson(file), tools));
        const std::lock_guard lock(outcome->mutex);
        if (outcome->number > number) return;
        outcome->number = number;
        outcome->prepared = std::move(prepared);
    });
}

bool LessonBench::advance() {
    if (!busy()) return false;
    {
        const std::lock_guard lock(outcome_->mutex);
        if (outcome_->number != newest_) return false;
        lesson_->prepared = std::move(outcome_->prepared);
    }
    lesson_->preparing = false;
    clamp_place();
    for (int steps = std::exchange(lesson_->steps_to_come, 0); steps > 0; --steps) step(1);
    return lesson_->shows_scene();
}

// The scene and the beat that are shown may be missing in a newly saved file.
void LessonBench::clamp_place() {
    const std::size_t scenes = lesson_->prepared->scenes.size();
    if (scenes == 0) return;
    lesson_->scene = std::min(lesson_->scene, scenes - 1);
    lesson_->beat = std::min(lesson_->beat, beats_of(lesson_->scene_shown()).size() - 1);
}

bool LessonBench::step(int direction) {
    if (lesson_ && lesson_->preparing && lesson_->prepared == nullptr)
        lesson_->steps_to_come = std::max(0, lesson_->steps_to_come + direction);
    if (!lesson_ || !lesson_->shows_scene()) return false;
    lesson_->past_end = 0;
    if (direction > 0) {
        if (lesson_->beat + 1 < beats_of(lesson_->scene_shown()).size()) {
            ++lesson_->beat;
            return true;
        }
        if (go_to_scene(lesson_->scene + 1)) return true;
        lesson_->past_end = 1;
        return false;
    }
    if (lesson_->beat > 0) {
        --lesson_->beat;
        return true;
    }
    if (lesson_->scene == 0) {
        lesson_->past_end = -1;
        return false;
    }
    go_to_scene(lesson_->scene - 1);
    lesson_->beat = beats_of(lesson_->scene_shown()).size() - 1;
    return true;
}

bool LessonBench::go_to_scene(std::size_t scene) {
    if (!lesson_ || !lesson_->shows_scene() || scene >= lesson_->prepared->scenes.size())
        return false;
    lesson_->scene = scene;
    lesson_->beat = 0;
    lesson_->past_end = 0;
    return true;
}

}  // namespace tilereel
