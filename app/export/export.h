#pragma once
// Pictures and films of the window, made without a window.
#include <filesystem>

#include "app/export/picture_request.h"
#include "app/ui/frame/vector_picture.h"
#include "app/ui/gl/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

// The window as it looks when a playing replay reaches `tick`. kWrongCall for a request that cannot
// be recorded or shown; kFailed if the machine lacks something or the file cannot be written. Never
// leaves an incomplete file.
Status export_png(PictureRequest request, const std::filesystem::path& path);

// A picture of a race; it contains the names of the machine and the race. Errors as above.
Status export_race_png(RacePictureRequest request, const std::filesystem::path& path);
// Crops the image to a rectangle with its top left corner at (x, y), clipped to the image.
[[nodiscard]] Image cut_out(const Image& image, int x, int y, int width, int height);

// A film of the replay from `request.tick` (by default the start) to `options.until` (by default
// the end). All films need ffmpeg. An existing file is replaced only by a complete film. The same
// request gives the same bytes.
Status export_film(PictureRequest request, FilmKind kind, const std::filesystem::path& path,
                   const FilmOptions& options = {});

// A film of the race. Its samples appear one by one at equal intervals, in the order of the file.
Status export_race_film(RacePictureRequest request, FilmKind kind,
                        const std::filesystem::path& path, const FilmOptions& options = {});

// A picture of the scene's first stop. For a lesson with mistakes the error is kFailed and lists
// them.
Status export_lesson_png(const LessonPictureRequest& request, const std::filesystem::path& path);
// A film of the lesson as Page Down walks through it. It plays to each stop and waits there until a
// viewer has read the new text. `longest_seconds` has no effect.
Status export_lesson_film(const LessonPictureRequest& request, FilmKind kind,
                          const std::filesystem::path& path, const FilmOptions& options = {});

// The stage at `tick`, or a view of a race or the whole Race page, as SVG or PDF.
Status export_vector(PictureRequest request, VectorKind kind, const std::filesystem::path& path);
Status export_race_vector(RacePictureRequest request, VectorKind kind,
                          const std::filesystem::path& path);

// The bytes of a PNG file.
[[nodiscard]] Result<std::vector<std::byte>> png_of(const Image& image);
// Writes a temporary PNG beside `path` and renames it. After a failure no file is left.
Status save_png(const Image& image, const std::filesystem::path& path);

}  // namespace tilereel
