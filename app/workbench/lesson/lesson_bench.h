#pragma once
// The lesson that is open in the window: its preparation on a thread of its own, and the shown
// scene and beat. It does not depend on drawing.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/lesson/prediction.h"
#include "app/lesson/prepare_lesson.h"
#include "app/workbench/task_thread.h"

namespace tilereel {

struct LessonBenchOptions {
    bool on_thread = true;  // false: open() prepares before it returns
    LessonTools tools{};
    std::vector<std::filesystem::path> offered{};  // lessons in the list, in this order
};

// A beat: what is shown between two presses of Page Down.
struct LessonBeat {
    enum class Kind : std::uint8_t {
        kPrediction,  // before the request at the first stop, asks for its cost
        kStop,        // at a stop, or playing up to it; a scene with a race has one such beat
        kQuestion,
        kAnswer,
    };
    Kind kind = Kind::kStop;
    std::size_t stop = 0;
    bool operator==(const LessonBeat&) const = default;
};
[[nodiscard]] std::vector<LessonBeat> beats_of(const LessonScene& scene);

struct OpenedLesson {
    std::filesystem::path file;
    bool preparing = false;                            // `prepared` is missing or outdated
    std::shared_ptr<const PreparedLesson> prepared{};  // nullptr: not prepared yet
    std::size_t scene = 0, beat = 0;
    int steps_to_come = 0;  // asked for while the first preparation runs
    int past_end = 0;  // the last step would lead before the first scene (-1) or after the last (1)

    [[nodiscard]] bool shows_scene() const {
        return prepared != nullptr && prepared->sound() && scene < prepared->scenes.size();
    }
    // Valid if shows_scene().
    [[nodiscard]] const LessonScene& scene_shown() const {
        return prepared->reading.lesson.scenes[scene];
    }
    [[nodiscard]] const PreparedScene& prepared_scene() const { return prepared->scenes[scene]; }
    [[nodiscard]] LessonBeat beat_shown() const;
};

class LessonBench {
  public:
    explicit LessonBench(LessonBenchOptions options);
    ~LessonBench();
    LessonBench(const LessonBench&) = delete;
    LessonBench& operator=(const LessonBench&) = delete;

    void open(const std::filesystem::path& file, std::size_t scene = 0);
    void reload();  // reads the changed file; keeps scene and beat if they still exist
    void close();
    // Takes over a finished preparation. True if the shown scene has changed.
    bool advance();
    // To the next or the previous beat; false at either end. While a lesson is prepared for the
    // first time, the step waits until advance().
    bool step(int direction);
    bool go_to_scene(std::size_t scene);

    [[nodiscard]] const OpenedLesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
    [[nodiscard]] bool busy() const { return lesson_ && lesson_->preparing; }
    [[nodiscard]] const std::vector<std::filesystem::path>& offered() const { return offered_; }

  private:
    struct Outcome;
    void prepare();
    void clamp_place();

    std::vector<std::filesystem::path> offered_;
    LessonTools tools_;
    std::optional<OpenedLesson> lesson_;
    std::uint64_t newest_ = 0;  // number of the current preparation
    std::shared_ptr<Outcome> outcome_;
    std::shared_ptr<std::atomic<bool>> cancel_;
    TaskThread thread_;  // last: its tasks use the members above
};

}  // namespace tilereel
