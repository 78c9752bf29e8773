#pragma once
// What a picture or a film is to show, and how large.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/lesson/prepare_lesson.h"
#include "app/race/race.h"
#include "app/workbench/compare_side.h"
#include "app/workbench/race_action.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/record/record.h"

namespace tilereel {

struct PictureLook {
    int width = 1920, height = 1080;  // pixels
    bool light = false;
    int text_px = 14;  // 14..32
};

struct PictureRequest {
    RecordRequest request;       // recorded first, when there is no trace
    std::optional<Trace> trace;  // or this one
    PictureLook look{};
    std::optional<double> tick;  // where the replay stands; none: the start. Past the end: the end
    std::uint32_t block_x = 0, block_y = 0;                // the block watched
    const Generation* generation = &default_generation();  // whose rules time and counts follow
    std::optional<CompareSide> compare{};                  // beside it, in lock-step
};

// The Race mode of the window with a race in it.
struct RacePictureRequest {
    Race race;
    PictureLook look{};
    std::optional<RaceTab> only;   // this view, large, in place of the whole page
    std::vector<RaceAction> then;  // what else to show of it: SetLogarithmic, SelectSize, ...
};

// A lesson as Page Down walks through it.
struct LessonPictureRequest {
    std::filesystem::path file;
    PictureLook look{};
    std::optional<std::size_t> scene{};  // from 0 on; a picture: the first; a film: all of them
    double words_a_minute = 180;         // that a viewer reads; a film waits so long at each stop
    LessonTools tools{};                 // that prepare it
};

inline constexpr int kLargestPicture = 8192;  // pixels, each way

struct FilmOptions {
    int frames_per_second = 15;
    double longest_seconds = 18;    // long replays and races are sped up to fit
    double hold_seconds = 1.5;      // on the last picture
    std::optional<double> until{};  // tick at which it ends; none, or past the end: the end
    // Asked before each frame once the replay is recorded: true ends the film with kCancelled.
    std::function<bool()> interrupted = {};
    // Told before each frame: so many are done, of so many.
    std::function<void(int, int)> progress = {};
};
enum class FilmKind : std::uint8_t { kGif, kMp4, kWebm };  // a GIF is endless

}  // namespace tilereel
