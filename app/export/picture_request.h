#pragma once
// The contents and the size of a picture or a film.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/lesson/prepare_lesson.h"
#include "app/race/race.h"
#include "app/subject/subject.h"
#include "app/workbench/race/race_action.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {

struct PictureLook {
    int width = 1920, height = 1080;  // pixels
    bool light = false;
    int text_px = 14;  // 14..32
};

struct PictureRequest {
    RecordRequest request;       // the launch to record, if there is no trace
    std::optional<Trace> trace;  // replaces `request`
    PictureLook look{};
    std::optional<double> tick;  // position of the replay; none: the start; beyond the end: the end
    std::uint32_t block_x = 0, block_y = 0;                // the block watched
    const Generation* generation = &default_generation();  // rules for time and counts
    std::optional<Subject> compare{};  // the other side of a comparison, in lock-step
};

// The Race page of the window with a race in it.
struct RacePictureRequest {
    Race race;
    PictureLook look{};
    std::optional<RaceTab> only;   // only this view, instead of the whole page
    std::vector<RaceAction> then;  // applied before the picture: SetLogarithmic, SelectSize, ...
};

// A lesson, walked through as with Page Down.
struct LessonPictureRequest {
    std::filesystem::path file;
    PictureLook look{};
    std::optional<std::size_t> scene{};  // from 0; none: the first (picture), all (film)
    double words_a_minute = 180;  // reading speed of a viewer; determines the pause at each stop
    LessonTools tools{};          // used to prepare it
};

inline constexpr int kLargestPicture = 8192;  // pixels, width and height

struct FilmOptions {
    int frames_per_second = 15;
    double longest_seconds = 18;    // longer replays and races are played faster
    double hold_seconds = 1.5;      // duration of the last picture
    std::optional<double> until{};  // last tick; none, or beyond the end: the end
    // Called before each frame, once the replay is recorded. If it returns true, the film ends with
    // kCancelled.
    std::function<bool()> interrupted = {};
    // Called before each frame with the number of finished frames and of all frames.
    std::function<void(int, int)> progress = {};
};
enum class FilmKind : std::uint8_t { kGif, kMp4, kWebm };  // a GIF repeats forever

}  // namespace tilereel
