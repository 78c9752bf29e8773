#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/export/export.h"
#include "app/export/film/film.h"
#include "app/export/player.h"

namespace tilereel {
namespace {

constexpr double kLeastSecondsAStop = 2.5;
constexpr double kSettledSeconds = 2;  // after this time, bars have grown and colours have faded

// The number of words, separated by blanks.
int words_in(const std::string& text) {
    int words = 0;
    bool within = false;
    for (const char letter : text) {
        const bool blank = letter == ' ' || letter == '\n';
        words += !blank && !within ? 1 : 0;
        within = !blank;
    }
    return words;
}

// The number of new words that a viewer reads at a beat.
int new_words(const OpenedLesson& lesson) {
    const PreparedScene& scene = lesson.prepared_scene();
    const LessonBeat beat = lesson.beat_shown();
    int words = lesson.beat == 0 ? words_in(scene.title) + words_in(scene.text) : 0;
    switch (beat.kind) {
        case LessonBeat::Kind::kStop:
            if (beat.stop < scene.stops.size()) words += words_in(scene.stops[beat.stop].say);
            break;
        case LessonBeat::Kind::kQuestion:
            words += words_in(scene.question);
            break;
        case LessonBeat::Kind::kAnswer:
            words += words_in(scene.answer);
            break;
        case LessonBeat::Kind::kPrediction:
            words += 12;  // "How many wavefronts ..." and its choices
            break;
    }
    return words;
}

Result<std::unique_ptr<Player>> open_lesson(const LessonPictureRequest& request) {
    WorkbenchOptions options;
    options.request.parameters = {.m = 16, .n = 16, .k = 16, .tile = 4, .pad = 0};
    options.lessons = std::make_unique<LessonBench>(
        LessonBenchOptions{.on_thread = false, .tools = request.tools, .offered = {}});
    auto player = Player::create(std::move(options), request.look);
    if (!player) return player;
    (*player)->frame_state().for_picture = true;
    Workbench& workbench = (*player)->workbench();
    workbench.apply(Command{OpenLesson{request.file, request.scene.value_or(0)}});
    workbench.advance(0);
    const OpenedLesson& lesson = *workbench.lessons().lesson();
    if (!lesson.shows_scene()) return mistakes_of(*lesson.prepared);
    if (request.scene.value_or(0) >= lesson.prepared->scenes.size())
        return wrong_call("the lesson has " + std::to_string(lesson.prepared->scenes.size()) +
                          " scenes; choose one of them");
    return player;
}

// Advances time until all animations have ended. The first frame starts them.
void settle(Player& player) {
    do {
        player.skip_frame(0);
        player.skip_frame(kSettledSeconds);
    } while (player.workbench().moving());
}

class LessonFilm : public FilmSource {
  public:
    LessonFilm(Player& player, const LessonPictureRequest& request, const FilmOptions& options)
        : player_(player), request_(request), options_(options) {
        // Walks through the lesson without drawing, to compute the length of the film.
        (void)walk([&] { workbench().advance(step_seconds()); },
                   [&](bool, int frames) -> Status {
                       frames_ += frames;
                       return Done{};
                   });
    }
    [[nodiscard]] int frames() const override { return frames_; }

    // One picture for each beat, at most `count`.
    Status samples(int count, const Take& take) override {
        begin();
        do {
            settle(player_);
            TRY(take(player_.frame(0), 1));
        } while (--count > 0 && step());
        return Done{};
    }

    Status play(const Take& take) override {
        std::optional<Image> image;
        return walk([&] { image = player_.frame(step_seconds()); },
                    [&](bool moves, int frames) -> Status {
                        if (moves) return take(*image, frames);
                        return hold(frames, take);
                    });
    }

  private:
    [[nodiscard]] Workbench& workbench() { return player_.workbench(); }
    [[nodiscard]] double step_seconds() const { return 1.0 / options_.frames_per_second; }
    [[nodiscard]] int frames_of(double seconds) const {
        return static_cast<int>(std::ceil(seconds * options_.frames_per_second));
    }

    void begin() {
        workbench().apply(Command{GoToLessonScene{request_.scene.value_or(0)}});
        workbench().advance(0);
    }

    // Goes to the next beat. Returns false at the end of the lesson, or of the requested scene.
    bool step() {
        const OpenedLesson& lesson = *workbench().lessons().lesson();
        const std::size_t scene = lesson.scene, beat = lesson.beat;
        const std::size_t beats = beats_of(lesson.scene_shown()).size();
        if (request_.scene && beat + 1 >= beats) return false;
        workbench().apply(Command{StepLesson{1}});
        workbench().advance(0);
        return lesson.scene != scene || lesson.beat != beat;
    }

    // `move` advances by a frame. `taken` is called for each frame while the replay moves, and once
    // for the frames that wait at a stop.
    Status walk(const std::function<void()>& move,
                const std::function<Status(bool moves, int frames)>& taken) {
        begin();
        do {
            while (workbench().moving()) {
                move();
                TRY(taken(true, 1));
            }
            const int words = new_words(*workbench().lessons().lesson());
            const double seconds =
                std::max(kLeastSecondsAStop, 60 * words / request_.words_a_minute);
            TRY(taken(false, frames_of(seconds)));
        } while (step());
        return Done{};
    }

    // First the bars of a race grow and colours fade. After that, one picture is repeated.
    Status hold(int frames, const Take& take) {
        const int settling = std::min(frames - 1, frames_of(kSettledSeconds));
        for (int i = 0; i < settling; ++i) TRY(take(player_.frame(step_seconds()), 1));
        return take(player_.frame(step_seconds()), frames - settling);
    }

    Player& player_;
    const LessonPictureRequest& request_;
    const FilmOptions& options_;
    int frames_ = 0;
};

}  // namespace

Status export_lesson_png(const LessonPictureRequest& request, const std::filesystem::path& path) {
    const auto player = TRY(open_lesson(request));
    settle(*player);
    return save_png(player->frame(0), path);
}

Status export_lesson_film(const LessonPictureRequest& request, FilmKind kind,
                          const std::filesystem::path& path, const FilmOptions& options) {
    const auto player = TRY(open_lesson(request));
    LessonFilm film(*player, request, options);
    return write_film(film, kind, request.look, path, options);
}

}  // namespace tilereel
