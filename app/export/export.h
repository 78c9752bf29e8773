#pragma once
// Pictures and film of the whole window, made without one.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/export/video.h"
#include "app/race/race.h"
#include "app/ui/image.h"
#include "app/ui/vector_picture.h"
#include "app/workbench/comparison.h"
#include "app/workbench/race_action.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/base/result.h"
#include "instrumentation/record/record.h"

namespace tilereel {

struct PictureRequest {
    RecordRequest request;       // recorded first, when there is no trace
    std::optional<Trace> trace;  // or this one
    int width = 1920, height = 1080;
    bool light = false;
    int text_px = 14;            // 14..32
    std::optional<double> tick;  // where the replay stands; none: the start. Past the end: the end
    std::uint32_t block_x = 0, block_y = 0;                // the block watched
    const Generation* generation = &default_generation();  // whose rules time and counts follow
    std::optional<CompareSide> compare{};                  // beside it, in lock-step
};

// The Race mode of the window with a race in it.
struct RacePictureRequest {
    Race race;
    int width = 1920, height = 1080;
    bool light = false;
    int text_px = 14;              // 14..32
    std::optional<RaceTab> only;   // this view, large, in place of the whole page
    std::vector<RaceAction> then;  // what else to show of it: SetLogarithmic, SelectSize, ...
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
    double longest_seconds = 18;    // long replays are sped up to fit
    double hold_seconds = 1.5;      // on the last picture
    std::optional<double> until{};  // tick at which it ends; none, or past the end: the end
    // Asked before each frame once the replay is recorded: true ends the film with kCancelled.
    std::function<bool()> interrupted = {};
    // Told before each frame: so many are done, of so many.
    std::function<void(int, int)> progress = {};
};
// The replay from the start (or from `tick`) to its end, as an endless GIF. Needs ffmpeg. A film
// that is not whole never takes the place of an old one.
Status export_gif(PictureRequest request, const std::filesystem::path& path,
                  const FilmOptions& options = {});

// The same as MP4 or WebM. Same frames, same bytes, from run to run.
Status export_video(PictureRequest request, VideoKind kind, const std::filesystem::path& path,
                    const FilmOptions& options = {});

// The stage alone as it looks at `tick`, as SVG or PDF; a view of a race, or the whole page.
Status export_vector(PictureRequest request, VectorKind kind, const std::filesystem::path& path);
Status export_race_vector(RacePictureRequest request, VectorKind kind,
                          const std::filesystem::path& path);

// Writes a PNG beside `path` and renames it: on any failure nothing is left there.
Status save_png(const Image& image, const std::filesystem::path& path);

}  // namespace tilereel
