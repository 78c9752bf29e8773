#pragma once
// The lesson that is open in the window: its preparation on a thread of its own, and the scene and
// beat that are shown. Knows nothing of how it is drawn.
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

// What one press of Page Down brings.
struct LessonBeat {
    enum class Kind : std::uint8_t {
        kPrediction,  // asks what the request at the first stop costs, and stands before it
        kStop,        // stands at a stop, or plays up to it; of a race there is one
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
    bool preparing = false;  // `prepared` is not there yet, or a former one
    std::shared_ptr<const PreparedLesson> prepared{};  // nullptr: never prepared yet
    std::size_t scene = 0, beat = 0;

    [[nodiscard]] bool shows_scene() const {
        return prepared != nullptr && prepared->sound() && scene < prepared->scenes.size();
    }
    // Only where shows_scene().
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
    void reload();  // the file has changed: the same scene and beat, as far as there still are
    void close();
    // Takes over what was prepared; true if the scene that is shown is new.
    bool advance();
    // To the next beat or the one before; false at either end.
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
    std::uint64_t newest_ = 0;  // number of the preparation that is waited for
    std::shared_ptr<Outcome> outcome_;
    std::shared_ptr<std::atomic<bool>> cancel_;
    TaskThread thread_;  // last: its tasks use what stands above
};

}  // namespace tilereel
