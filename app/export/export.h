#pragma once
// Pictures and film of the whole window, made without one.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/lesson/prepare_lesson.h"
#include "app/race/race.h"
#include "app/ui/image.h"
#include "app/ui/vector_picture.h"
#include "app/workbench/comparison.h"
#include "app/workbench/race_action.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/base/result.h"
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

// The window as it looks on arriving at `tick` while playing. kWrongCall for what cannot be
// recorded or shown, kFailed for what the machine lacks or cannot write; never leaves half a file.
Status export_png(PictureRequest request, const std::filesystem::path& path);

// The machine's and the race's names stand in the picture. Errors as above.
Status export_race_png(RacePictureRequest request, const std::filesystem::path& path);
// A part of the image, cut to where it lies in it.
[[nodiscard]] Image cut_out(const Image& image, int x, int y, int width, int height);

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

// The replay from the start (or from `tick`) to its end. Needs ffmpeg. A film that is not whole
// never takes the place of an old one. The same request gives the same bytes.
Status export_film(PictureRequest request, FilmKind kind, const std::filesystem::path& path,
                   const FilmOptions& options = {});

// The race as it ran: its samples come one by one, evenly in time, in the order of the file.
Status export_race_film(RacePictureRequest request, FilmKind kind,
                        const std::filesystem::path& path, const FilmOptions& options = {});

// The scene's first stop. kFailed for a lesson with mistakes: they are in the message.
Status export_lesson_png(const LessonPictureRequest& request, const std::filesystem::path& path);
// The lesson as Page Down walks through it: it plays to each stop and waits there until a viewer
// has read what is new. `longest_seconds` does not apply.
Status export_lesson_film(const LessonPictureRequest& request, FilmKind kind,
                          const std::filesystem::path& path, const FilmOptions& options = {});

// The stage alone as it looks at `tick`, as SVG or PDF; a view of a race, or the whole page.
Status export_vector(PictureRequest request, VectorKind kind, const std::filesystem::path& path);
Status export_race_vector(RacePictureRequest request, VectorKind kind,
                          const std::filesystem::path& path);

// Writes a PNG beside `path` and renames it: on any failure nothing is left there.
Status save_png(const Image& image, const std::filesystem::path& path);

}  // namespace tilereel
